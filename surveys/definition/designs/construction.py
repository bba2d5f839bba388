"""A design with its parameters -> the mechanism, or what is wrong with the choice, in plain words."""

from typing import Any

from mechanisms import Mechanism
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.design import Design
from surveys.definition.designs.external import ELSEWHERE, designs_for
from surveys.definition.designs.parameters import (
    MAXIMUM_EPSILON,
    MINIMUM_EPSILON,
    parse_matrix,
    parse_number,
)
from surveys.definition.kinds import MOST_SHARES
from surveys.site.errors import Invalid


def build(
    key: str,
    size: int,
    parameters: dict[str, str],
    select: str = "one",
    *,
    import_only: bool = False,
    aside: bool = False,
) -> Mechanism:
    """The mechanism of a design for a question with `size` answers, one or any of them chosen. Raises Invalid.

    select: "one", "any", or "ordered" for numbers and scales; aside: whether the last answer of these is none of them.
    import_only: for answers from a file, which may have been randomized with infinite epsilon.
    """
    design = designs_for(import_only).get(key)
    if design is None:
        raise Invalid({"design": unknown_design_message(key)})
    _check_fit(design, size, select, aside)
    errors, numbers = {}, {}
    for letter in design.parameters:
        typed = parameters.get(letter, "")
        try:
            numbers[letter] = (
                parse_matrix(typed, size)
                if letter == "rows"
                else parse_number(letter, typed, import_only)
            )
        except ValueError as error:
            errors[letter] = str(error)
    errors = errors or design.check(**numbers)
    if errors:
        raise Invalid(errors)
    mechanism = _built(
        design, size, numbers | ({"aside": True} if aside and design.select == "ordered" else {})
    )
    if not import_only:
        _check_protection(design, mechanism)
    return mechanism


def unknown_design_message(key: str) -> str:
    """Return the error message for a design that cannot be chosen."""
    if key in ELSEWHERE:
        return f"“{ELSEWHERE[key].title}” is only for import-only surveys."
    if key in DESIGNS and DESIGNS[key].devices_only:
        return f"“{DESIGNS[key].title}” works only on devices, so files can’t have such reports."
    return "Choose a design."


def list_design_names(*designs: Design) -> str:
    """Return designs as a list with "or": “Direct” (direct) or “Unary” (unary)."""
    names = [f"“{each.title.partition(':')[0]}” ({each.key})" for each in designs]
    return " or ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def design_fits(design: Design, select: str) -> bool:
    """Return whether a design serves this kind of question."""
    return design.ordered if select == "ordered" else design.select == select


def _check_fit(design: Design, size: int, select: str, aside: bool) -> None:
    if not design_fits(design, select):
        others = [
            each
            for each in DESIGNS.values()
            if design_fits(each, select) and (size == 2 or not each.two_answers_only)
        ]
        raise Invalid(
            {
                "design": f"“{design.title}” doesn’t fit this question type. Choose {list_design_names(*others)}."
            }
        )
    if select == "ordered" and design.select == "one" and size > MOST_SHARES + aside:
        message = (
            f"“{design.title}” estimates the share of each answer, for up to {MOST_SHARES} answers. There are {size}. "
            "Choose larger steps, or “Window” (window), which estimates the mean."
        )
        raise Invalid({"design": message})
    if size > design.most:
        others = [
            each for each in DESIGNS.values() if design_fits(each, select) and size <= each.most
        ]
        most = f"up to {design.most} answers; this question has {size:,}"
        message = f"“{design.title}” works for {most}. Choose {list_design_names(*others)}."
        raise Invalid({"design": message})
    if design.two_answers_only and size != 2:
        others = [
            each for each in DESIGNS.values() if each.select == "one" and not each.two_answers_only
        ]
        answers = f"{size} (“Prefer not to say” counts as one where it is offered)"
        message = (
            f"“{design.title}” is for exactly two answers. This question has {answers}. "
            f"Choose {list_design_names(*others)}."
        )
        raise Invalid({"design": message})


def _built(design: Design, size: int, numbers: dict[str, Any]) -> Mechanism:
    try:
        return design.build(size, **numbers)
    except ValueError as error:  # all that is left: chances with no common denominator below 2**32
        message = (
            "These numbers have too many digits. Round them, or write 1/3 instead of 0.3333333333."
        )
        raise Invalid({_first(design): message}) from error


def _check_protection(design: Design, mechanism: Mechanism) -> None:
    """What a respondent may be asked with: neither without protection nor for nothing."""
    first = _first(design)
    if not mechanism.publishable:
        raise Invalid(
            {
                first: (
                    "Choose other values. With these, an answer received could prove the true one: epsilon is infinite."
                )
            }
        )
    if mechanism.epsilon > MAXIMUM_EPSILON:
        message = f"Choose other values. With these, almost nothing is protected: epsilon is above {MAXIMUM_EPSILON}."
        raise Invalid({first: message})
    if "epsilon" not in design.parameters and mechanism.epsilon < MINIMUM_EPSILON:
        message = (
            "Choose other values. With these, the answers say almost nothing: epsilon is below "
            f"{float(MINIMUM_EPSILON)}."
        )
        raise Invalid({first: message})


def _first(design: Design) -> str:
    return next(iter(design.parameters), "design")
