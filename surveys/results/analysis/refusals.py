"""Why an analysis is not made, in words for whoever asked for it. What is wrong with one field is `Invalid`."""

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, comb, prod

from django.conf import settings

from mechanisms.designs.wire import Picked
from surveys.definition.response_format import Draw
from surveys.results.analysis.outcome import Part
from surveys.site.number_format import count, count_of

LEAST = 100  # people in an analysis


class TooFew(ValueError):
    """Too few people for a statement; the message says how many there are and how many there have to be."""


class TooMuch(ValueError):
    """More combinations of answers than can be looked at together; the message says what makes fewer."""


def part_asked(draw: Draw | None, parts: Iterable[Part]) -> Fraction:
    """Of all responses those that have a report to all of these, about: not all where a lot asks some of several
    questions, or devices pick what their marks speak of.
    """
    parts = list(parts)
    drawn = {part.item.key for part in parts if draw and part.item.key in draw.of}
    picked = {part.name: part.item for part in parts if part.choice is not None}.values()
    marks = prod(
        (_picked(item.wire) for item in picked if isinstance(item.wire, Picked)), start=Fraction(1)
    )
    if not drawn:
        return marks
    asked, of = draw.count, len(draw.of)
    return marks * Fraction(
        comb(of - len(drawn), asked - len(drawn)) if len(drawn) <= asked else 0, comb(of, asked)
    )


def _picked(wire: Picked) -> Fraction:
    return Fraction(wire.pick, wire.size)


def enough(n: int, people: int = 0, of: Fraction = Fraction(1)) -> int:
    """n, if it is enough for a statement. people: responses that there are; of: `part_asked`. Raises TooFew."""
    if n < least():
        raise TooFew(
            f"{count_of(n, 'person has', 'people have')} answered these questions. This needs {count(least())} or more."
            + expected(people, of)
        )
    return n


def enough_for_a_model(n: int, left_out: int, of: Fraction = Fraction(1)) -> None:
    """TooFew where a model of n people would say nothing. left_out: those without an answer to one of its questions."""
    if n >= least():
        return
    answered = f"{count_of(n, 'person has', 'people have')} answered all of these questions."
    rest = (
        f" {count_of(left_out, 'more has', 'more have')} no answer to one of them."
        if left_out
        else ""
    )
    raise TooFew(
        f"{answered}{rest} A model needs {count(least())} or more." + expected(n + left_out, of)
    )


def expected(people: int, of: Fraction) -> str:
    """How many of so many people are asked by lot, and of how many enough are; empty where all are asked."""
    if of == 1:
        return ""
    if not of:
        return " Choose fewer questions. No one gets all of these."
    return (
        f" About {count(round(people * of))} of {count(people)} people get these questions. For {count(least())} you "
        f"need about {count(ceil(least() / of))}."
    )


def least() -> int:
    """People that an analysis takes."""
    return max(LEAST, settings.FEW_RESPONSES)
