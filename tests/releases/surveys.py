"""What is in a release's database: a survey with every kind of question and design, and smaller ones."""

from typing import Any


def asked(kind: str, key: str, design: str = "", chances: str = "", **more: Any) -> dict[str, Any]:
    """A question as the API takes it; chances as "p=3/4 q=1/4", choices as one letter each unless they are a list."""
    parameters = dict(each.split("=") for each in chances.split())
    if "choices" in more:
        more["choices"] = list(more["choices"])
    return {"key": key, "kind": kind, "text": f"About {key}?", "design": design, "parameters": parameters, **more}


EVERY_KIND = [
    asked("yes-no", "coins", "two-coin", mode="by-hand", help="Throw."),
    asked("yes-no", "wheel", "warner", "p=3/4", mode="spinner"),
    asked("yes-no", "dice", "forced-response", "truth=2/3 yes=1/6 no=1/6", anchor=0.1),
    asked("yes-no", "month", "unrelated-question", "p=7/10 prevalence=1/2", mode="by-hand", harmless="Born in May?"),
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
    "questions": [asked("yes-no", "tax", "two-coin"), asked("background", "region", choices=["North", "South"])],
}
