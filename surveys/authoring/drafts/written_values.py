"""The values that an author writes for the answers to a question. Mistakes are a ValueError."""

from collections.abc import Sequence

from surveys.definition.kinds import Traits
from surveys.definition.values import (
    LONGEST_VALUE,
    SIGN,
    YES_NO_NAMES,
    clean_value,
    is_value,
)

NOT_A_VALUE = (
    f"A value is a whole number, or up to {LONGEST_VALUE} characters without spaces that begin "
    "with no sign such as = or +."
)


def validate_values(values: Sequence[str], choices: Sequence[str], traits: Traits) -> list[str]:
    """Return the written values of the answers to a question, without those of empty lines.

    The result is empty if no answer has a value. Raise ValueError, with a message that counts the
    lines as the author sees them, unless all answers have different values.

    values: one for each choice as it was typed, or for each answer of a yes/no question.
    choices: the choices as they were typed, also the empty ones; yes/no questions have none.
    """
    values = [clean_value(value) for value in values]
    is_fixed = traits.choices == "fixed"
    answers = YES_NO_NAMES if is_fixed else choices
    if not any(values):
        return []
    if len(values) != len(answers):
        raise ValueError(
            f"There are {len(values):,} values and {len(answers):,} choices. "
            "Give one value for each choice, or leave the values out."
        )
    if is_fixed:
        return _validate_yes_no(values)
    return _validate_lines(values, answers)


def _validate_yes_no(values: Sequence[str]) -> list[str]:
    """Return the values of No and Yes. Raise ValueError unless they are two different values."""
    for value, answer in zip(values, YES_NO_NAMES, strict=True):
        if not value:
            raise ValueError(f"“{answer}” has no value. Write a value for both answers, or none.")
        if not is_value(value):
            raise ValueError(f"“{value[:60]}” is not a value. {NOT_A_VALUE}")
    if values[0].casefold() == values[1].casefold():
        raise ValueError(f"No and Yes have the same value, {values[0]}. Give each answer its own.")
    return list(values)


def _validate_lines(values: Sequence[str], choices: Sequence[str]) -> list[str]:
    """Return the values of all lines with a choice. Raise ValueError unless they are different."""
    line_by_value: dict[str, int] = {}
    valid_values = []
    for line, (value, choice) in enumerate(zip(values, choices, strict=True), 1):
        if not choice.strip():
            continue
        # What stands behind the last sign is part of the label if it is not a value.
        typed = value or choice.rpartition(SIGN)[2]
        has_sign = SIGN in choice or value
        if has_sign and not is_value(typed.strip()):
            raise ValueError(f"“{typed[:60]}” on line {line} is not a value. {NOT_A_VALUE}")
        if not value:
            raise ValueError(f"Line {line} has no value. Write a value on every line, or on none.")

        first_line = line_by_value.setdefault(value.casefold(), line)
        if first_line != line:
            raise ValueError(
                f"Lines {first_line} and {line} have the same value, {value}. "
                "Give each answer its own."
            )
        valid_values.append(value)
    return valid_values
