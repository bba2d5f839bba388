"""Asking each person only some questions, as the author has it: the lot, what it costs and shows, and copies of it."""

import json
import math

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.authoring.drafts import drafts
from surveys.authoring.drafts.question_subset import set_draw
from surveys.authoring.files import survey_file
from surveys.authoring.planning.checklist import MUST, points
from surveys.authoring.planning.overview import survey_overview
from surveys.authoring.planning.precision import verdict
from surveys.definition.freezing import build_definition
from surveys.definition.parsing import parse_instrument
from surveys.definition.question_subset import subset_keys as lot_of
from surveys.definition.response_format import QuestionSubset
from surveys.models import Event, Survey
from surveys.site.errors import Invalid, Refused
from tests.api.test_reading import client_of
from tests.factories.surveys import (
    add_background,
    add_yes_no,
    create_draft,
    create_researcher,
    publish_survey,
)

pytestmark = pytest.mark.django_db
KEYS = [f"q{number}" for number in range(1, 7)]


@pytest.fixture
def survey() -> Survey:
    """Six sensitive yes/no questions with p = 3/4, and a background question."""
    survey = create_draft(create_researcher())
    for key in KEYS:
        add_yes_no(survey, key)
    add_background(survey)
    return survey


@pytest.fixture
def ada(client: Client, survey: Survey) -> Client:
    client.force_login(survey.owner)
    return client


def lot(survey: Survey, count: int | None = 2, of: list[str] | None = None) -> Survey:
    set_draw(survey=survey, count=count, of=KEYS if of is None else of, by=survey.owner)
    survey.refresh_from_db()
    return survey


def test_an_instrument_without_a_lot_says_nothing_of_one(survey: Survey) -> None:
    before = build_definition(survey)
    assert "draw" not in json.loads(before.content)
    assert build_definition(lot(lot(survey), None)).sha256 == before.sha256


def test_the_instrument_holds_the_lot(survey: Survey) -> None:
    frozen = build_definition(lot(survey, 2, ["q1", "q3", "q6"]))
    assert json.loads(frozen.content)["draw"] == {"count": 2, "of": ["q1", "q3", "q6"]}
    assert frozen.draw == QuestionSubset(2, ("q1", "q3", "q6"))
    assert (frozen.max_questions_per_person, frozen.keys_with_missing) == (6, ("q1", "q3", "q6"))
    assert frozen.epsilon == pytest.approx(5 * math.log(3))
    assert frozen.epsilon == pytest.approx(survey_overview(survey).epsilon)


def test_the_largest_losses_of_the_lot_count(survey: Survey) -> None:
    survey.questions.filter(key="q1").update(parameters={"p": "9/10"})
    survey.questions.filter(key="q2").update(parameters={"p": "2/3"})
    assert build_definition(lot(survey, 2, ["q1", "q2", "q3"])).epsilon == pytest.approx(
        math.log(9) + 4 * math.log(3)
    )
    assert build_definition(lot(survey, 1, ["q2", "q3"])).epsilon == pytest.approx(
        math.log(9) + 4 * math.log(3)
    )


@pytest.mark.parametrize(
    ("count", "of", "field"),
    [
        (2, ["q1"], "of"),
        (1, [], "of"),
        (1, ["q1", "region"], "of"),
        (1, ["q1", "q2", "unknown"], "of"),
        (0, ["q1", "q2"], "count"),
        (2, ["q1", "q2"], "count"),
        (-1, ["q1", "q2"], "count"),
    ],
)
def test_a_lot_that_cannot_be_is_refused_at_its_field(
    survey: Survey, count: int, of: list[str], field: str
) -> None:
    with pytest.raises(Invalid) as wrong:
        lot(survey, count, of)
    assert [*wrong.value.errors] == [field]
    survey.refresh_from_db()
    assert (survey.draw, lot_of(survey)) == (None, [])


def test_each_change_stands_in_the_history_once(survey: Survey) -> None:
    lot(lot(lot(survey), 2), None)
    said = [event.detail for event in Event.objects.filter(survey=survey).order_by("pk")]
    assert sorted(said) == [
        "gives each person 2 of 6 questions, picked at random: q1, q2, q3, q4, q5, q6",
        "gives everyone all questions",
    ]


def test_a_published_survey_keeps_its_lot(survey: Survey) -> None:
    publish_survey(lot(survey))
    with pytest.raises(Refused):
        lot(survey, 3)


def test_a_deleted_question_leaves_the_lot_and_publishing_waits_where_it_breaks(
    survey: Survey,
) -> None:
    lot(survey, 2, ["q1", "q2", "q3"])
    drafts.delete_question(survey=survey, question=survey.questions.get(key="q3"))
    with pytest.raises(Refused, match="Each person can get 1 of these 2 questions, not 2"):
        build_definition(survey)
    assert survey_overview(survey).draw is None
    musts = {
        point.short: point.mend
        for point in points(survey, survey_overview(survey))
        if point.severity == MUST
    }
    assert musts["Questions of each person"] == "protection"
    assert build_definition(lot(survey, 1, ["q1", "q2"])).draw == QuestionSubset(1, ("q1", "q2"))


def test_a_question_that_is_no_longer_sensitive_leaves_the_lot(survey: Survey) -> None:
    lot(survey, 2, ["q1", "q2", "q3"])
    question = survey.questions.get(key="q3")
    text = {"text": "Which?", "kind": "background", "choices": ["A", "B"]}
    drafts.save_question(survey=survey, question=question, **text)
    drafts.save_question(
        survey=survey, question=question, text="Did you?", kind="yes-no", design="two-coin"
    )
    assert lot_of(survey) == ["q1", "q2"]


