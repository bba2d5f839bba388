"""Reports of surveys in which each person was asked only some questions: every number is of those who were asked."""

import csv
import io
import json

import numpy as np
import pytest
from django.test import Client

from surveys.authoring.drafts import question_subset
from surveys.definition.parsing import parse_instrument
from surveys.export import decoded
from surveys.export.codebook import as_markdown, codebook
from surveys.fieldwork.responses.records import count_responses, decode, has_report
from surveys.models import Batch, Instrument, Membership
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import Group
from surveys.results.estimates.report import report
from surveys.results.report.data_quality import inspect
from surveys.results.report.figures import source
from surveys.results.report.lines import shares_csv
from surveys.results.report.methods import methods
from surveys.results.report.quality import LOT, LOT_BY_GROUP, Verdict
from tests.factories import surveys
from tests.factories.many_responses import add_invented_responses
from tests.helpers.exports import csv_of
from tests.helpers.report_api import report_json

pytestmark = [pytest.mark.django_db, pytest.mark.once]
LOTTERY = ["tax", "work", "fruit"]


def asking(count: int = 1) -> Instrument:
    """tax, work (Warner), fruit (unary): `count` of these three are asked of each person; region of everybody."""
    survey = surveys.create_draft(surveys.create_researcher())
    surveys.add_yes_no(survey)
    surveys.add_yes_no(survey, "work")
    surveys.add_choice(survey)
    surveys.add_background(survey)
    question_subset.set_draw(survey=survey, count=count, of=LOTTERY)
    return surveys.publish_survey(survey)


@pytest.fixture
def filled() -> Instrument:
    instrument = asking()
    add_invented_responses(instrument, 3000)
    return Instrument.objects.get()


def rows_of(instrument: Instrument) -> np.ndarray:
    return np.concatenate(list(decoded(instrument)))


def test_every_share_is_of_those_who_were_asked(filled: Instrument) -> None:
    found, rows, frozen = (
        report(filled, seen=ReaderView(filled)),
        rows_of(filled),
        parse_instrument(filled),
    )
    assert found.n == 3000
    for question in found.questions:
        asked = int(has_report(frozen, rows, question.key).sum())
        assert question.n == asked
        assert question.drawn == (question.key in LOTTERY)
    assert sum(question.n for question in found.questions if question.drawn) == 3000
    assert found.questions[3].n == 3000
    yes = found.questions[0].choices[1]
    counted = rows["tax"][has_report(frozen, rows, "tax")].mean()
    assert yes.observed == pytest.approx(counted)
    assert yes.standard_error == pytest.approx(
        np.sqrt(counted * (1 - counted) / found.questions[0].n) / 0.5
    )


def test_a_group_has_its_own_numbers(filled: Instrument) -> None:
    found, rows, frozen = (
        report(filled, seen=ReaderView(filled), group=Group((("region", (0,)),))),
        rows_of(filled),
        parse_instrument(filled),
    )
    north = rows["region"] == 0
    assert found.n == north.sum()
    assert found.questions[0].n == (north & has_report(frozen, rows, "tax")).sum()


def test_words_say_by_lot_and_never_missing(filled: Instrument) -> None:
    found, frozen = report(filled, seen=ReaderView(filled)), parse_instrument(filled)
    text = str(methods(frozen, found))
    assert "asked 1 of 3 sensitive questions, picked uniformly" in text
    for question in found.questions[:3]:
        assert f"n = {question.n:,} for {question.key}" in text
    assert "missing completely at random" not in text
    assert (
        "Each respondent was asked 1 of 3 sensitive questions, drawn uniformly on the device."
        in text
    )
    assert (
        f"{3000 - found.questions[0].n:,} responses did not get the question, by chance"
    ) in source(found, found.questions[0])
    told = report_json(found)
    assert told["draw"] == {"count": 1, "of": LOTTERY}
    assert [each["n"] for each in told["questions"]] == [question.n for question in found.questions]
    lines = list(csv.DictReader(io.StringIO(shares_csv(found))))
    assert {line["variable"]: int(line["n"]) for line in lines} == {
        each.key: each.n for each in found.questions
    }


def test_the_page_says_n_of_each_question(filled: Instrument, client: Client) -> None:
    client.force_login(filled.survey.owner)
    page = client.get(f"/surveys/{filled.survey.slug}/report/?everything=yes").content.decode()
    n = report(filled, seen=ReaderView(filled)).questions[0].n
    assert (
        f"n = {n:,} of 3,000. Each person got 1 of the 3 sensitive questions, picked by their device."
        in page
    )
    assert f"Shares of the {n:,} respondents who got this question" in page
    assert "no answer to this question" not in page
    assert page.count(f"· {n:,} responses") == 2  # at a glance, and over the result


