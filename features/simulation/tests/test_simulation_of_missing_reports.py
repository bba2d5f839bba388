"""A simulation of a survey whose reports may be missing has all of them."""

import math

import pytest

from features.simulation.simulation import rehearse
from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument
from tests.factories.import_surveys import create_import_survey
from tests.factories.many_responses import add_invented_responses

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def filled() -> Instrument:
    """tax, fruit (strings), region and age of 2,000, of which a fifth of the reports are missing."""
    instrument = Instrument.objects.get(survey=create_import_survey())
    add_invented_responses(instrument, 2000, missing=0.2)
    return instrument


def test_a_rehearsal_of_such_a_survey_has_all_reports(filled: Instrument) -> None:
    frozen = parse_instrument(filled)
    shares = {item.key: [1 / item.size] * item.size for item in frozen.items}
    found = rehearse(frozen, shares, 500, seed=1).report
    assert [question.n for question in found.questions] == [500] * 4
    assert not any(
        math.isnan(choice.estimate) for question in found.questions for choice in question.choices
    )
