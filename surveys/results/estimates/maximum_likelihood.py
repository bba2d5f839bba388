"""The likeliest possible shares of a closed survey, from whole reports; computed once, by “manage.py seal”.

Where a report is a string of bits, how often each bit is set tells less than the reports themselves. To ask these takes
too long for a page. So it is done after the release of a closing, and kept beside the tally together with the number of
responses that it is about: where that is not the tally's, the report shows Norm-Sub, and says so.
"""

from time import monotonic

import numpy as np
from django.db.models import Q

from mechanisms import ConvergenceError
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses import released
from surveys.fieldwork.responses.records import present_reports
from surveys.models import Instrument, Survey
from surveys.results.estimates.repeats import has_long_reports
from surveys.site import clock

NAME = "maximum likelihood of whole reports"
MOST_REPORTS = 1_000_000  # of a survey; with 100 answers they are 13 MB, and some 80 MB more while they are searched
MOST_WORK = (
    2 * 10**9
)  # for one question: distinct reports, times answers, times steps; about a minute
PATIENCE = (
    60  # seconds of one run after which no further survey is begun: sealing must not wait for long
)


def stored_shares(instrument: Instrument, n: int) -> dict[str, list[float]]:
    """Return the stored maximum-likelihood shares if they are of exactly n responses.

    As the instrument was read: shares of an earlier number are none, whenever that was.
    """
    return instrument.likeliest["shares"] if instrument.likeliest.get("n") == n else {}


def compute_due() -> None:
    """For closed surveys whose report has other responses than at the last time, as far as time allows."""
    closed = Q(survey__status=Survey.Status.CLOSED) | Q(survey__closes__lte=clock.now())
    numbers = Instrument.objects.filter(closed, deleted_on=None).values_list(
        "pk", "tally__n", "likeliest__n"
    )
    started = monotonic()
    for pk in [pk for pk, n, last in numbers if n and n != last]:
        if monotonic() - started > PATIENCE:
            return  # the next run goes on
        if instrument := Instrument.objects.filter(pk=pk).first():  # it may be destroyed meanwhile
            store_likelihood_shares(instrument)


def store_likelihood_shares(instrument: Instrument) -> None:
    """Compute and store the maximum-likelihood shares of all questions.

    Nobody waits for this. The responses are read in one statement for each question, and nothing is
    locked.
    """
    n = instrument.tally["n"]
    shares = {}
    for item in _questions(parse_instrument(instrument)) if n <= MOST_REPORTS else ():
        frozen, batches, read = parse_instrument(instrument), [], 0
        for rows in released.iter_batches(instrument):
            batches.append(present_reports(frozen, rows, item.key))
            read += len(rows)
        if read != n:
            return  # more were released meanwhile, or it is being destroyed
        found = _likeliest(item, np.concatenate(batches))
        if found is not None:
            shares[item.key] = found
    Instrument.objects.filter(pk=instrument.pk).update(likeliest={"n": n, "shares": shares})


def _questions(frozen: SurveyDefinition) -> list[QuestionDefinition]:
    return [item for item in frozen.items if has_long_reports(item)]


def _likeliest(item: QuestionDefinition, reports: np.ndarray) -> list[float] | None:
    """None where the search takes more work than allowed, or no shares make reports like these possible."""
    try:
        return item.mechanism.maximum_likelihood_packed(reports, MOST_WORK).tolist()
    except (ConvergenceError, ValueError):
        return None
