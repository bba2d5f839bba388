"""Candidates of a question with written answers: in rounds, counted over what was released."""

import json

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from features.text_candidates import candidate_rounds
from surveys.fieldwork.lifecycle import lock_questions
from surveys.models import Event, Instrument, Membership, Role, Round, Survey
from surveys.site.errors import Invalid, Refused
from tests.definition.test_written import DRUGS, SHARES, answer
from tests.factories import surveys
from tests.factories.surveys import publish_survey

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey(ada: User) -> Survey:
    survey = surveys.create_draft(ada, title="Drugs")
    surveys.add_text_question(survey, candidates=DRUGS)
    return survey


@pytest.fixture
def instrument(survey: Survey) -> Instrument:
    return publish_survey(survey)


def test_candidates_given_before_are_the_first_round_and_nobody_who_answers_sees_them(
    instrument: Instrument,
) -> None:
    first = Round.objects.get()
    assert (first.number, first.key, tuple(first.texts)) == (1, "drug", DRUGS)
    assert "heroin" not in instrument.content.lower()
    question = json.loads(instrument.content)["questions"][0]
    assert (question["choices"], question["mechanism"]["kind"]) == ([], "written")


def test_a_survey_for_files_gets_its_first_round_when_it_is_prepared(ada: User) -> None:
    survey = surveys.create_draft(ada, import_only=True)
    surveys.add_text_question(survey, candidates=DRUGS)

    lock_questions(survey)

    assert tuple(Round.objects.get(instrument__survey=survey).texts) == DRUGS


def test_a_round_is_counted_over_what_was_released(instrument: Instrument) -> None:
    answer(instrument)
    (counted,) = candidate_rounds.round_results(instrument, "drug")

    assert (counted.number, counted.level, counted.n) == (1, 0.025, 4000)
    assert [row.text for row in counted.told] == ["Heroin", "Cocaine"]
    assert [row.share for row in counted.rows] == pytest.approx(SHARES, abs=0.06)
    assert counted.found.none.share == pytest.approx(0.5, abs=0.1)


def test_each_round_is_read_more_strictly_and_earlier_ones_keep_their_level(
    instrument: Instrument,
) -> None:
    answer(instrument)
    before = candidate_rounds.round_results(instrument, "drug")[0].rows
    candidate_rounds.create_round(instrument, "drug", ["heroin"])
    one, two = candidate_rounds.round_results(instrument, "drug")

    assert one.rows == before
    assert (two.number, two.level, two.texts) == (2, 0.0125, ("heroin",))
    assert two.rows[0].share == before[0].share
    assert (
        "round 2 of drug: 1 read at 1.25%" in Event.objects.filter(what="candidates").get().detail
    )


def test_no_more_than_twelve_rounds(instrument: Instrument) -> None:
    for number in range(2, 13):
        candidate_rounds.create_round(instrument, "drug", [f"text {number}"])
    with pytest.raises(Refused, match="at most 12 counts"):
        candidate_rounds.create_round(instrument, "drug", ["one more"])


@pytest.mark.parametrize(
    ("lines", "message"),
    [([""], "at least one"), (["a", "A"], "are the same answer"), (["x" * 101], "At most 100")],
)
def test_wrong_candidates_store_nothing(
    instrument: Instrument, lines: list[str], message: str
) -> None:
    with pytest.raises(Invalid, match=message):
        candidate_rounds.create_round(instrument, "drug", lines)
    assert Round.objects.count() == 1


def test_a_long_count_is_left_to_the_timer(
    instrument: Instrument, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidate_rounds, "AT_ONCE", 100)
    answer(instrument)
    assert candidate_rounds.round_results(instrument, "drug")[0].is_behind
    call_command("seal", verbosity=0)
    (counted,) = candidate_rounds.round_results(instrument, "drug")
    assert (counted.n, counted.is_behind) == (4000, False)
    answer(instrument, 1000, seed=2)
    (counted,) = candidate_rounds.round_results(instrument, "drug")
    assert (counted.n, counted.is_behind) == (4000, True)


def test_the_page_counts_and_takes_a_further_round(
    client: Client, survey: Survey, instrument: Instrument
) -> None:
    answer(instrument)
    address = f"/surveys/{survey.slug}/report/drug/candidates/"
    page = client.get(address).content.decode()
    assert "2 of 3 candidates clearly above 0" in page
    assert "“Crack” cannot be told apart from texts that are not on the list." in page
    assert "every interval here becomes invalid" in page
    assert "The hash of a text hides nothing" in page
    assert client.post(address, {"candidates": "a\nA"}).status_code == 422
    assert client.post(address, {"candidates": "lsd\nspeed"}).status_code == 302
    page = client.get(address).content.decode()
    assert "Round 2" in page
    assert "No candidate is clearly above 0" in page
    table = client.get(f"/surveys/{survey.slug}/report/drug/candidates.csv").content.decode()
    assert table.count("\n") == 1 + 4 + 3
    assert "every interval here becomes invalid" in table


def test_the_report_leads_to_the_candidates(
    client: Client, survey: Survey, instrument: Instrument
) -> None:
    answer(instrument)
    page = client.get(f"/surveys/{survey.slug}/report/").content.decode()
    assert f"/surveys/{survey.slug}/report/drug/candidates/" in page
    assert "counted only for texts" in page


def test_programs_read_and_give_the_same(
    client: Client, survey: Survey, instrument: Instrument
) -> None:
    answer(instrument)
    address = f"/api/v1/surveys/{survey.slug}/report/drug/candidates/"
    first = client.get(address).json()["rounds"]
    assert [each["round"] for each in first] == [1]
    assert first[0]["candidates"][0]["text"] == "Heroin"
    given = client.post(address, {"candidates": ["lsd"]}, content_type="application/json")
    assert given.status_code == 201
    assert [each["level"] for each in given.json()["rounds"]] == [0.025, 0.0125]
    wrong = client.post(address, {"candidates": ["b", "B"]}, content_type="application/json")
    assert (wrong.status_code, wrong["Content-Type"]) == (422, "application/problem+json")


def test_who_reads_the_report_alone_gives_no_candidates(
    client: Client, survey: Survey, instrument: Instrument
) -> None:
    reader = surveys.create_researcher("reader")
    Membership.objects.create(survey=survey, user=reader, role=Role.ANALYST)
    client.force_login(reader)
    for address in (
        f"/surveys/{survey.slug}/report/drug/candidates/",
        f"/api/v1/surveys/{survey.slug}/report/drug/candidates/",
    ):
        assert client.get(address).status_code == 200
        assert client.post(address, {"candidates": "x"}).status_code == 403
    assert Round.objects.count() == 1
