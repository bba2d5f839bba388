"""Why an analysis is not made, in words for whoever asked for it. What is wrong with one field is `Invalid`."""

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, comb, prod

from django.conf import settings

from mechanisms.designs.wire import PickedOptions
from surveys.definition.response_format import QuestionSubset
from surveys.results.analysis.outcome import SurveyVariable
from surveys.site.number_format import count_of, format_count

LEAST = 100  # people in an analysis


class TooFew(ValueError):
    """Too few people for a statement; the message says how many there are and how many there have to be."""


class TooMuch(ValueError):
    """More combinations of answers than can be looked at together; the message says what makes fewer."""


def expected_share_answered(
    draw: QuestionSubset | None, parts: Iterable[SurveyVariable]
) -> Fraction:
    """Of all responses those that have a report to all of these, about: not all where a lot asks some of several
    questions, or devices pick what their marks speak of.
    """
    parts = list(parts)
    drawn = {part.item.key for part in parts if draw and part.item.key in draw.of}
    picked = {part.name: part.item for part in parts if part.choice is not None}.values()
    marks = prod(
        (
            _picked(item.report_format)
            for item in picked
            if isinstance(item.report_format, PickedOptions)
        ),
        start=Fraction(1),
    )
    if not drawn:
        return marks
    asked, of = draw.count, len(draw.of)
    return marks * Fraction(
        comb(of - len(drawn), asked - len(drawn)) if len(drawn) <= asked else 0, comb(of, asked)
    )


def _picked(wire: PickedOptions) -> Fraction:
    return Fraction(wire.pick, wire.size)


def require_enough(n: int, people: int = 0, of: Fraction = Fraction(1)) -> int:
    """Return n if it is enough for a statement. Raises TooFew."""
    if n < minimum_people():
        raise TooFew(
            (
                f"{count_of(n, 'person has', 'people have')} answered these questions. This "
                f"needs {format_count(minimum_people())} or more."
            )
            + subset_hint(people, of)
        )
    return n


def enough_for_a_model(n: int, left_out: int, of: Fraction = Fraction(1)) -> None:
    """TooFew where a model of n people would say nothing. left_out: those without an answer to one of its questions."""
    if n >= minimum_people():
        return
    answered = f"{count_of(n, 'person has', 'people have')} answered all of these questions."
    rest = (
        f" {count_of(left_out, 'more has', 'more have')} no answer to one of them."
        if left_out
        else ""
    )
    raise TooFew(
        f"{answered}{rest} A model needs {format_count(minimum_people())} or more."
        + subset_hint(n + left_out, of)
    )


def subset_hint(people: int, of: Fraction) -> str:
    """Return how many of `people` get the questions, and how many people would be enough; empty if
    all get them.
    """
    if of == 1:
        return ""
    if not of:
        return " Choose fewer questions. No one gets all of these."
    return (
        f" About {format_count(round(people * of))} of {format_count(people)} people "
        f"get these questions. For {format_count(minimum_people())} you "
        f"need about {format_count(ceil(minimum_people() / of))}."
    )


def minimum_people() -> int:
    """Return the number of people that an analysis needs."""
    return max(LEAST, settings.FEW_RESPONSES)
