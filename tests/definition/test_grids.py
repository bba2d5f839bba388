"""Grids: neighbours with one heading. Each row stays a question of its own; what they share is held together."""

import json
import re

import pytest

from surveys.authoring.drafts import drafts
from surveys.authoring.drafts.grids import (
    delete_grid,
    grid_edition,
    move_grid,
    rows_of,
    save_grid,
    take_out,
)
from surveys.authoring.files import survey_file
from surveys.authoring.planning.checklist import points
from surveys.authoring.planning.overview import survey_overview
from surveys.definition import grids
from surveys.definition.freezing import build_definition
from surveys.models import Event, Question, Survey
from surveys.site.errors import Invalid, Refused
from tests.factories.surveys import add_background, add_yes_no, create_draft

HEADING = "How often did you …"
ROWS = ["Pay without a receipt", "Leave out a job", "Round up a claim"]
OFTEN = ["Never", "Sometimes", "Often"]
ASKED = {"heading": HEADING, "rows": ROWS, "kind": "choice", "choices": OFTEN, "design": "balanced"}


@pytest.fixture
def survey(db: None) -> Survey:
    """Ada's draft: tax, a grid of three rows, region."""
    survey = create_draft()
    add_yes_no(survey)
    made(survey)
    add_background(survey)
    return survey


def made(survey: Survey, **changes: object) -> list[Question]:
    return save_grid(survey=survey, by=survey.owner, **(ASKED | changes))


def keys(survey: Survey) -> list[str]:
    return [question.key for question in survey.questions.all()]


def row(survey: Survey, key: str = "pay_without_receipt") -> Question:
    return survey.questions.get(key=key)


ORDER = ["tax", "pay_without_receipt", "leave_out_job", "round_up_claim", "region"]


def test_the_rows_of_a_grid_are_ordinary_questions_with_keys_of_their_own(survey: Survey) -> None:
    assert keys(survey) == ORDER
    frozen = build_definition(survey)
    rows = [item for item in frozen.items if item.grid]
    assert {(item.kind, item.choices, item.grid) for item in rows} == {
        ("choice", tuple(OFTEN), HEADING)
    }
    assert [item.text for item in rows] == ROWS
    assert {str(item.mechanism.spec()) for item in rows} == {str(rows[0].mechanism.spec())}
    assert frozen.epsilon == pytest.approx(frozen.items[0].epsilon + 3 * rows[0].epsilon)


def test_the_heading_stands_only_at_rows_so_that_other_instruments_stay_as_they_are(
    survey: Survey,
) -> None:
    questions = json.loads(build_definition(survey).content)["questions"]
    assert [question.get("grid") for question in questions] == [
        None,
        HEADING,
        HEADING,
        HEADING,
        None,
    ]
    assert "grid" not in questions[0]
    delete_grid(survey=survey, question=row(survey))
    assert "grid" not in build_definition(survey).content


def test_an_edited_grid_keeps_the_keys_of_rows_that_stay(survey: Survey) -> None:
    texts = ["Take cash", ROWS[2], ROWS[0], "Hide a job"]  # renamed and moved, moved, moved, new
    made(survey, first=row(survey), rows=texts, help="Since January")
    assert keys(survey) == [
        "tax",
        "leave_out_job",
        "round_up_claim",
        "pay_without_receipt",
        "hide_job",
        "region",
    ]
    assert [question.text for question in survey.questions.all()][1:5] == texts
    assert {question.help for question in survey.questions.filter(grid=HEADING)} == {
        "Since January"
    }
    made(survey, first=row(survey), rows=texts[1:3])
    assert keys(survey) == ["tax", "round_up_claim", "pay_without_receipt", "region"]


def test_a_grid_that_is_saved_again_says_only_what_changed(survey: Survey) -> None:
    before = Event.objects.count()
    made(survey, first=row(survey))
    assert Event.objects.count() == before
    made(survey, first=row(survey), rows=[*ROWS[:2], "Round up a bill"])
    assert [event.detail for event in Event.objects.all()[: Event.objects.count() - before]] == [
        "question round_up_claim: question"
    ]


