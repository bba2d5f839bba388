"""Drafts with a question of each design, to look at: how it is written, what it costs, what respondents would read."""

from calendar import monthrange
from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from surveys.authoring.files import survey_file
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.construction import design_fits
from surveys.definition.designs.design import MOST_MARKED, Design
from surveys.definition.designs.external import IMPORT_ONLY_DESIGNS
from surveys.definition.designs.levels import EPSILONS, USUAL_LEVEL
from surveys.models import Survey

DAYS = ["On none", "On 1 or 2", "On 3 to 9", "On 10 or more"]
DRUGS = ["Cannabis", "Cocaine", "Ecstasy", "Heroin", "Something else"]
OFTEN = ["Never", "Rarely", "Sometimes", "Often", "Always"]

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
YEAR = [
    f"{day} {name}"
    for month, name in enumerate(MONTHS, 1)
    for day in range(1, monthrange(2024, month)[1] + 1)
]

TARGET = 5000  # respondents, with whom most of these show something


def load(owner: AbstractBaseUser) -> None:
    made = [survey_file.read(document, owner=owner) for document in documents()]
    Survey.objects.filter(pk__in=[survey.pk for survey in made]).update(target=TARGET)


def documents() -> list[dict[str, Any]]:
    """The drafts as they would be exported."""
    return [
        _draft("Every design: answers from files", _elsewhere(), import_only=True),
        _draft("Every design: text answers", _written()),
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
        "questions": questions,
        **more,
    }


def _question(kind: str, design: str, text: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "design": design, "text": text, **more}


def _yes_no() -> list[dict[str, Any]]:
    def ask(design: str, text: str, **more: Any) -> dict[str, Any]:
        return _question("yes-no", design, text, **more)

    own = [
        ask("two-coin", "Did you drive after drinking in the past 12 months?", key="two_coins"),
        ask(
            "warner",
            "Did you ever take something from a shop without paying?",
            key="warner",
            parameters={"p": "3/4"},
        ),
        ask(
            "warner",
            "Did you pay for work without declaring it in the past 12 months?",
            key="spinner",
            parameters={"p": "3/4"},
            mode="spinner",
            statement="I have paid for work without declaring it.",
            opposite="I have never paid for work without declaring it.",
        ),
        ask(
            "two-coin",
            "Did you call in sick without being ill in the past 12 months?",
            key="by_hand",
            mode="by-hand",
        ),
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
            "Did you ever read someone else’s mail?",
            key="generalized",
            parameters={"p": "4/5", "q": "3/5"},
        ),
        ask("gamma", "Did you ever lie to get a job?", key="gamma", parameters={"gamma": "1/5"}),
    ]
    named = {question["design"] for question in own}
    others = [row for row in DESIGNS.values() if row.two_answers_only and row.key not in named]
    text = "Did you ever pass on what you had promised to keep to yourself?"
    return own + [_example("yes-no", row, text) for row in others]


def _choices() -> list[dict[str, Any]]:
    drove = "On how many days did you drive after drinking in the past 12 months?"
    took = "Which of these did you take in the past 12 months?"
    absent = "On which day of the year were you last absent from work without being ill?"
    one = [row for row in _of("one", "direct", "subset") if not row.two_answers_only]
    return [
        *(_example("choice", row, drove, choices=DAYS) for row in one if row.most == MOST_MARKED),
        *(_example("choice", row, absent, choices=YEAR) for row in one if row.most > MOST_MARKED),
        *(_example("any", row, took, choices=DRUGS) for row in _of("any")),
    ]


def _ordered() -> list[dict[str, Any]]:
    drank = "On how many of the past 10 working days did you drink before work?"
    afraid = "How often are you afraid of someone at home?"
    range_ = {"minimum": 0, "maximum": 10, "step": 1, "unit": "days"}
    rows = _of("ordered", "window")
    return [
        *(_example("quantity", row, drank, key=f"days_{_key(row)}", **range_) for row in rows),
        *(_example("scale", row, afraid, key=f"fear_{_key(row)}", choices=OFTEN) for row in rows),
    ]


def _written() -> list[dict[str, Any]]:
    return [
        _example("written", row, "Which drug that is not on any list did you take last?")
        for row in _of("text")
    ]


def _elsewhere() -> list[dict[str, Any]]:
    """Designs under which an answer can prove the truth: Candor reads files of them, and asks no one with them."""
    text = "Did you leave income out of a tax return in the past 12 months?"
    own = {
        "mangat": {"p": "3/5"},
        "kuk": {"p1": "4/5", "p2": "1/5"},
        "matrix": {"rows": "4/5 1/5; 2/5 3/5"},
    }
    return [
        _example("yes-no", row, text, parameters=own.get(row.key, row.start))
        for row in IMPORT_ONLY_DESIGNS.values()
    ]


def _of(select: str, *first: str) -> list[Design]:
    """The designs of the table that fit such questions, some of them first."""
    return [
        row
        for key, row in ({key: DESIGNS[key] for key in first} | DESIGNS).items()
        if design_fits(row, select)
    ]


def _example(kind: str, row: Design, text: str, **more: Any) -> dict[str, Any]:
    """At the balanced level where it is made from an epsilon, else with the numbers that the workspace starts with."""
    given = {"epsilon": EPSILONS[USUAL_LEVEL]} if "epsilon" in row.parameters else row.start
    return _question(kind, row.key, text, **{"parameters": given, "key": _key(row)} | more)


def _key(row: Design) -> str:
    return row.key.replace("-", "_")