def test_rows_leave_with_blanks_and_the_codebook_says_why(filled: Instrument) -> None:
    lines = list(csv.reader(io.StringIO(csv_of(filled))))
    marks = [f"fruit_{place}" for place in range(1, len(lines[0]) - 2)]
    assert lines[0] == ["tax", "work", *marks, "region"]
    for tax, work, *fruit, region in lines[1:]:
        assert len(set(map(bool, fruit))) == 1
        assert [tax, work, fruit[0]].count("") == 2
        assert region
    book = codebook(parse_instrument(filled), filled.tally)
    assert book["draw"] == {"count": 1, "of": LOTTERY}
    assert book["variables"][0]["missing"].startswith(
        "an empty cell, or null: not asked; each respondent got 1 of"
    )
    assert book["variables"][0]["n"] == report(filled, seen=ReaderView(filled)).questions[0].n
    assert "missing" not in book["variables"][3]
    assert "picked at random" in as_markdown(parse_instrument(filled), filled.tally)
    assert book["epsilon"] == parse_instrument(filled).epsilon


def test_a_survey_without_a_lot_has_none_of_these_words() -> None:
    instrument = surveys.create_published()
    add_invented_responses(instrument, 100)
    found, frozen = report(instrument, seen=ReaderView(instrument)), parse_instrument(instrument)
    said = (
        str(methods(frozen, found))
        + as_markdown(frozen, instrument.tally)
        + json.dumps(codebook(frozen))
    )
    assert "lot" not in said.replace("plot", "")
    assert not {LOT, LOT_BY_GROUP} & {check.name for check in inspect(instrument, rows=True)}


# --- Quality: whether people were asked what the lot says.


def replace(instrument: Instrument, change: object) -> Instrument:
    """The same responses with some of them taken out."""
    frozen, batch = parse_instrument(instrument), Batch.objects.get()
    rows = decode(frozen, bytes(batch.records))
    kept = rows[change(frozen, rows)]
    Batch.objects.all().delete()
    Batch.objects.create(instrument=instrument, n=len(kept), records=kept.tobytes())
    instrument.tally = count_responses(frozen, kept)
    instrument.save()
    return Instrument.objects.get()


def checks(instrument: Instrument, name: str) -> dict[str, Verdict]:
    return {
        check.key: check.verdict for check in inspect(instrument, rows=True) if check.name == name
    }


def test_an_honest_lot_is_not_contradicted(filled: Instrument) -> None:
    assert checks(filled, LOT) == dict.fromkeys(LOTTERY, Verdict.FINE)
    assert checks(filled, LOT_BY_GROUP) == dict.fromkeys(LOTTERY, Verdict.FINE)


def test_people_who_avoid_a_question_are_seen(filled: Instrument) -> None:
    """Every second one that was to be asked tax has begun anew."""
    avoided = replace(
        filled,
        lambda frozen, rows: ~has_report(frozen, rows, "tax") | (np.arange(len(rows)) % 2 == 0),
    )
    assert checks(avoided, LOT)["tax"] == Verdict.IMPOSSIBLE
    (alarm,) = [check for check in inspect(avoided) if check.key == "tax" and check.name == LOT]
    assert "private windows" in alarm.advice


def test_people_of_one_group_who_avoid_a_question_are_seen(filled: Instrument) -> None:
    """In the South tax is avoided, in the North it is sought: as often as the lot says, over all."""

    def swapped(frozen: object, rows: np.ndarray) -> np.ndarray:
        asked, south, other = (
            has_report(frozen, rows, "tax"),
            rows["region"] == 1,
            np.arange(len(rows)) % 2 == 0,
        )
        few = asked & south & other
        spared = np.flatnonzero(~asked & ~south)[: 2 * few.sum()]
        return ~few & ~np.isin(np.arange(len(rows)), spared)

    found = replace(filled, swapped)
    assert checks(found, LOT)["tax"] in (Verdict.FINE, Verdict.SUSPICIOUS)
    assert checks(found, LOT_BY_GROUP)["tax"] == Verdict.IMPOSSIBLE


def test_groups_are_looked_at_only_for_those_with_the_right_to_rows(
    filled: Instrument, client: Client
) -> None:
    address = f"/surveys/{filled.survey.slug}/report/quality"
    analyst = surveys.create_researcher("bob")
    Membership.objects.create(survey=filled.survey, user=analyst, role="analyst")
    for user, sees in ((filled.survey.owner, True), (analyst, False)):
        client.force_login(user)
        for part in ("/", ".csv"):
            text = client.get(address + part).content.decode()
            assert LOT in text
            assert (LOT_BY_GROUP in text) == sees
        told = client.get(f"/api/v1/surveys/{filled.survey.slug}/report/quality/").json()["checks"]
        assert (LOT_BY_GROUP in {check["name"] for check in told}) == sees


# --- Rehearsals, and files.
