"""Conditions in words: who is asked a question, for authors, respondents and readers."""

from collections.abc import Callable
from typing import NamedTuple

from surveys.definition.routing.conditions import Among, Condition
from surveys.site.number_format import join_with_and


class ConditionText(str):
    """A condition in words: “Sex” is “Female”.

    `among` has the condition as a clause that follows “people who”: answered “Female” to “Sex”.
    """

    among = ""


class ComparisonTexts(NamedTuple):
    """The texts of one comparison: of its question and of its answers.

    `labels` are the answers that meet the comparison. If `is_number` is True, they are all numbers
    from the smallest to the largest one.
    """

    question: str
    short_name: str
    labels: list[str]
    is_number: bool


def in_words(condition: Condition, leaf: Callable[[Among], str], *, inner: bool = False) -> str:
    """Return a condition in words: “Sex” is “Female” and “Age” is 18 to 25.

    leaf: a function that returns the words of one comparison.
    inner: True for a part of another condition, which gets parentheses if it has several parts.
    """
    if isinstance(condition, Among):
        return leaf(condition)
    conjunction = " and " if condition.every else " or "
    parts = [in_words(part, leaf, inner=True) for part in condition.parts]
    text = conjunction.join(parts)
    if inner and len(condition.parts) > 1:
        return f"({text})"
    return text


def describe_condition(
    condition: Condition, texts: Callable[[Among], ComparisonTexts]
) -> ConditionText:
    """Return in words who is asked a question that has this condition.

    The result is a statement with the texts of questions: “What is your sex?” is “Female”. Its
    attribute `among` is a clause with their short names: answered “Female” to “Sex”.

    texts: a function that returns the texts of one comparison.
    """

    def as_statement(leaf: Among) -> str:
        """Return a comparison as: “Sex” is “Female”."""
        comparison = texts(leaf)
        return leaf_in_words(comparison.question, comparison.labels, comparison.is_number)

    def as_clause(leaf: Among) -> str:
        """Return a comparison as: answered “Female” to “Sex”."""
        return _answered_clause(texts(leaf))

    condition_text = ConditionText(in_words(condition, as_statement))
    condition_text.among = in_words(condition, as_clause)
    return condition_text


def leaf_in_words(text: str, labels: list[str], number: bool = False) -> str:
    """Return one comparison in words: “Sex” is “Female” or “Diverse”.

    text: the text of the question.
    labels: the answers that meet the comparison. No labels mean that no answer meets it.
    number: True if the labels are all numbers from the smallest to the largest one.
    """
    if not labels:
        return f"“{text}” is none of its answers"
    answers = _number_range(labels) if number else _quoted_alternatives(labels)
    return f"“{text}” is {answers}"


def _answered_clause(comparison: ComparisonTexts) -> str:
    """Return one comparison as what respondents did: answered “Female” to “Sex”."""
    labels = comparison.labels
    if not comparison.is_number:
        answers = _quoted_alternatives(labels)
    elif labels:
        answers = _number_range(labels)
    else:
        answers = "nothing"
    return f"answered {answers} to “{comparison.short_name}”"


def _number_range(labels: list[str]) -> str:
    """Return the first and the last label as "18 to 25", or "18" if this is the only one."""
    if len(labels) == 1:
        return labels[0]
    return f"{labels[0]} to {labels[-1]}"


def _quoted_alternatives(labels: list[str]) -> str:
    """Return labels as: “Female” or “Diverse”. Commas separate the first ones of more than two."""
    quoted = [f"“{label}”" for label in labels]
    return join_with_and(quoted, "or")
