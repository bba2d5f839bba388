"""Candidates of a question with written answers whose design is RAPPOR."""

import csv
from io import StringIO

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client

from features.text_candidates import candidate_rounds
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.records import record_dtype
from surveys.fieldwork.responses.release import add_to_report
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
    assert "“Crack” cannot be told apart from texts that are not on the list." in page
    assert "p&nbsp;&lt;&nbsp;0.000001" in page or "p\u00a0&lt;\u00a00.000001" in page
    given = client.get(f"/api/v1/surveys/{survey.slug}/report/drug/candidates/").json()["rounds"][0]
    assert given["candidates"][0]["significance"] == counted.rows[0].significance
    assert given["refused"] == ""
    table = client.get(f"/surveys/{survey.slug}/report/drug/candidates.csv").content.decode()
    assert table.splitlines()[0].endswith("found,significance,possible,point,note")


def test_text_with_bits_of_a_frequent_unlisted_text_has_neither_number_nor_range(
    client: Client, survey: Survey, instrument: Instrument
) -> None:
    """Everybody writes one text, with which the candidate “text 47” shares bits by chance."""
    frozen = parse_instrument(instrument)
    rows = np.zeros(10_000, record_dtype(frozen))
    mechanism = frozen.items[0].mechanism
    rows["drug"] = mechanism.randomize_stored(["unlisted 3"] * len(rows), 1)
    add_to_report(instrument, rows.tobytes())
    candidate_rounds.create_round(instrument, "drug", [f"text {number}" for number in range(100)])

    result = candidate_rounds.round_results(instrument, "drug")[1]
    page = client.get(f"/surveys/{survey.slug}/report/drug/candidates/").content.decode()
    address = f"/api/v1/surveys/{survey.slug}/report/drug/candidates/"
    sent = client.get(address).json()["rounds"][1]["candidates"][0]
    table = client.get(f"/surveys/{survey.slug}/report/drug/candidates.csv").content.decode()

    row = result.rows[0]
    assert row.text == "text 47"
    # Its interval alone would say that somebody wrote the text.
    assert row.interval[0] > 0
    assert row.significance > result.level / 200
    assert not row.is_found
    assert result.told == []
    cells = page.partition(">text 47</th>")[2].partition("</tr>")[0]
    assert "“text 47” cannot be told apart from texts that are not on the list." in cells
    assert "%" not in cells
    assert (sent["text"], sent["found"], sent["significance"]) == (
        "text 47",
        False,
        row.significance,
    )
    (line,) = [row for row in csv.DictReader(StringIO(table)) if row["candidate"] == "text 47"]
    assert (line["found"], float(line["significance"])) == ("no", row.significance)


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
