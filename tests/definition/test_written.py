"""A question with written answers, from its author to the report."""

import json
from pathlib import Path

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from features.text_candidates import candidate_rounds
from features.xlsform.reader import bring
from mechanisms.designs.texts import TextMechanism
from surveys.authoring.drafts.question_plan import plan_question
from surveys.definition.parsing import paper
from surveys.fieldwork.responses.records import decode, record_dtype
from surveys.fieldwork.responses.release import join
from surveys.models import Event, Instrument, Membership, Question, Role, Round, Survey
from surveys.site.errors import Invalid, Refused, Unreadable
from tests.factories import surveys
from tests.factories.import_files import part
from tests.factories.surveys import publish
from tests.helpers.exports import csv_of, written
from tests.servers import subprocesses
from tests.servers.r import RSCRIPT, needs_r

pytestmark = pytest.mark.django_db
DRUGS = ("Heroin", "Cocaine", "Crack")
SHARES = (0.3, 0.2, 0.0)


def answer(instrument: Instrument, n: int = 4000, seed: int = 1) -> None:
    """So many people write one of DRUGS with SHARES, and the others something of their own."""
    frozen, rng = paper(instrument), np.random.default_rng(seed)
    rows = np.zeros(n, record_dtype(frozen))
    texts = rng.choice([*DRUGS, "nothing"], n, p=[*SHARES, 1 - sum(SHARES)]).tolist()
    for item in frozen.items:
        if isinstance(item.mechanism, TextMechanism):
            rows[item.key] = item.mechanism.randomize_stored(texts, rng)
    join(Instrument.objects.get(pk=instrument.pk), rows.tobytes())


@pytest.fixture
def survey(ada: User) -> Survey:
    survey = surveys.draft(ada, title="Drugs")
    surveys.written(survey, candidates=DRUGS)
    return survey


@pytest.fixture
def instrument(survey: Survey) -> Instrument:
    return publish(survey)


def asked(**more: object) -> dict:
    return {"kind": "written", "design": "balanced"} | more


def test_a_level_becomes_the_hash_with_its_epsilon() -> None:
    plan = plan_question(**asked(choices=["A", "", "b"]))
    assert (plan.design, plan.parameters, plan.labels) == ("written", {"epsilon": "1.0987"}, ("A", "b"))
    assert plan.mechanism.spec()["order"] == 5


@pytest.mark.parametrize(
    ("more", "field", "message"),
    [
        ({"choices": ["Crack", "x", " CRACK "]}, "choices", "“Crack” on line 1 and “CRACK” on line 3 are the same"),
        ({"choices": ["x" * 101]}, "choices", "line 1 has 101 characters. At most 100"),
        ({"choices": [str(number) for number in range(10_001)]}, "choices", "10,001 texts. At most 10,000"),
        ({"decline": True}, "decline", "they can write it in a text answer"),
        ({"design": "subset", "parameters": {"epsilon": "1"}}, "design", "doesn’t fit this question type"),
        ({"mode": "spinner"}, "mode", "works for yes/no questions"),
    ],
)
def test_what_cannot_be_asked_is_refused_where_it_stands(more: dict, field: str, message: str) -> None:
    with pytest.raises(Invalid) as wrong:
        plan_question(**asked(**more))
    assert message in wrong.value.errors[field]


def test_the_hash_is_for_written_answers_only() -> None:
    with pytest.raises(Invalid, match="doesn’t fit"):
        plan_question(kind="choice", choices=["a", "b"], design="written", parameters={"epsilon": "1"})


def test_candidates_given_before_are_the_first_round_and_nobody_who_answers_sees_them(instrument: Instrument) -> None:
    first = Round.objects.get()
    assert (first.number, first.key, tuple(first.texts)) == (1, "drug", DRUGS)
    assert "heroin" not in instrument.content.lower()
    question = json.loads(instrument.content)["questions"][0]
    assert (question["choices"], question["mechanism"]["kind"]) == ([], "written")


def test_a_round_is_counted_over_what_was_released(instrument: Instrument) -> None:
    answer(instrument)
    (found,) = candidate_rounds.results(instrument, "drug")

    assert (found.number, found.level, found.n) == (1, 0.025, 4000)
    assert [row.text for row in found.told] == ["Heroin", "Cocaine"]
    assert [row.share for row in found.rows] == pytest.approx(SHARES, abs=0.06)
    assert found.found.none.share == pytest.approx(0.5, abs=0.1)


def test_each_round_is_read_more_strictly_and_earlier_ones_keep_their_level(instrument: Instrument) -> None:
    answer(instrument)
    before = candidate_rounds.results(instrument, "drug")[0].rows
    candidate_rounds.give(instrument, "drug", ["heroin"])
    one, two = candidate_rounds.results(instrument, "drug")

    assert one.rows == before
    assert (two.number, two.level, two.texts) == (2, 0.0125, ("heroin",))
    assert two.rows[0].share == before[0].share
    assert "round 2 of drug: 1 read at 1.25%" in Event.objects.filter(what="candidates").get().detail


def test_no_more_than_twelve_rounds(instrument: Instrument) -> None:
    for number in range(2, 13):
        candidate_rounds.give(instrument, "drug", [f"text {number}"])
    with pytest.raises(Refused, match="at most 12 counts"):
        candidate_rounds.give(instrument, "drug", ["one more"])


@pytest.mark.parametrize(
    ("lines", "message"),
    [([""], "at least one"), (["a", "A"], "are the same answer"), (["x" * 101], "At most 100")],
)
def test_wrong_candidates_store_nothing(instrument: Instrument, lines: list[str], message: str) -> None:
    with pytest.raises(Invalid, match=message):
        candidate_rounds.give(instrument, "drug", lines)
    assert Round.objects.count() == 1


