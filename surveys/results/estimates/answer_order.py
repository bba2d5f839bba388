"""In which order answers stand, and with how many decimals: the same in sentence, figure and table."""

from typing import TYPE_CHECKING

from surveys.definition.kinds import kind_of
from surveys.definition.none_of_these import rest
from surveys.results.estimates.share_wording import possible
from surveys.site.number_format import digits_in_view

if TYPE_CHECKING:
    from surveys.results.estimates.report import ChoiceReport, QuestionReport


def ordered(question: "QuestionReport", *, by_size: bool) -> list[tuple[int, "ChoiceReport"]]:
    """(index, choice): as asked where the answers have an order of their own, with Yes before No; else, on request,
    the largest first, after the answer that means none of the others and before those that stand for the rest.
    """
    numbered = list(enumerate(question.choices))
    if has_own_order(question):
        return kind_of(question).in_order(numbered)
    if not by_size:
        return numbered
    last = unranked(question)

    def place(pair: tuple[int, "ChoiceReport"]) -> tuple[int, float]:
        code, choice = pair
        return (0 if code == question.none else 2 + last.index(code) if code in last else 1), -(choice.estimate or 0)

    return sorted(numbered, key=place)


def has_own_order(question: "QuestionReport") -> bool:
    """Of yes/no, numbers, groups of numbers, scales and the rows of a grid."""
    return question.is_yes_no or question.has_order or question.is_ordered or bool(question.grid)


def unranked(question: "QuestionReport") -> list[int]:
    """The answers that stand last and are never called most common: the rest, and declining where it stands apart."""
    aside = question.declined
    if question.average and question.average.aside and question.choices:
        aside = len(question.choices) - 1
    together = [] if question.is_list else rest([choice.label for choice in question.choices])
    return [*(code for code in together if code not in (question.none, aside)), *([] if aside is None else [aside])]


def ranked(question: "QuestionReport") -> list[int]:
    """The answers that may be called most common, the largest estimate first."""
    out = {question.none, *unranked(question)}
    places = [code for code in range(len(question.choices)) if code not in out]
    return sorted(places, key=lambda code: -(question.choices[code].estimate or 0))


def decimals(question: "QuestionReport") -> int:
    """Of the per cents of a question, in figure and sentence: as many as the narrowest range needs, and one more where
    the printed difference of the two largest would not be that of the printed shares.
    """
    if question.design is None:
        return 0
    choices = [question.choices[1]] if question.is_yes_no else question.choices
    drawn = [each.interval for each in choices if each.interval and not question.withholds(each)]
    digits = max((digits_in_view(high - low) for low, high in drawn), default=0)
    if question.is_yes_no or len(first := ranked(question)[:2]) < 2:
        return digits
    one, two = (100 * possible(question.choices[code].estimate or 0) for code in first)
    apart = round(one, digits) - round(two, digits)
    return digits if round(apart, digits) == round(one - two, digits) else max(digits, 1)
