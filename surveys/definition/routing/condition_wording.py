"""Conditions in words: whom a question is asked, as authors, respondents and readers of a report read it."""

from collections.abc import Callable

from surveys.definition.routing.conditions import Among, Condition
from surveys.site.number_format import join_with_and


def in_words(condition: Condition, leaf: Callable[[Among], str], *, inner: bool = False) -> str:
    """ "“Sex” is “Female”, and “Age” is 18 to 25". leaf: what one part is in words."""
    if isinstance(condition, Among):
        return leaf(condition)
    word = " and " if condition.every else " or "
    said = word.join(in_words(part, leaf, inner=True) for part in condition.parts)
    return f"({said})" if inner and len(condition.parts) > 1 else said


class Whom(str):
    """Whom a question is asked, in words. among: what these people answered, after “people who”."""

    among = ""


def whom(condition: Condition, leaf: Callable[[Among], tuple[str, str, list[str], bool]]) -> Whom:
    """leaf: the text of its question and its short name, the answers, and whether these are numbers."""
    said = Whom(in_words(condition, lambda each: leaf_in_words(leaf(each)[0], *leaf(each)[2:])))
    said.among = in_words(condition, lambda each: _answered(*leaf(each)[1:]))
    return said


def _answered(short: str, labels: list[str], number: bool) -> str:
    if number:
        span = (
            labels[0]
            if len(labels) == 1
            else f"{labels[0]} to {labels[-1]}"
            if labels
            else "nothing"
        )
        return f"answered {span} to “{short}”"
    return f"answered {join_with_and([f'“{label}”' for label in labels], 'or')} to “{short}”"


def leaf_in_words(text: str, labels: list[str], number: bool = False) -> str:
    """text: of the question. labels: of the answers, of numbers all of them."""
    if not labels:
        return f"“{text}” is none of its answers"
    if number:
        span = labels[0] if len(labels) == 1 else f"{labels[0]} to {labels[-1]}"
        return f"“{text}” is {span}"
    return f"“{text}” is {join_with_and([f'“{label}”' for label in labels], 'or')}"
