"""Candidates of a question with written answers whose design is RAPPOR."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from features.text_candidates import candidate_rounds
from surveys.models import Instrument, Survey
from surveys.site.errors import Invalid
from tests.definition.test_rappor import LETTERS
from tests.definition.test_written import DRUGS, answer
from tests.factories import surveys
from tests.factories.surveys import publish_survey

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(ada: User) -> Survey:
    survey = surveys.create_draft(ada, title="Drugs")
    surveys.add_text_question(survey, candidates=DRUGS, design="rappor", parameters=LETTERS)
    return survey


@pytest.fixture
def instrument(survey: Survey) -> Instrument:
    return publish_survey(survey)


def test_candidates_are_found_with_their_significance(
    client: Client, survey: Survey, instrument: Instrument
) -> None:
    answer(instrument)
    (counted,) = candidate_rounds.round_results(instrument, "drug")
    assert [row.text for row in counted.told] == ["Heroin", "Cocaine"]
    assert [row.share for row in counted.rows] == pytest.approx((0.3, 0.2, 0.0), abs=0.06)
    assert counted.rows[0].significance < 1e-6 < counted.rows[2].significance
    assert all(0 <= row.possible <= 1 for row in counted.rows)
    page = client.get(f"/surveys/{survey.slug}/report/drug/candidates/").content.decode()
    assert "2 of 3 candidates clearly above 0" in page
    assert "p&nbsp;&lt;&nbsp;0.000001" in page or "p\u00a0&lt;\u00a00.000001" in page
    given = client.get(f"/api/v1/surveys/{survey.slug}/report/drug/candidates/").json()["rounds"][0]
    assert given["candidates"][0]["significance"] == counted.rows[0].significance
    assert given["refused"] == ""
    table = client.get(f"/surveys/{survey.slug}/report/drug/candidates.csv").content.decode()
    assert table.splitlines()[0].endswith("found,significance,possible,point,note")


def test_candidates_that_no_reports_can_tell_apart_are_refused(instrument: Instrument) -> None:
    with pytest.raises(Invalid, match="2001 candidates cannot be told apart"):
        candidate_rounds.create_round(
            instrument, "drug", [f"text {number}" for number in range(2_001)]
        )
    answer(instrument, 10)  # of some cohorts nobody is there yet
    candidate_rounds.create_round(instrument, "drug", [f"text {number}" for number in range(1_999)])
    late = candidate_rounds.round_results(instrument, "drug")[-1]
    assert late.found is None
    assert "cannot be told apart" in late.refused
