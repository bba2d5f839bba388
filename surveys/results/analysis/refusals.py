"""The reasons why an analysis is not made, in words. A wrong field of the request is `Invalid`."""

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, comb, prod

from django.conf import settings

from mechanisms.designs.wire import PickedOptions
from surveys.definition.response_format import QuestionSubset
from surveys.results.analysis.outcome import SurveyVariable
from surveys.site.number_format import count_of, format_count

# The least number of people in an analysis.
LEAST = 100


class TooFew(ValueError):
    """Raised if too few people answered; the message says how many did, and how many have to."""


class TooMuch(ValueError):
    """Raised for too many combinations of answers; the message says what makes fewer."""


def expected_share_answered(
    draw: QuestionSubset | None, parts: Iterable[SurveyVariable]
) -> Fraction:
    """Return the expected share of the responses that have a report to all of these variables.

    It is below 1 if devices pick some of several questions, or the options that they report on.

    draw: the questions of which each device picks some, or None.
    """
    variables = list(parts)
    share = prod(_picked_shares(variables), start=Fraction(1))
    if draw is None:
        return share
    keys = {variable.item.key for variable in variables}
    n_needed = len(keys & set(draw.of))
    if n_needed == 0:
        return share
    if n_needed > draw.count:
        return Fraction(0)
    # Of all sets of questions that a device can pick, those with the questions that are needed.
    n_questions = len(draw.of)
    n_sets = comb(n_questions - n_needed, draw.count - n_needed)
    return share * Fraction(n_sets, comb(n_questions, draw.count))


def _picked_shares(variables: Iterable[SurveyVariable]) -> list[Fraction]:
    """Return the share of devices that pick each single answer, of designs that pick options."""
    formats = {}
    for variable in variables:
        report_format = variable.item.report_format
        if variable.choice is not None and isinstance(report_format, PickedOptions):
            formats[variable.name] = report_format
    return [Fraction(report_format.pick, report_format.size) for report_format in formats.values()]


def require_enough(n: int, people: int = 0, of: Fraction = Fraction(1)) -> int:
    """Return n if it is enough for a statement. Raises TooFew.

    people, of: as of `subset_hint`.
    """
    if n >= minimum_people():
        return n
    answered = count_of(n, "person has", "people have")
    raise TooFew(
        f"{answered} answered these questions. This needs {format_count(minimum_people())} or more."
        + subset_hint(people, of)
    )


def enough_for_a_model(n: int, left_out: int, of: Fraction = Fraction(1)) -> None:
    """Raise TooFew if n people are too few for a model.

    left_out: the number of people without an answer to one of its questions.
    of: as of `subset_hint`.
    """
    if n >= minimum_people():
        return
    answered = count_of(n, "person has", "people have")
    message = f"{answered} answered all of these questions."
    if left_out:
        more = count_of(left_out, "more has", "more have")
        message += f" {more} no answer to one of them."
    message += f" A model needs {format_count(minimum_people())} or more."
    raise TooFew(message + subset_hint(n + left_out, of))


def subset_hint(people: int, of: Fraction) -> str:
    """Return how many of `people` get the questions, and how many people would be enough.

    It is "" if all people get the questions.

    of: the expected share of the people who get them.
    """
    if of == 1:
        return ""
    if not of:
        return " Choose fewer questions. No one gets all of these."
    people_asked = format_count(round(people * of))
    people_needed = format_count(ceil(minimum_people() / of))
    return (
        f" About {people_asked} of {format_count(people)} people get these questions. For "
        f"{format_count(minimum_people())} you need about {people_needed}."
    )


def minimum_people() -> int:
    """Return the number of people that an analysis needs."""
    return max(LEAST, settings.FEW_RESPONSES)