def test_a_renamed_question_stays_in_the_lot(survey: Survey) -> None:
    lot(survey)
    question = survey.questions.get(key="q2")
    drafts.save_question(
        survey=survey,
        question=question,
        text="Did you?",
        key="other",
        kind="yes-no",
        design="two-coin",
    )
    assert build_definition(survey).draw.of == ("q1", "other", "q3", "q4", "q5", "q6")


def test_copies_new_versions_and_files_keep_the_lot(survey: Survey) -> None:
    lot(survey, 2, ["q1", "q3", "q6"])
    data = survey_file.write(survey)
    assert data["draw"] == {"count": 2, "of": ["q1", "q3", "q6"]}
    for copy in (
        survey_file.duplicate(survey, survey.owner),
        survey_file.duplicate(survey, survey.owner, import_only=True),
        survey_file.new_version(publish_survey(survey).survey, survey.owner),
    ):
        assert build_definition(copy).draw == QuestionSubset(2, ("q1", "q3", "q6"))


def test_a_copy_of_a_draft_whose_lot_is_broken_is_one_too(survey: Survey) -> None:
    lot(survey, 1, ["q1", "q2"])
    survey.questions.get(key="q2").delete()
    copy = survey_file.duplicate(survey, survey.owner)
    assert (copy.draw, lot_of(copy)) == (1, ["q1"])


@pytest.mark.parametrize(
    "wrong",
    [
        {"count": 2},
        {"count": "2", "of": KEYS},
        [2],
        {"count": 2, "of": ["region", "q1", "q2"]},
        {"count": True},
    ],
)
def test_a_file_with_a_wrong_lot_is_refused(survey: Survey, wrong: object) -> None:
    with pytest.raises(survey_file.Unreadable, match="The survey, draw"):
        survey_file.read(survey_file.write(survey) | {"draw": wrong}, owner=survey.owner)
    assert Survey.objects.count() == 1


def test_a_verdict_is_about_those_who_are_asked(survey: Survey) -> None:
    survey.target = 3000
    survey.save()
    everybody = survey_overview(survey).lines[0].verdict
    (line,) = [line for line in survey_overview(lot(survey)).lines if line.key == "q1"]
    mechanism = line.protection.item.mechanism
    assert (line.verdict.n, line.verdict.asked) == (3000, 1000)
    assert line.verdict.margin == verdict("yes-no", mechanism, 1000).margin
    assert line.verdict.needed == 3 * everybody.needed
    assert survey_overview(survey).lines[-1].verdict.asked == 3000


# --- The pages.


def test_the_question_page_reckons_with_the_lot(ada: Client, survey: Survey) -> None:
    lot(survey)
    page = ada.get(f"/surveys/{survey.slug}/questions/q1/").content.decode()
    assert "About 333 of them get this question." in page


def test_the_page_to_publish_tells_who_gets_what(ada: Client, survey: Survey) -> None:
    lot(survey)
    page = ada.get(f"/surveys/{survey.slug}/publish/").content.decode()
    assert (
        page.count("Each person gets 2 of the 6 sensitive questions, picked by their device.") == 2
    )


def test_one_press_asks_everyone_all_again(ada: Client, survey: Survey) -> None:
    lot(survey)
    address = f"/surveys/{survey.slug}/"
    assert "Ask everyone all questions" in ada.get(address).content.decode()
    done = ada.post(f"{address}protection/", {"everyone": "1"}, follow=True).content.decode()
    assert "Everyone gets all questions." in done
    assert "Ask everyone all questions" not in done


# --- Programs.


def test_programs_write_and_read_the_lot(survey: Survey) -> None:
    client, address = client_of(survey.owner), f"/api/v1/surveys/{survey.slug}/"

    def change(data: dict, status: int = 200) -> dict:
        answer = client.patch(address, json.dumps(data), content_type="application/json")
        assert answer.status_code == status, answer.content
        return answer.json()

    assert change({"title": "Another"})["draw"] is None
    of = {"count": 2, "of": ["q1", "q2", "q3"]}
    assert change({"draw": of})["draw"] == of
    assert change({"title": "A third"})["draw"] == of
    questions = change({})["questions"]
    assert change({"questions": questions})["draw"] == of
    assert "draw.of" in change({"questions": questions[1:]}, 422)["errors"]
    assert "draw.count" in change({"draw": {"count": 3, "of": ["q1", "q2", "q3"]}}, 422)["errors"]
    assert change({"draw": None})["draw"] is None


def test_the_lot_is_as_even_as_its_law_says() -> None:
    """What rehearsals draw: every set of two of four equally often."""
    from surveys.fieldwork.responses.records import has_report, record_dtype
    from surveys.fieldwork.responses.simulated_records import leave_out_questions

    survey = create_draft(User.objects.create_user("bob"))
    for key in KEYS[:4]:
        add_yes_no(survey, key)
    frozen = build_definition(lot(survey, 2, KEYS[:4]))
    rows = np.zeros(60_000, record_dtype(frozen))
    leave_out_questions(frozen, rows, np.random.default_rng(1))
    sets = sum(
        has_report(frozen, rows, key).astype(int) << place for place, key in enumerate(KEYS[:4])
    )
    found = np.bincount(sets, minlength=16)
    assert [size for size in range(16) if found[size]] == [3, 5, 6, 9, 10, 12]
    assert np.abs(found[found > 0] - 10_000).max() < 5 * np.sqrt(10_000 * 5 / 6)


def test_the_whole_lot_stands_in_the_paper_of_a_published_survey(survey: Survey) -> None:
    instrument = publish_survey(lot(survey))
    assert parse_instrument(instrument).draw == QuestionSubset(2, tuple(KEYS))
    assert survey_overview(instrument.survey).epsilon == parse_instrument(instrument).epsilon
