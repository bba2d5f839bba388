"""Drafts with a question of each design, to look at: how it is written, what it costs, what respondents would read."""

from calendar import monthrange
from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from surveys.authoring.files import survey_file
from surveys.models import Survey

DAYS = ["On none", "On 1 or 2", "On 3 to 9", "On 10 or more"]
DRUGS = ["Cannabis", "Cocaine", "Ecstasy", "Heroin", "Something else"]
OFTEN = ["Never", "Rarely", "Sometimes", "Often", "Always"]

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
YEAR = [f"{day} {name}" for month, name in enumerate(MONTHS, 1) for day in range(1, monthrange(2024, month)[1] + 1)]

TARGET = 5000  # respondents, with whom most of these show something


def load(owner: AbstractBaseUser) -> None:
    made = [survey_file.read(document, owner=owner) for document in documents()]
    Survey.objects.filter(pk__in=[survey.pk for survey in made]).update(target=TARGET)


def documents() -> list[dict[str, Any]]:
    """The drafts as they would be exported."""
    return [
        _draft("Every design: files from elsewhere", _elsewhere(), import_only=True),
        _draft("Every design: written answers", _written()),
        _draft("Every design: numbers and scales", _ordered()),
        _draft("Every design: choices", _choices()),
        _draft("Every design: yes or no", _yes_no()),
    ]


def _draft(title: str, questions: list[dict[str, Any]], **more: bool) -> dict[str, Any]:
    return {
        "candor": survey_file.FORMAT,
        "title": title,
        "introduction": "A question of each design that Candor has for this kind of answer. Change what you like.",
        "contact": "The Candor demo on this machine",
        "consent": "I take part of my own free will.",
        "limit": "11",
        "limit_reason": "A draft to look at: nobody is asked all of these.",
        "questions": questions,
        **more,
    }


def _question(kind: str, design: str, text: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "design": design, "text": text, **more}


def _yes_no() -> list[dict[str, Any]]:
    def ask(design: str, text: str, **more: Any) -> dict[str, Any]:
        return _question("yes-no", design, text, **more)

    return [
        ask("two-coin", "Did you drive after drinking in the past 12 months?", key="two_coins"),
        ask("warner", "Did you ever take something from a shop without paying?", key="warner", parameters={"p": "3/4"}),
        ask(
            "warner",
            "Did you pay for work without declaring it in the past 12 months?",
            key="spinner",
            parameters={"p": "3/4"},
            mode="spinner",
            statement="I have paid for work without declaring it.",
            opposite="I have never paid for work without declaring it.",
        ),
        ask("two-coin", "Did you call in sick without being ill in the past 12 months?", key="by_hand", mode="by-hand"),
        ask(
            "forced-response",
            "Did you leave income out of a tax return in the past 12 months?",
            key="forced",
            parameters={"truth": "3/4", "yes": "1/8", "no": "1/8"},
        ),
        ask(
            "unrelated-question",
            "Did you use cocaine in the past 12 months?",
            key="unrelated",
            parameters={"p": "2/3", "prevalence": "1/4"},
        ),
        ask(
            "generalized",
            "Did you ever read somebody else’s mail?",
            key="generalized",
            parameters={"p": "4/5", "q": "3/5"},
        ),
        ask("gamma", "Did you ever lie to get a job?", key="gamma", parameters={"gamma": "1/5"}),
    ]


def _choices() -> list[dict[str, Any]]:
    drove = "On how many days did you drive after drinking in the past 12 months?"
    took = "Which of these did you take in the past 12 months?"
    one = [
        ("direct", {"epsilon": "1.0987"}),
        ("subset", {"epsilon": "1.0987"}),
        ("unary", {"p": "3/4", "q": "1/4"}),
        ("unary-symmetric", {"epsilon": "1.0987"}),
        ("unary-optimized", {"epsilon": "1.0987"}),
    ]
    absent = "On which day of the year were you last absent from work without being ill?"
    several = [("marks", {"epsilon": "1.0987"}), ("unary-any", {"epsilon": "1.0987"})]
    return [
        *(
            _question("choice", design, drove, choices=DAYS, parameters=given, key=_key(design))
            for design, given in one
        ),
        _question("choice", "geometry", absent, choices=YEAR, parameters={"epsilon": "1.0987"}, key="geometry"),
        *(
            _question("any", design, took, choices=DRUGS, parameters=given, key=_key(design))
            for design, given in several
        ),
    ]


def _ordered() -> list[dict[str, Any]]:
    drank = "On how many of the past 10 working days did you drink before work?"
    afraid = "How often are you afraid of somebody at home?"
    range_ = {"minimum": 0, "maximum": 10, "step": 1, "unit": "days"}
    designs = ("window", "direct", "subset")
    each = {"parameters": {"epsilon": "1.0987"}}
    return [
        *(_question("quantity", design, drank, key=f"days_{_key(design)}", **range_, **each) for design in designs),
        *(_question("scale", design, afraid, key=f"fear_{_key(design)}", choices=OFTEN, **each) for design in designs),
    ]


def _written() -> list[dict[str, Any]]:
    text = "Which drug that is not on any list did you take last?"
    given = {"written": {"epsilon": "1.0987"}, "rappor": {"hashes": "1", "f": "1/2", "p": "3/4", "q": "1/4"}}
    return [_question("written", design, text, parameters=each, key=_key(design)) for design, each in given.items()]


def _elsewhere() -> list[dict[str, Any]]:
    """Designs under which an answer can prove the truth: Candor reads files of them, and asks nobody with them."""
    text = "Did you leave income out of a tax return in the past 12 months?"
    given = {
        "crosswise": {"prevalence": "1/4"},
        "triangular": {"prevalence": "1/4"},
        "mangat": {"p": "3/5"},
        "kuk": {"p1": "4/5", "p2": "1/5"},
        "one-sided": {"rate": "1/3"},
        "matrix": {"rows": "4/5 1/5; 2/5 3/5"},
    }
    return [_question("yes-no", design, text, parameters=each, key=_key(design)) for design, each in given.items()]


def _key(design: str) -> str:
    return design.replace("-", "_")
