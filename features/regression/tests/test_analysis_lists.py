"""A long list in a model and in a table: one of its choices against all others, and what is refused."""

import numpy as np
import pytest

from features.regression.forms import outcomes
from features.regression.model.model import model
from features.regression.table.counts import cross_tabulate, offered
from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument
from surveys.results.analysis import selection
from surveys.results.analysis.groups.groups import compare_by_address
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.analysis.refusals import TooMuch
from surveys.results.disclosure.access import ReaderView, view_for_reader
from tests.definition.test_geometry import asked
from tests.factories.responses import add_responses
from tests.results.test_geometry_analysis import N

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def seen() -> ReaderView:
    """Of the first group 80 of 100 live in place 7, of the second nobody."""
    instrument = asked(tuple(f"Place {number}" for number in range(300)))
    rng = np.random.default_rng(3)
    region = rng.integers(2, size=N)
    place = np.where((region == 0) & (rng.random(N) < 0.8), 7, rng.integers(300, size=N))
    add_responses(instrument, N, region=region, place=place)
    return view_for_reader(Instrument.objects.get(pk=instrument.pk), has_rows=True)


def test_one_choice_is_explained_compared_and_crossed(seen: ReaderView) -> None:
    compared = compare_by_address(seen, "region", "place:7")
    assert [group.statement.estimate for group in compared.groups] == pytest.approx(
        [0.8, 0.0], abs=0.12
    )
    assert compared.test.p_value < 1e-6
    found = model(seen, "place:7", ["region"], kind="shares")
    differences = [each.difference for each in found.comparisons if each.difference is not None]
    assert [abs(each) for each in differences] == [pytest.approx(0.8, abs=0.2)]
    item = parse_instrument(seen.instrument).items[0]
    table = cross_tabulate(seen, SurveyVariable(seen.definition.items[1]), SurveyVariable(item, 7))
    assert table.table.n == N


def test_only_choices_that_were_found_are_offered(seen: ReaderView) -> None:
    item = seen.definition.items[0]
    assert selection.answer_options(seen, item) == [("place:7", "Place 7")]
    assert outcomes(seen)[0] == ("Where?", [("place:7", "Where?: Place 7")])
    assert ("place", "Where?") not in offered(seen)


def test_the_whole_list_at_once_is_refused(seen: ReaderView) -> None:
    with pytest.raises(TooMuch, match="Choose one answer"):
        model(seen, "place", ["region"])
    with pytest.raises(TooMuch):
        cross_tabulate(
            seen, SurveyVariable(seen.definition.items[1]), SurveyVariable(seen.definition.items[0])
        )