@pytest.mark.parametrize(
    ("changes", "place", "says"),
    [
        ({"heading": " "}, "heading", "empty"),
        ({"heading": "x" * 501}, "heading", "500"),
        ({"rows": ["Only one", ""]}, "rows", "at least 2"),
        ({"rows": ["A", "", "a"]}, "rows", "lines 1 and 3"),
        ({"rows": [f"Row {n}" for n in range(51)]}, "rows", "at most 50"),
        ({"rows": ["A", "x" * 501]}, "rows", "line 2"),
        ({"choices": ["Never"]}, "choices", "two choices"),
        ({"choices": [str(n) for n in range(12)]}, "choices", "at most 11"),
        ({"kind": "any"}, "kind", "one of a few answers"),
        (
            {"kind": "quantity", "minimum": "0", "maximum": "9", "step": "1"},
            "kind",
            "one of a few answers",
        ),
        (
            {"kind": "yes-no", "design": "two-coin", "mode": "by-hand"},
            "choices",
            "the device scrambles",
        ),
        ({"kind": "", "heading": ""}, "kind", "Choose a question type"),
        ({"design": "automatic", "parameters": {"epsilon": "-1"}}, "epsilon", "from 0.01"),
        ({"section": "x" * 201}, "section", "200"),
    ],
)
def test_what_is_wrong_is_said_at_its_place_and_nothing_is_stored(
    survey: Survey, changes: dict, place: str, says: str
) -> None:
    with pytest.raises(Invalid) as wrong:
        made(survey, first=row(survey), **changes)
    assert says in wrong.value.errors[place]
    assert keys(survey) == ORDER
    assert row(survey).text == ROWS[0]


def test_two_people_do_not_overwrite_each_others_grid(survey: Survey) -> None:
    started = grid_edition(rows_of(survey, row(survey)))
    made(survey, first=row(survey), heading="Another heading")
    with pytest.raises(Invalid) as told:
        made(survey, first=row(survey), edition=started)
    assert "Someone saved" in told.value.errors["edition"]
    made(survey, first=row(survey), edition=grid_edition(rows_of(survey, row(survey))))


def test_two_grids_beside_each_other_cannot_have_one_heading(survey: Survey) -> None:
    survey.questions.get(key="region").delete()
    with pytest.raises(Invalid) as told:
        made(survey, rows=["Something", "Else"])
    assert "another heading" in told.value.errors["heading"]
    made(survey, rows=["Something", "Else"], section="Later")  # starts anew
    assert [len(run) for run in grids.group_by_grid(survey.questions.all())] == [1, 3, 2]


def test_a_row_moves_within_its_grid_and_others_pass_it_as_a_whole(survey: Survey) -> None:
    def move(key: str, steps: int) -> list[str]:
        drafts.move_question(survey=survey, question=row(survey, key), steps=steps)
        return keys(survey)

    assert move("pay_without_receipt", 1) == [
        "tax",
        "leave_out_job",
        "pay_without_receipt",
        "round_up_claim",
        "region",
    ]
    assert move("pay_without_receipt", 5) == [
        "tax",
        "leave_out_job",
        "round_up_claim",
        "pay_without_receipt",
        "region",
    ]
    assert move("pay_without_receipt", -9) == ORDER
    assert move("tax", 1) == [*ORDER[1:4], "tax", "region"]
    assert move("tax", -1) == ORDER
    assert move("region", -1) == ["tax", "region", *ORDER[1:4]]
    assert move("region", -1) == ["region", "tax", *ORDER[1:4]]
    assert move("region", 3) == ["tax", *ORDER[1:4], "region"]


def test_a_grid_moves_as_a_whole(survey: Survey) -> None:
    move_grid(survey=survey, question=row(survey, "leave_out_job"), steps=-1)
    assert keys(survey) == [*ORDER[1:4], "tax", "region"]
    move_grid(survey=survey, question=row(survey), steps=9)
    assert keys(survey) == ["tax", "region", *ORDER[1:4]]
    assert Event.objects.first().detail == f"grid “{HEADING}” moved"


def test_the_section_of_a_grid_stays_at_its_first_row(survey: Survey) -> None:
    made(survey, first=row(survey), section="Money")

    def heads() -> list[str]:
        return [question.key for question in survey.questions.filter(section="Money")]

    drafts.move_question(survey=survey, question=row(survey), steps=2)
    assert heads() == ["leave_out_job"]
    drafts.delete_question(survey=survey, question=row(survey, "leave_out_job"))
    assert heads() == ["round_up_claim"]
    take_out(survey=survey, question=row(survey, "round_up_claim"))
    assert heads() == ["pay_without_receipt"]
    assert keys(survey) == ["tax", "pay_without_receipt", "round_up_claim", "region"]
    assert row(survey, "round_up_claim").grid == ""


