"""Asking each person only some questions, as the author has it: the lot, what it costs and shows, and copies of it."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client

from mechanisms.planning import Channel, standard_error
from surveys.authoring.drafts import drafts
from surveys.authoring.drafts.question_subset import set_draw
from surveys.authoring.files import survey_file
from surveys.authoring.planning import remedies
from surveys.authoring.planning.budget import UNCONFIRMED
from surveys.authoring.planning.checklist import MUST, points
from surveys.authoring.planning.overview import overview
from surveys.authoring.planning.precision import designed, verdict
from surveys.authoring.planning.question_subset import take, ways
from surveys.definition.designs.levels import AUTOMATIC
from surveys.definition.freezing import freeze
from surveys.definition.instrument import Draw, paper
from surveys.definition.question_subset import lot as lot_of
from surveys.models import Event, Question, Survey
from surveys.site.errors import Invalid, Refused
from tests.api.test_reading import client_of
from tests.making import background, choice, draft, publish, researcher, yes_no
from tests.pages import Form, errors

pytestmark = pytest.mark.django_db
KEYS = [f"q{number}" for number in range(1, 7)]


@pytest.fixture
def survey() -> Survey:
    """Six sensitive yes/no questions with p = 3/4, and a background question."""
    survey = draft(researcher())
    for key in KEYS:
        yes_no(survey, key)
    background(survey)
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
    before = freeze(survey)
    assert "draw" not in json.loads(before.content)
    assert freeze(lot(lot(survey), None)).sha256 == before.sha256


def test_the_instrument_holds_the_lot(survey: Survey) -> None:
    frozen = freeze(lot(survey, 2, ["q1", "q3", "q6"]))
    assert json.loads(frozen.content)["draw"] == {"count": 2, "of": ["q1", "q3", "q6"]}
    assert frozen.draw == Draw(2, ("q1", "q3", "q6"))
    assert (frozen.asked, frozen.optional) == (6, ("q1", "q3", "q6"))
    assert frozen.epsilon == pytest.approx(5 * math.log(3))
    assert frozen.epsilon == pytest.approx(overview(survey).epsilon)


def test_the_largest_losses_of_the_lot_count(survey: Survey) -> None:
    survey.questions.filter(key="q1").update(parameters={"p": "9/10"})
    survey.questions.filter(key="q2").update(parameters={"p": "2/3"})
    assert freeze(lot(survey, 2, ["q1", "q2", "q3"])).epsilon == pytest.approx(math.log(9) + 4 * math.log(3))
    assert freeze(lot(survey, 1, ["q2", "q3"])).epsilon == pytest.approx(math.log(9) + 4 * math.log(3))


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
def test_a_lot_that_cannot_be_is_refused_at_its_field(survey: Survey, count: int, of: list[str], field: str) -> None:
    with pytest.raises(Invalid) as wrong:
        lot(survey, count, of)
    assert [*wrong.value.errors] == [field]
    survey.refresh_from_db()
    assert (survey.draw, lot_of(survey)) == (None, [])


def test_each_change_stands_in_the_history_once(survey: Survey) -> None:
    lot(lot(lot(survey), 2), None)
    said = [event.detail for event in Event.objects.filter(survey=survey).order_by("pk")]
    assert sorted(said) == [
        "asks each person 2 of 6 questions, drawn by lot: q1, q2, q3, q4, q5, q6",
        "asks everybody all questions",
    ]


def test_a_published_survey_keeps_its_lot(survey: Survey) -> None:
    publish(lot(survey))
    with pytest.raises(Refused):
        lot(survey, 3)


def test_a_deleted_question_leaves_the_lot_and_publishing_waits_where_it_breaks(survey: Survey) -> None:
    lot(survey, 2, ["q1", "q2", "q3"])
    drafts.delete_question(survey=survey, question=survey.questions.get(key="q3"))
    with pytest.raises(Refused, match="1 to 1 of these 2 questions by lot, not 2"):
        freeze(survey)
    assert overview(survey).draw is None
    (point,) = [point for point in points(survey, overview(survey)) if point.mend == "draw"]
    assert point.severity == MUST
    assert freeze(lot(survey, 1, ["q1", "q2"])).draw == Draw(1, ("q1", "q2"))


def test_a_question_that_is_no_longer_sensitive_leaves_the_lot(survey: Survey) -> None:
    lot(survey, 2, ["q1", "q2", "q3"])
    question = survey.questions.get(key="q3")
    text = {"text": "Which?", "kind": "background", "choices": ["A", "B"]}
    drafts.save_question(survey=survey, question=question, **text)
    drafts.save_question(survey=survey, question=question, text="Did you?", kind="yes-no", design="two-coin")
    assert lot_of(survey) == ["q1", "q2"]


def test_a_renamed_question_stays_in_the_lot(survey: Survey) -> None:
    lot(survey)
    question = survey.questions.get(key="q2")
    drafts.save_question(
        survey=survey, question=question, text="Did you?", key="other", kind="yes-no", design="two-coin"
    )
    assert freeze(survey).draw.of == ("q1", "other", "q3", "q4", "q5", "q6")


def test_copies_new_versions_and_files_keep_the_lot(survey: Survey) -> None:
    lot(survey, 2, ["q1", "q3", "q6"])
    data = survey_file.write(survey)
    assert data["draw"] == {"count": 2, "of": ["q1", "q3", "q6"]}
    for copy in (
        survey_file.duplicate(survey, survey.owner),
        survey_file.duplicate(survey, survey.owner, import_only=True),
        survey_file.new_version(publish(survey).survey, survey.owner),
    ):
        assert freeze(copy).draw == Draw(2, ("q1", "q3", "q6"))


def test_a_copy_of_a_draft_whose_lot_is_broken_is_one_too(survey: Survey) -> None:
    lot(survey, 1, ["q1", "q2"])
    survey.questions.get(key="q2").delete()
    copy = survey_file.duplicate(survey, survey.owner)
    assert (copy.draw, lot_of(copy)) == (1, ["q1"])


@pytest.mark.parametrize(
    "wrong",
    [{"count": 2}, {"count": "2", "of": KEYS}, [2], {"count": 2, "of": ["region", "q1", "q2"]}, {"count": True}],
)
def test_a_file_with_a_wrong_lot_is_refused(survey: Survey, wrong: object) -> None:
    with pytest.raises(survey_file.Unreadable, match="The survey, draw"):
        survey_file.read(survey_file.write(survey) | {"draw": wrong}, owner=survey.owner)
    assert Survey.objects.count() == 1


def test_a_verdict_is_about_those_who_are_asked(survey: Survey) -> None:
    survey.target = 3000
    survey.save()
    everybody = overview(survey).lines[0].verdict
    (line,) = [line for line in overview(lot(survey)).lines if line.key == "q1"]
    mechanism = line.protection.item.mechanism
    assert (line.verdict.n, line.verdict.asked) == (3000, 1000)
    assert line.verdict.margin == verdict("yes-no", mechanism, 1000).margin
    assert line.verdict.needed == 3 * everybody.needed
    assert overview(survey).lines[-1].verdict.asked == 3000


def test_remedies_look_at_what_a_person_is_asked(survey: Survey) -> None:
    """A light protection of one of six, of which two are asked, costs its own loss and the largest other one."""
    seen = overview(lot(survey))
    assert seen.without("q1") == pytest.approx(math.log(3))
    assert UNCONFIRMED - seen.without("q1") > math.log(9)
    assert {remedy.choice for remedy in seen.lines[0].remedies} == {"light"}
    assert all(not line.remedies for line in overview(lot(survey, None)).lines)  # they cost more than there is


def test_a_drawn_question_is_not_split(survey: Survey) -> None:
    choice(survey, "any", kind="any", design="unary-any", parameters={"epsilon": "2"})
    lot(survey, 1, ["q1", "any"])
    with pytest.raises(Invalid):
        remedies.mend(survey=survey, question=survey.questions.get(key="any"), choice="yes-no")


def test_sharing_the_budget_shares_it_among_what_a_person_is_asked(survey: Survey) -> None:
    epsilon = remedies.share_equally(survey=lot(survey))
    assert epsilon == 1.0987  # two of these fit easily


# --- How many pay best.


def of_symmetric(total: float, size: int, count: int, share: float) -> float:
    """Standard error with one respondent: each is asked `count` of `size` yes/no questions that share the total."""
    return float(standard_error(Channel.symmetric(2 * total / count), share, float(Fraction(count, size))))


@pytest.mark.parametrize("size", [5, 10])
@pytest.mark.parametrize(("total", "best"), [(0.5, 1), (1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 2), (8, 3)])
def test_the_best_number_at_a_true_share_of_a_fifth(size: int, total: float, best: int) -> None:
    found = {count: of_symmetric(total, size, count, 0.2) for count in range(1, size + 1)}
    assert min(found, key=found.get) == best


@pytest.mark.parametrize(("size", "times"), [(5, 4.6), (10, 9.3)])
def test_splitting_the_budget_takes_many_times_more_people(size: int, times: float) -> None:
    split, one = of_symmetric(1, size, size, 0.2), of_symmetric(1, size, 1, 0.2)
    assert (split / one) ** 2 == pytest.approx(times, abs=0.05)


def test_what_is_offered_is_best_at_the_share_where_the_margin_is_widest(survey: Survey) -> None:
    best, survey.target = 2, 5000
    survey.save()
    found = ways(Survey.objects.get(), overview(survey))
    total = UNCONFIRMED
    assert found.best.count == best
    assert min(range(1, 7), key=lambda count: of_symmetric(total, 6, count, 0.5)) == best
    for way in (*found.each, found.everything):
        assert total - 0.011 * way.count <= way.count * way.epsilon <= total
        asked = designed(AUTOMATIC, "yes-no", 2, way.epsilon)
        assert way.verdict == verdict("yes-no", asked, 5000, Fraction(way.count, 6))
    assert found.times > 1


def test_what_everybody_is_asked_leaves_less_for_the_lot(survey: Survey) -> None:
    """Two fixed questions cost 2 ln 3 of what there is."""
    found = ways(lot(survey, 1, ["q1", "q2", "q3", "q4"]), overview(survey))
    assert found.size == 4
    room = UNCONFIRMED - 2 * math.log(3)
    assert [way.epsilon for way in found.each] == [math.floor(100 * room / count) / 100 for count in (1, 2, 3)]


def test_taking_it_gives_the_lot_and_the_protection(survey: Survey) -> None:
    survey = Survey.objects.get()
    expected = ways(survey, overview(survey)).best
    assert take(survey=survey, count=2, by=survey.owner) == expected.epsilon
    survey.refresh_from_db()
    frozen = freeze(survey)
    assert frozen.draw == Draw(2, tuple(KEYS))
    assert UNCONFIRMED - 0.05 <= frozen.epsilon <= UNCONFIRMED
    assert overview(survey).lines[0].verdict == expected.verdict
    with pytest.raises(Invalid):
        take(survey=survey, count=6)


def test_nothing_is_offered_where_nothing_can_be_chosen(survey: Survey) -> None:
    survey.questions.filter(key__in=KEYS[1:]).delete()
    assert ways(survey, overview(survey)) is None
    yes_no(survey, "q2")
    assert ways(survey, overview(survey)) is not None
    Survey.objects.update(import_only=True)
    survey.refresh_from_db()
    assert ways(survey, overview(survey)) is None


def test_what_a_person_draws_keeps_its_design(survey: Survey) -> None:
    survey.questions.filter(key="q1").update(mode=Question.Mode.SPINNER)
    assert ways(survey, overview(survey)).size == 5
    assert ways(lot(survey, 2, ["q1", "q2", "q3"]), overview(survey)) is None


# --- The pages.


def test_the_draft_says_what_pays_and_one_press_takes_it(ada: Client, survey: Survey) -> None:
    page = ada.get(f"/surveys/{survey.slug}/").content.decode()
    assert "Ask 2 of 6" in page
    assert "all 7</strong> questions" in page
    done = ada.post(f"/surveys/{survey.slug}/draw/take/", {"count": "2"}, follow=True).content.decode()
    assert "2 of 6</strong> questions, drawn by lot" in done
    assert "asked of about 333" in done
    assert "Ask 2 of 6" not in done
    for wrong in ("6", "0", "x", "", "99999999"):
        answer = ada.post(f"/surveys/{survey.slug}/draw/take/", {"count": wrong}, follow=True)
        assert "Look at them again" in answer.content.decode()


def test_the_author_chooses_the_questions_and_how_many(ada: Client, survey: Survey) -> None:
    address = f"/surveys/{survey.slug}/draw/"
    page = ada.get(address)
    assert Form(page).values["count"] == "2"
    assert page.content.decode().count('name="of"') == 6
    answer = ada.post(address, {"of": ["q1", "q2", "q3"], "count": "1"}, follow=True)
    assert "Each person is asked 1 of these 3 questions." in answer.content.decode()
    assert Form(ada.get(address)).values["count"] == "1"
    ada.post(address, {"stop": "1"})
    survey.refresh_from_db()
    assert survey.draw is None


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"of": ["q1", "q2"], "count": "many"}, "count"),
        ({"of": ["q1", "q2"], "count": ""}, "count"),
        ({"of": ["q1", "q2"], "count": "2"}, "count"),
        ({"of": ["q1"], "count": "1"}, "of"),
    ],
)
def test_a_mistake_stands_at_its_field_and_nothing_typed_is_lost(
    ada: Client, survey: Survey, typed: dict, field: str
) -> None:
    page = ada.post(f"/surveys/{survey.slug}/draw/", typed)
    assert page.status_code == 422
    assert [*errors(page)] == [field]
    assert Form(page).values["count"] == typed["count"]
    assert page.content.decode().count(" checked>") == len(typed["of"])


def test_the_question_page_reckons_with_the_lot(ada: Client, survey: Survey) -> None:
    lot(survey)
    page = ada.get(f"/surveys/{survey.slug}/questions/q1/").content.decode()
    assert "About 333 of them are asked this question." in page
    assert "2.1" in page  # of the budget: two questions, not six


def test_the_page_to_publish_and_the_budget_tell_of_the_lot(ada: Client, survey: Survey) -> None:
    lot(survey)
    page = ada.get(f"/surveys/{survey.slug}/publish/").content.decode()
    assert "Each person is asked 2 of 6 questions, drawn by lot on the device." in page
    assert "with the 2 of the 6 drawn by lot that cost most" in page
    assert "(drawn by lot)" in page


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


def test_programs_read_what_each_number_of_questions_comes_to(survey: Survey) -> None:
    found = client_of(survey.owner).get(f"/api/v1/surveys/{survey.slug}/budget/").json()["ways"]
    assert (found["size"], found["best"]) == (6, 2)
    assert [way["count"] for way in found["each"]] == [1, 2, 3, 4, 5, 6]


def test_planning_reckons_with_those_who_are_asked(survey: Survey) -> None:
    client = client_of(survey.owner)

    def planned(**more: object) -> dict:
        asked = {"design": "two-coin", "half_width": 0.03, "n": 3000} | more
        answer = client.post("/api/v1/planning/", json.dumps(asked), content_type="application/json")
        return answer.json()

    whole, part = planned(n=1000), planned(count=2, of=6)
    assert (part["at_n"]["n"], part["at_n"]["asked"]) == (3000, 1000)
    assert part["at_n"]["half_width"] == whole["at_n"]["half_width"]
    assert part["n_needed"]["for_half_width"] == 3 * whole["n_needed"]["for_half_width"]
    assert part["n_needed"]["for_half_width_asked_directly"] == (planned()["n_needed"]["for_half_width_asked_directly"])
    assert "count" in planned(count=3, of=2)["errors"]


def test_the_lot_is_as_even_as_its_law_says() -> None:
    """What rehearsals draw: every set of two of four equally often."""
    from surveys.fieldwork.responses.records import given, record_dtype
    from surveys.results.simulation.simulation import leave_out

    survey = draft(User.objects.create_user("bob"))
    for key in KEYS[:4]:
        yes_no(survey, key)
    frozen = freeze(lot(survey, 2, KEYS[:4]))
    rows = np.zeros(60_000, record_dtype(frozen))
    leave_out(frozen, rows, np.random.default_rng(1))
    sets = sum(given(frozen, rows, key).astype(int) << place for place, key in enumerate(KEYS[:4]))
    found = np.bincount(sets, minlength=16)
    assert [size for size in range(16) if found[size]] == [3, 5, 6, 9, 10, 12]
    assert np.abs(found[found > 0] - 10_000).max() < 5 * np.sqrt(10_000 * 5 / 6)


def test_the_whole_lot_stands_in_the_paper_of_a_published_survey(survey: Survey) -> None:
    instrument = publish(lot(survey))
    assert paper(instrument).draw == Draw(2, tuple(KEYS))
    assert overview(instrument.survey).epsilon == paper(instrument).epsilon
