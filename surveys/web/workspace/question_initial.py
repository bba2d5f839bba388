"""What the fields of a question hold when its page opens."""

from typing import Any

from mechanisms import round_up
from surveys.definition import fields
from surveys.definition.designs.external import ALL_DESIGNS
from surveys.definition.designs.levels import (
    AIMS,
    AUTOMATIC,
    EPSILONS,
    USUAL_LEVEL,
    design_aim,
    matching_level,
    recommend_design,
)
from surveys.definition.freezing import answer_labels, build_question_definition
from surveys.definition.kinds import kind_of
from surveys.definition.values import yes_no_line
from surveys.models import Question, Survey
from surveys.web.workspace.advice import LIKERT
from surveys.web.workspace.choice_lists import listed_choices
from surveys.web.workspace.kind_forms import KIND_FORMS, SETTINGS

OTHERWISE = (
    "grid",
    "design",
    "parameters",
    "anchor",
    "values",
)  # settings that fields hold in another way, or not at all
WRITTEN = [*(name for name in fields.names(Question) if name not in OTHERWISE), "edition"]
NEVER_TWICE = {
    "key": "",
    "section": "",
    "edition": "",
    "when_section": False,
    "everyone": False,
}  # what a copy of a question does not take over


def starting(question: Question | None = None, survey: Survey | None = None) -> dict[str, Any]:
    """What the fields of a page hold at first: those of a question, or what is usual for a new one of the survey."""
    start = {
        f"{design.key}-{letter}": value
        for design in ALL_DESIGNS.values()
        for letter, value in design.start.items()
    } | {f"{AUTOMATIC}-epsilon": EPSILONS[USUAL_LEVEL]}
    start |= {
        "points": "\n".join(LIKERT),
        "low": "0",
        "high": "50",
        "step": "1",
        "aim": "mean",
        "declinable": True,
        "values": yes_no_line(),
        "stored_values": [],
    }
    if question is None:
        automatic = Question.Mode.AUTOMATIC.value
        design = "" if survey and survey.protection else AUTOMATIC
        return start | {"kind": Question.Kind.YES_NO.value, "design": design, "mode": automatic}
    written = {name: getattr(question, name) for name in WRITTEN}
    written["choices"] = "\n".join(choice.line for choice in listed_choices(question))
    if kind_of(question).has_yes:
        # A question without written values shows the default ones, and stays without.
        written |= {"values": yes_no_line(question.values), "stored_values": question.values}
    written["anchor"] = "" if question.anchor is None else f"{100 * question.anchor:.8g}"
    fields = KIND_FORMS[question.kind].fields
    if "declinable" in fields:
        written |= {"declinable": question.decline, "decline": False}
    written |= {field: written.pop(name) for field, name in SETTINGS.items() if field in fields}
    if "step" not in fields:
        del written["step"]
    if "aim" in fields:
        written["aim"] = question.aim or design_aim(question.design)
    own = {f"{question.design}-{letter}": value for letter, value in question.parameters.items()}
    return start | written | own | _chosen(question)


def like(question: Question) -> dict[str, Any]:
    """A copy of a question that is not saved yet."""
    return {
        name: value for name, value in (starting(question) | NEVER_TWICE).items() if name != "cut"
    }


def another(question: Question) -> dict[str, Any]:
    """The next question after this one: its kind and protection, and nothing else of it."""
    same = starting(question)
    points = {"points"} & {*KIND_FORMS[question.kind].fields}
    kind = {"kind", "decline", "declinable", "design", "aim", *points}
    kept = {name: same[name] for name in same if name in kind or name.endswith("-epsilon")}
    return starting(survey=question.survey) | kept


def _chosen(question: Question) -> dict[str, str]:
    """An epsilon, where the design is what comes of it.

    So a question keeps its protection as its choices change.
    """
    if not question.design:
        return {"design": "" if question.survey.protection else AUTOMATIC}
    if question.mode != Question.Mode.AUTOMATIC:  # people draw, with exactly these chances
        return {"design": question.design}
    size, of = max(len(answer_labels(question)), 2), kind_of(question).select
    of = AIMS[design_aim(question.design)] if of == "ordered" else of
    if level := matching_level(question.design, question.parameters, size, of):
        return {"design": AUTOMATIC, f"{AUTOMATIC}-epsilon": EPSILONS[level]}
    epsilon = _automatic(question, size, of)
    return (
        {"design": AUTOMATIC, f"{AUTOMATIC}-epsilon": epsilon}
        if epsilon
        else {"design": question.design}
    )


def _automatic(question: Question, size: int, of: str) -> str:
    """The epsilon of a yes/no question, whose design does not say it; empty for any other."""
    if question.design != "warner" or "/" not in question.parameters.get("p", ""):
        return ""
    try:
        epsilon = f"{round_up(build_question_definition(question).epsilon, 2):.2f}"  # as they were shared out once
        found = recommend_design(size, epsilon, of)
    except ValueError:  # Invalid too: such a question is mended first
        return ""
    return (
        epsilon
        if (found.design, found.parameters) == (question.design, question.parameters)
        else ""
    )