def test_a_new_question_after_a_row_stands_after_the_grid(survey: Survey) -> None:
    drafts.save_question(
        survey=survey,
        text="Why?",
        key="why",
        kind="yes-no",
        design="balanced",
        after="pay_without_receipt",
    )
    assert keys(survey) == [*ORDER[:4], "why", "region"]
    assert row(survey, "why").grid == ""


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"help": "Only here"}, "its own help text"),
        ({"design": "warner", "parameters": {"p": "2/3"}, "kind": "yes-no"}, "its own answers"),
        ({"parameters": {"epsilon": "1"}}, "its own protection"),
    ],
)
def test_a_row_that_is_unlike_the_others_keeps_the_survey_from_being_published(
    survey: Survey, change: dict, says: str
) -> None:
    survey.questions.filter(key="leave_out_job").update(**change)
    lines = {line.key: line.problem for line in survey_overview(survey).lines}
    assert says in lines.pop("leave_out_job")
    assert set(lines.values()) == {""}
    musts = [
        point
        for point in points(survey, survey_overview(survey))
        if point.severity == "must" and point.question
    ]
    assert [point.question for point in musts] == ["leave_out_job"]
    with pytest.raises(Refused, match=re.escape(says)):
        build_definition(survey)
    made(survey, first=row(survey))  # saving the grid mends it
    build_definition(survey)


@pytest.mark.parametrize("kind", ["any", "number"])
def test_what_has_no_columns_is_no_row(survey: Survey, kind: str) -> None:
    with pytest.raises(Invalid) as told:
        drafts.save_question(
            survey=survey,
            text="Which?",
            kind=kind,
            choices=["A", "B"],
            design="balanced",
            minimum="1",
            maximum="9",
            grid="In a grid",
        )
    assert "one of a few answers" in told.value.errors["grid"]


def test_rows_offer_no_remedy_of_their_own(survey: Survey) -> None:
    assert all(line.remedies == () for line in survey_overview(survey).lines if line.grid)


def test_a_grid_comes_back_from_a_file(survey: Survey) -> None:
    written = survey_file.write(survey)
    assert [question.get("grid") for question in written["questions"]] == [
        None,
        HEADING,
        HEADING,
        HEADING,
        None,
    ]
    again = survey_file.duplicate(survey, survey.owner)
    one, other = (
        json.loads(build_definition(each).content)["questions"] for each in (survey, again)
    )
    assert one == other


def test_a_background_grid_makes_no_groups_of_its_rows(survey: Survey) -> None:
    saved = made(
        survey,
        heading="Do you have …",
        rows=["A car", "A bicycle"],
        kind="background",
        choices=["Yes", "No"],
    )
    assert [question.cut for question in saved] == [False, False]
    assert [
        item.mechanism for item in build_definition(survey).items if item.grid == "Do you have …"
    ] == [
        None,
        None,
    ]


def test_what_rows_share_is_translated_once(db: None) -> None:
    survey = create_draft(
        further_languages=["de"], title="Work", translations={"de": {"title": "Arbeit"}}
    )
    first = made(survey)[0]
    first.translations = {"de": {"grid": "Wie oft …", "text": "ohne Beleg?"}}
    first.save()
    first.choices.filter(label="Never").update(translations={"de": {"label": "Nie"}})
    made(
        survey, first=first, rows=["Something new", *ROWS]
    )  # a new row stands first and has them too
    german = build_definition(survey).in_language("de")
    assert {item.grid for item in german.items} == {"Wie oft …"}
    assert {item.choices[0] for item in german.items} == {"Nie"}
    assert [item.text for item in german.items][:2] == ["Something new", "ohne Beleg?"]
    assert [len(run) for run in grids.group_by_grid(german.items)] == [4]


def test_two_grids_cannot_become_one_in_another_language(db: None) -> None:
    survey = create_draft(further_languages=["de"])
    made(survey)
    made(survey, heading="How often will you …", rows=["This", "That"])
    survey.questions.update(translations={"de": {"grid": "Wie oft …"}})
    with pytest.raises(Refused, match="the same heading in the language “de”"):
        build_definition(survey)
