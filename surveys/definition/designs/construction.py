"""The mechanism of a design with its parameters, or messages on what is wrong with the choice."""

from typing import Any

from mechanisms import Mechanism
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.design import Design
from surveys.definition.designs.external import IMPORT_ONLY_DESIGNS, designs_for
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
    separate_decline: bool = False,
) -> Mechanism:
    """Return the mechanism of a design for a question with `size` answers.

    Raises Invalid, with messages by parameter, or with a message for "design" if the design does
    not fit the question.

    key: the key of the design.
    parameters: the parameters of the design as people type them, by name.
    select: what an answer is: "one" choice, "any" number of them, one of an "ordered" row of
        numbers or points of a scale, or "text".
    import_only: True for answers from a file, which may have been randomized with infinite epsilon.
    separate_decline: True if the last of ordered answers is “Prefer not to say”.
    """
    design = designs_for(import_only).get(key)
    if design is None:
        raise Invalid({"design": unknown_design_message(key)})
    _check_fit(design, size, select, separate_decline)

    numbers = _parse_parameters(design, size, parameters, import_only)
    # Other designs treat “Prefer not to say” like any other answer.
    if separate_decline and design.select == "ordered":
        numbers["separate_decline"] = True
    try:
        mechanism = design.build(size, **numbers)
    except ValueError as error:
        # Everything else was checked: the probabilities have no common denominator below 2**32.
        message = (
            "These numbers have too many digits. Round them, or write 1/3 instead of 0.3333333333."
        )
        raise Invalid({_common_error_field(design): message}) from error

    if not import_only:
        _check_protection(design, mechanism)
    return mechanism


def unknown_design_message(key: str) -> str:
    """Return why a design cannot be chosen, as a message for the author.

    key: the key of a design that is only for other surveys, or a text that is not such a key.
    """
    if key in IMPORT_ONLY_DESIGNS:
        return f"“{IMPORT_ONLY_DESIGNS[key].title}” is only for import-only surveys."
    if key in DESIGNS and DESIGNS[key].devices_only:
        return f"“{DESIGNS[key].title}” works only on devices, so files can’t have such reports."
    return "Choose a design."


def list_design_names(*designs: Design) -> str:
    """Return the designs for a sentence: “Direct” (direct) or “Unary” (unary)."""
    # A title may be explained after a colon. The name is what comes before it.
    names = []
    for design in designs:
        short_title, _, _ = design.title.partition(":")
        names.append(f"“{short_title}” ({design.key})")
    *first_names, last_name = names
    if not first_names:
        return last_name
    return f"{', '.join(first_names)} or {last_name}"


def design_fits(design: Design, select: str) -> bool:
    """Return whether a design serves questions that are answered in this way.

    select: what an answer is: "one" choice, "any" number of them, one of "ordered" values, or a
        "text".
    """
    if select == "ordered":
        return design.ordered
    return design.select == select


def _parse_parameters(
    design: Design, size: int, parameters: dict[str, str], import_only: bool
) -> dict[str, Any]:
    """Return the parameters of a design as numbers, by name. Raises Invalid with messages by name.

    The parameter `rows` becomes a list of rows of numbers. A parameter that is missing counts as
    empty, and parameters that the design does not have are ignored.

    size: the number of answers of the question.
    parameters: the parameters as people type them, by name.
    import_only: True to allow probabilities with which epsilon is infinite.
    """
    numbers: dict[str, Any] = {}
    errors = {}
    for name in design.parameters:
        text = parameters.get(name, "")
        try:
            if name == "rows":
                numbers[name] = parse_matrix(text, size)
            else:
                numbers[name] = parse_number(name, text, import_only)
        except ValueError as error:
            errors[name] = str(error)

    if not errors:
        errors = design.check(**numbers)
    if errors:
        raise Invalid(errors)
    return numbers


def _check_fit(design: Design, size: int, select: str, separate_decline: bool) -> None:
    """Raise Invalid if a design is not for this kind of question, or not for so many answers.

    The message names designs that are possible instead.

    size: the number of answers.
    select, separate_decline: what an answer is, and if “Prefer not to say” is one, as in `build`.
    """
    fitting = [other for other in DESIGNS.values() if design_fits(other, select)]
    if not design_fits(design, select):
        others = [other for other in fitting if size == 2 or not other.two_answers_only]
        message = (
            f"“{design.title}” doesn’t fit this question type. Choose {list_design_names(*others)}."
        )
        raise Invalid({"design": message})

    # A design for one of several answers gives the share of each number or point of a scale. These
    # may be only so many, of which “Prefer not to say” is none.
    most_shares = MOST_SHARES + 1 if separate_decline else MOST_SHARES
    if select == "ordered" and design.select == "one" and size > most_shares:
        message = (
            f"“{design.title}” estimates the share of each answer, for up to {MOST_SHARES} "
            f"answers. There are {size}. Choose larger steps, or “Window” (window), which "
            "estimates the mean."
        )
        raise Invalid({"design": message})

    if size > design.most:
        others = [other for other in fitting if size <= other.most]
        message = (
            f"“{design.title}” works for up to {design.most} answers; this question has {size:,}. "
            f"Choose {list_design_names(*others)}."
        )
        raise Invalid({"design": message})

    if design.two_answers_only and size != 2:
        others = [
            other
            for other in DESIGNS.values()
            if other.select == "one" and not other.two_answers_only
        ]
        message = (
            f"“{design.title}” is for exactly two answers. This question has {size} (“Prefer not "
            "to say” counts as one where it is offered). "
            f"Choose {list_design_names(*others)}."
        )
        raise Invalid({"design": message})


def _check_protection(design: Design, mechanism: Mechanism) -> None:
    """Raise Invalid if the epsilon of a design's mechanism is infinite, too large or too small.

    With a large epsilon almost nothing is protected, with a small one reports say almost nothing.
    """
    message = ""
    if not mechanism.publishable:
        message = (
            "Choose other values. With these, an answer received could prove the true one: "
            "epsilon is infinite."
        )
    elif mechanism.epsilon > MAXIMUM_EPSILON:
        message = (
            "Choose other values. With these, almost nothing is protected: "
            f"epsilon is above {MAXIMUM_EPSILON}."
        )
    elif "epsilon" not in design.parameters and mechanism.epsilon < MINIMUM_EPSILON:
        # An epsilon that is itself a parameter was compared with the minimum when it was parsed.
        message = (
            "Choose other values. With these, the answers say almost nothing: "
            f"epsilon is below {float(MINIMUM_EPSILON)}."
        )
    if message:
        raise Invalid({_common_error_field(design): message})


def _common_error_field(design: Design) -> str:
    """Return the field of a form that shows a message on all parameters together.

    It is that of the first parameter, or "design" if the design has no parameters.
    """
    return next(iter(design.parameters), "design")
