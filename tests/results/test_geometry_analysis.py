"""A long list in analyses: one of its choices against all others, and what is refused with its reason."""

import numpy as np
import pytest

from mechanisms import Tally
from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument
from surveys.results.analysis.cells import cells
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.disclosure.access import ReaderView, view_for_reader
from tests.definition.test_geometry import asked
from tests.factories.responses import add_responses

pytestmark = [pytest.mark.django_db, pytest.mark.once]
N = 6000


@pytest.fixture
def seen() -> ReaderView:
    """Of the first group 80 of 100 live in place 7, of the second nobody."""
    instrument = asked(tuple(f"Place {number}" for number in range(300)))
    rng = np.random.default_rng(3)
    region = rng.integers(2, size=N)
    place = np.where((region == 0) & (rng.random(N) < 0.8), 7, rng.integers(300, size=N))
    add_responses(instrument, N, region=region, place=place)
    return view_for_reader(Instrument.objects.get(pk=instrument.pk), has_rows=True)


def test_reports_of_a_choice_are_counted_alike_in_rows_and_in_counts(seen: ReaderView) -> None:
    item = parse_instrument(seen.instrument).items[0]
    part, tally = SurveyVariable(item, 7), seen.instrument.tally
    counted = part.counted(tally["counts"]["place"], N)
    in_rows = cells(seen, [part])
    assert dict(zip(in_rows.of(part).tolist(), in_rows.counts.tolist(), strict=True)) == dict(
        enumerate(counted)
    )
    assert counted[1] == item.mechanism.support_counts(Tally(N, tally["counts"]["place"]))[7]
