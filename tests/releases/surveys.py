"""What is in a release's database: surveys with every kind of question and design, and smaller ones."""

from typing import Any


def asked(kind: str, key: str, design: str = "", chances: str = "", **more: Any) -> dict[str, Any]:
    """A question as the API takes it; chances as "p=3/4 q=1/4", choices as one letter each unless they are a list."""
    parameters = dict(each.split("=") for each in chances.split())
    if "choices" in more:
        more["choices"] = list(more["choices"])
    return {
        "key": key,
        "kind": kind,
        "text": f"About {key}?",
        "design": design,
        "parameters": parameters,
        **more,
    }


EVERY_KIND = [
    asked("yes-no", "coins", "two-coin", mode="by-hand", help="Throw."),
    asked("yes-no", "wheel", "warner", "p=3/4", mode="spinner"),
    asked("yes-no", "dice", "forced-response", "truth=2/3 yes=1/6 no=1/6", anchor=0.1),
    asked(
        "yes-no",
        "month",
        "unrelated-question",
        "p=7/10 prevalence=1/2",
        mode="by-hand",
        harmless="Born in May?",
    ),
    asked("yes-no", "kept", "generalized", "p=0.8 q=0.7"),
    asked("yes-no", "declined", "direct", "epsilon=2", decline=True),
    asked("yes-no", "level", "balanced", section="Choices, “of all kinds” & <more>"),
    asked("choice", "direct", "direct", "epsilon=1", choices=["=1+1", "Ä, ö", '"x"']),
    asked("choice", "unary", "unary", "p=3/4 q=1/4", choices="abcdefghi", decline=True),
    asked("choice", "symmetric", "unary-symmetric", "epsilon=1.5", choices="abc"),
    asked("choice", "optimized", "unary-optimized", "epsilon=1", choices="abcd"),
    asked("choice", "subset", "subset", "epsilon=1", choices="abcdefgh"),
    asked("any", "several", "automatic", "epsilon=2", choices="abc"),
    asked("background", "region", choices=["North", "South"], section="About you"),
    asked("number", "age", minimum=18, maximum=317),  # more values than one byte holds
]
EVERYTHING = {
    "title": "Everything, “in quotes” & <marks>",
    "introduction": "First.\n\nSecond.",
    "contact": "ada@example.org",
    "consent": "I take part of my own will.",
    "language": "de",
    "comprehension": True,
    "project": "Releases",
    "questions": EVERY_KIND,
}
SMALL = {
    "project": "Releases",
    "questions": [
        asked("yes-no", "tax", "two-coin"),
        asked("background", "region", choices=["North", "South"]),
    ],
}


def condition(of: str, *answers: str) -> dict[str, Any]:
    return {"when": {"of": of, "in": [*answers]}}


GRID = {"grid": "How often was it done …", "choices": ["Never", "Once", "More often"]}
RECENT_KINDS = [
    asked("background", "sex", choices=["Female", "Male"], decline=True, cut=True),
    asked("number", "years", minimum=0, maximum=60),
    asked(
        "scale",
        "agrees",
        "window",
        "epsilon=2.1973",
        choices=["Never", "Rarely", "Sometimes", "Often", "Always"],
    ),
    asked(
        "quantity", "hours", "window", "epsilon=2.1973", minimum=0, maximum=50, step=1, unit="hours"
    ),
    asked("any", "one_mark", "marks", "epsilon=2.1973", choices="abcdef"),
    asked("written", "drug", "written", "epsilon=2.1973", choices=["cannabis", "cocaine"]),
    asked(
        "choice", "job", "geometry", "epsilon=2", choices=[f"Job {number}" for number in range(210)]
    ),
    asked("choice", "at_home", "direct", "epsilon=1", **GRID),
    asked("choice", "at_work", "direct", "epsilon=1", **GRID),
    asked(
        "yes-no",
        "care",
        "balanced",
        section="Care",
        **condition("sex", "Female"),
        when_section=True,
    ),
    asked(
        "yes-no",
        "stated",
        "warner",
        "p=3/4",
        mode="spinner",
        statement="I have done it.",
        opposite="I have never done it.",
    ),
]
RECENT = {
    "title": "All that came after the first release",
    "introduction": "It has a path, a grid, numbers and a long list.",
    "project": "Releases",
    "asks_consent": True,
    "consent": "I take part of my own will.",
    "after_sending": "Thank you.",
    "after_declining": "Nothing was sent.",
    "help_lines": "Somebody to talk to\n0800 111 0 111",
    "controller": "A university",
    "purpose": "Research",
    "legal_basis": "Consent",
    "rights": "Ask the university.",
    "contact": "ada@example.org",
    "section_pages": True,
    "delete_on": "2192-01-01",
    "questions": RECENT_KINDS,
}
FILED = {"import_only": True, "project": "Releases", "questions": SMALL["questions"]}
INVITED = {
    "tickets": "one",
    "project": "Releases",
    "questions": SMALL["questions"],
    "contact": "ada@example.org",
}
