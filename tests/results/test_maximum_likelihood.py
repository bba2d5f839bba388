"""The possible shares of a closed survey come from whole reports, computed once by “manage.py seal”."""

import io
import json
import zipfile

import numpy as np
import pytest
from django.core.management import call_command
from django.test import Client

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses import released
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.models import Instrument
from surveys.results.estimates import maximum_likelihood
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import report
from tests.factories.inbox import run_next_timer
from tests.factories.responses import add_responses, release_reports
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    publish_survey,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]
LABELS = [f"Choice {number}" for number in range(8)]
NAME = "maximum likelihood of whole reports"


@pytest.fixture
def made() -> Instrument:
    """400 responses; the last four choices of each question are nobody's."""
    survey = create_draft()
    add_yes_no(survey)
    add_choice(survey, "bits", LABELS, parameters={"p": "2/3", "q": "1/3"})
    add_choice(survey, "sets", LABELS, design="subset", parameters={"epsilon": "1"})
    add_choice(survey, "boxes", LABELS, kind="any", design="unary-any", parameters={"epsilon": "4"})
    add_background(survey)
    instrument = publish_survey(survey)
    rng = np.random.default_rng(5)
    truths = {key: rng.integers(4, size=400) for key in ("bits", "sets")}
    add_responses(instrument, 400, boxes=rng.integers(0, 2, (400, 8)), **truths)
    return instrument


def close(instrument: Instrument) -> None:
    close_survey(Instrument.objects.get(pk=instrument.pk).survey)


def questions(instrument: Instrument) -> dict[str, QuestionReport]:
    return {
        question.key: question
        for question in report(Instrument.objects.get(pk=instrument.pk)).questions
    }


def ways(instrument: Instrument) -> dict[str, str | None]:
    return {key: question.constrained_by for key, question in questions(instrument).items()}


BY_COUNTS = {
    "tax": "maximum likelihood",
    "bits": "Norm-Sub",
    "sets": "Norm-Sub",
    "boxes": "clipping to [0, 1]",
    "region": None,
}


def test_from_the_closing_on_they_are_the_librarys_and_named(made: Instrument) -> None:
    run_next_timer()
    assert ways(made) == BY_COUNTS  # it is open
    close(made)
    assert ways(made) == BY_COUNTS  # nothing is computed yet
    run_next_timer()
    assert ways(made) == BY_COUNTS | {"bits": NAME, "sets": NAME}
    for item in parse_instrument(made).items[1:3]:
        rows = np.concatenate([each[item.key] for each in released.iter_batches(made)])
        expected = item.mechanism.maximum_likelihood_packed(rows)
        shown = questions(made)[item.key]
        assert [each.constrained for each in shown.choices] == expected.tolist()
        assert expected.sum() == pytest.approx(1)
        by_counts = shown.basis.constrained
        assert not np.allclose(expected, by_counts, atol=1e-4)
        assert [each.estimate for each in shown.choices] == shown.basis.proportions.tolist()


def test_it_is_computed_once(made: Instrument, monkeypatch) -> None:
    close(made)
    run_next_timer()
    searched = []
    monkeypatch.setattr(maximum_likelihood, "store_likelihood_shares", searched.append)
    run_next_timer()
    assert searched == []


def test_what_has_grown_is_not_described_by_what_was(made: Instrument) -> None:
    close(made)
    run_next_timer()
    reopen_survey(Instrument.objects.get(pk=made.pk).survey)
    add_responses(made, 40, seed=9, boxes=np.zeros((40, 8), dtype=int))
    assert ways(made) == BY_COUNTS
    run_next_timer()
    assert ways(made) == BY_COUNTS  # it is open again
    close(made)
    run_next_timer()
    assert ways(made)["bits"] == NAME
    assert Instrument.objects.get(pk=made.pk).likeliest["n"] == 440


def test_a_group_of_a_closed_survey_has_norm_sub(made: Instrument, client: Client) -> None:
    close(made)
    run_next_timer()
    client.force_login(made.survey.owner)
    address = f"/api/v1/surveys/{made.survey.slug}/report/"
    shown = {
        each["key"]: each["constrained_by"] for each in client.get(address).json()["questions"]
    }
    of_group = {
        each["key"]: each["constrained_by"]
        for each in client.get(f"{address}?where=region:0").json()["questions"]
    }
    assert (shown["bits"], of_group["bits"]) == (NAME, "Norm-Sub")


def test_page_methods_table_and_bundle_name_it(made: Instrument, client: Client) -> None:
    close(made)
    client.force_login(made.survey.owner)
    slug = made.survey.slug
    before = client.get(f"/api/v1/surveys/{slug}/report/")["ETag"]
    run_next_timer()
    assert client.get(f"/api/v1/surveys/{slug}/report/")["ETag"] != before
    assert (
        f"Adjusted ({NAME})"
        in client.get(f"/surveys/{slug}/report/?everything=yes").content.decode()
    )
    methods = client.get(f"/surveys/{slug}/report/methods.txt").content.decode()
    assert "Dempster, A. P., Laird, N. M., & Rubin, D. B. (1977)" in methods
    assert "estimation with consistency" not in methods
    assert f",{NAME}," in client.get(f"/surveys/{slug}/report/shares.csv").content.decode()
    bundle = b"".join(client.get(f"/surveys/{slug}/export/everything.zip").streaming_content)
    saved = json.loads(zipfile.ZipFile(io.BytesIO(bundle)).read("report.json"))
    assert saved["questions"][1]["constrained_by"] == NAME
    assert saved["questions"] == client.get(f"/api/v1/surveys/{slug}/report/").json()["questions"]


@pytest.mark.parametrize(("limit", "value"), [("MOST_REPORTS", 399), ("MOST_WORK", 100)])
def test_beyond_its_limits_norm_sub_stays_and_nothing_is_tried_again(
    made: Instrument, monkeypatch, limit: str, value: int
) -> None:
    monkeypatch.setattr(maximum_likelihood, limit, value)
    close(made)
    run_next_timer()
    assert ways(made) == BY_COUNTS
    assert Instrument.objects.get(pk=made.pk).likeliest == {"n": 400, "shares": {}}


def test_a_run_begins_no_further_survey_once_its_time_is_over(
    made: Instrument, monkeypatch
) -> None:
    survey = create_draft(made.survey.owner)
    add_choice(survey, "bits")
    other = publish_survey(survey)
    release_reports(other, [{"bits": "0101"}] * 30)
    for each in (made, other):
        close(each)
    monkeypatch.setattr(maximum_likelihood, "PATIENCE", -1)
    call_command("seal")
    assert not any(each.likeliest for each in Instrument.objects.all())
    monkeypatch.undo()
    call_command("seal")
    assert all(each.likeliest for each in Instrument.objects.all())


def test_a_survey_that_is_being_destroyed_is_passed_over(made: Instrument) -> None:
    close(made)
    made.batches.all().delete()
    run_next_timer()
    assert Instrument.objects.get(pk=made.pk).likeliest == {}