def test_a_long_count_is_left_to_the_timer(instrument: Instrument, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidate_rounds, "AT_ONCE", 100)
    answer(instrument)
    assert candidate_rounds.results(instrument, "drug")[0].is_behind
    call_command("seal", verbosity=0)
    (found,) = candidate_rounds.results(instrument, "drug")
    assert (found.n, found.is_behind) == (4000, False)
    answer(instrument, 1000, seed=2)
    (found,) = candidate_rounds.results(instrument, "drug")
    assert (found.n, found.is_behind) == (4000, True)


def test_the_page_counts_and_takes_a_further_round(client: Client, survey: Survey, instrument: Instrument) -> None:
    answer(instrument)
    address = f"/surveys/{survey.slug}/report/drug/candidates/"
    page = client.get(address).content.decode()
    assert "2 of 3 candidates clearly above 0" in page
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


def test_the_report_leads_to_the_candidates(client: Client, survey: Survey, instrument: Instrument) -> None:
    answer(instrument)
    page = client.get(f"/surveys/{survey.slug}/report/").content.decode()
    assert f"/surveys/{survey.slug}/report/drug/candidates/" in page
    assert "counted only for texts" in page


def test_programs_read_and_give_the_same(client: Client, survey: Survey, instrument: Instrument) -> None:
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


def test_who_reads_the_report_alone_gives_no_candidates(client: Client, survey: Survey, instrument: Instrument) -> None:
    reader = surveys.researcher("reader")
    Membership.objects.create(survey=survey, user=reader, role=Role.ANALYST)
    client.force_login(reader)
    for address in (
        f"/surveys/{survey.slug}/report/drug/candidates/",
        f"/api/v1/surveys/{survey.slug}/report/drug/candidates/",
    ):
        assert client.get(address).status_code == 200
        assert client.post(address, {"candidates": "x"}).status_code == 403
    assert Round.objects.count() == 1


def test_the_question_form_saves_and_shows_candidates(client: Client, ada: User) -> None:
    survey = surveys.draft(ada, title="New")
    typed = {"kind": "written", "text": "Which drug?", "design": "balanced", "candidates": "Heroin\nCrack"}
    assert client.post(f"/surveys/{survey.slug}/questions/new/", typed).status_code == 302
    question = Question.objects.get(survey=survey)
    page = client.get(f"/surveys/{survey.slug}/questions/{question.key}/").content.decode()
    assert "Heroin\nCrack" in page
    assert "can’t be distinguished from 0" in page


def test_its_rows_are_numbers_that_a_file_brings_back(ada: User, survey: Survey, instrument: Instrument) -> None:
    answer(instrument, 300)
    rows = csv_of(instrument)
    numbers = sorted(map(int, rows.split()[1:]))
    assert len(numbers) == 300
    assert numbers[-1] > 2**24

    items = paper(instrument).items
    found = part(rows.encode(), items=items)
    assert sorted(decode(paper(instrument), found.records)["drug"].tolist()) == numbers
    wrong = part(b"drug\r\n4294967295\r\n1.5\r\nheroin\r\n7\r\n", items=items).problems
    assert [problem.row for problem in wrong] == [2, 3, 4]


@pytest.mark.parametrize("asked", ["model/?outcome=drug", "table/?rows=drug&columns=sex", "weighted/"])
def test_it_is_refused_where_answers_are_related(client: Client, ada: User, asked: str) -> None:
    survey = surveys.draft(ada, title="Both")
    surveys.written(survey)
    surveys.background(survey, "sex", ("a", "b"))
    surveys.yes_no(survey)
    answer(publish(survey), 300)
    found = client.get(f"/api/v1/surveys/{survey.slug}/report/{asked}")
    if asked != "weighted/":
        assert found.status_code in (400, 422)
        assert "is a text question" in str(found.json())
    assert client.get(f"/surveys/{survey.slug}/compare/linked/").status_code == 200


def test_a_rehearsal_leaves_it_out_by_page_and_by_program(client: Client, ada: User) -> None:
    survey = surveys.draft(ada, title="Both")
    surveys.written(survey)
    surveys.yes_no(survey)
    assert client.get(f"/surveys/{survey.slug}/simulation/").status_code == 200
    found = client.post(f"/api/v1/surveys/{survey.slug}/rehearsal/", {}, content_type="application/json")
    assert found.status_code == 200
    assert found.json()["questions"][0]["choices"] == []


@needs_r
def test_r_counts_candidates_as_the_page_does(instrument: Instrument, tmp_path: Path) -> None:
    answer(instrument, 500)
    (found,) = candidate_rounds.results(instrument, "drug")
    (tmp_path / "responses.csv").write_text(csv_of(instrument))
    points = ", ".join(str(row.point) for row in found.rows)
    script = written(instrument, "analysis.R").decode()
    said = f'\nprint(candidates("drug", c({points}), level = {found.level}), digits = 12)\n'
    (tmp_path / "analysis.R").write_text(script + said)
    ran = subprocesses.run([RSCRIPT, "analysis.R"], cwd=tmp_path)
    table = [line.split() for line in ran.stdout.splitlines()[-3:]]
    for row, (_, _, *numbers) in zip(found.rows, table, strict=True):
        assert [float(number) for number in numbers] == pytest.approx([row.share, row.standard_error, *row.interval])


def test_a_text_that_is_not_scrambled_is_left_out_of_a_workbook(ada: User) -> None:
    form = "| survey | | | |\n| | type | name | label |\n| | text | drug | Which? |\n| | integer | age | Age? |\n"
    with pytest.raises(Unreadable, match="“text” is left out"):
        bring(form.encode(), ada, name="form.md")
