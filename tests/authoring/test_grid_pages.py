"""The pages of a grid: written once, shown as one, and every mistake at its place."""

import html
import re

import pytest
from django.test import Client

from surveys.authoring.drafts.grids import save_grid
from surveys.authoring.drafts.question_subset import set_draw
from surveys.definition.freezing import build_definition
from surveys.models import Question, Survey
from tests.definition.test_grids import HEADING, ROWS, keys, made
from tests.factories.surveys import add_yes_no, create_draft, publish_survey
from tests.helpers.html_forms import Form

TYPED = {
    "heading": HEADING,
    "rows": "\r\n".join(ROWS),
    "kind": "choice",
    "choices": "Never\r\nSometimes\r\nOften",
    "design": "balanced",
}


@pytest.fixture
def survey(db: None) -> Survey:
    survey = create_draft()
    add_yes_no(survey)
    return survey


@pytest.fixture
def ada(survey: Survey) -> Client:
    client = Client()
    client.force_login(survey.owner)
    return client


def at(survey: Survey, part: str = "") -> str:
    return f"/surveys/{survey.slug}/{part}"


def rows(survey: Survey) -> list[Question]:
    return list(survey.questions.exclude(grid=""))


def text_of(answer: object) -> str:
    """What stands there, without its tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", answer.content.decode())).split())


def test_a_grid_is_added_and_opens_again_as_it_was_written(ada: Client, survey: Survey) -> None:
    assert "Ask this of several statements" in text_of(ada.get(at(survey, "questions/new/")))
    answer = ada.post(at(survey, "grids/new/"), TYPED)
    assert (answer.status_code, answer["Location"]) == (
        302,
        f"{at(survey)}?at=pay_without_receipt&did=",
    )
    assert [row.text for row in rows(survey)] == ROWS
    form = ada.get(at(survey, "grids/leave_out_job/")).context["form"]
    assert (form.typed("heading"), form.typed("rows").split("\n"), form.typed("design")) == (
        HEADING,
        ROWS,
        "automatic",
    )
    assert form.typed("choices").split("\n") == ["Never", "Sometimes", "Often"]


def test_what_was_typed_for_one_question_goes_into_the_grid(ada: Client, survey: Survey) -> None:
    typed = {
        "kind": "scale",
        "text": "How far do you agree?",
        "points": "No\nYes",
        "help": "Now",
        "statements": "1",
    }
    answer = ada.post(at(survey, "grids/new/"), typed)
    assert answer.status_code == 200
    form = answer.context["form"]
    assert not form.errors
    assert [form.typed(name) for name in ("heading", "kind", "points", "help", "rows")] == [
        *("How far do you agree?", "scale", "No\nYes", "Now", ""),
    ]
    assert rows(survey) == []


def test_editing_a_grid_changes_all_its_rows(ada: Client, survey: Survey) -> None:
    made(survey)
    page = ada.get(at(survey, "grids/pay_without_receipt/"))
    typed = TYPED | {
        "edition": page.context["edition"],
        "rows": "\n".join(ROWS[:2]),
        "design": "strong",
        "help": "Yes.",
    }
    assert ada.post(at(survey, "grids/pay_without_receipt/"), typed).status_code == 302
    assert [(row.text, row.help) for row in rows(survey)] == [(text, "Yes.") for text in ROWS[:2]]
    assert len({str(row.parameters) for row in rows(survey)}) == 1
    answer = ada.post(
        at(survey, "grids/pay_without_receipt/"), typed
    )  # from an edition that is older now
    assert answer.status_code == 422
    assert "Someone saved" in text_of(answer)


def test_the_page_of_a_row_is_that_of_its_grid(ada: Client, survey: Survey) -> None:
    made(survey)
    assert ada.get(at(survey, "questions/leave_out_job/"))["Location"] == at(
        survey, "grids/leave_out_job/"
    )
    assert ada.get(at(survey, "grids/tax/"))["Location"] == at(survey, "questions/tax/")


def test_a_mistake_is_said_at_its_field_and_loses_nothing(ada: Client, survey: Survey) -> None:
    answer = ada.post(at(survey, "grids/new/"), TYPED | {"heading": "", "rows": "One\nOne"})
    assert answer.status_code == 422
    errors = answer.context["form"].errors
    assert set(errors) == {"heading", "rows"}
    assert "lines 1 and 2" in errors["rows"][0]
    assert "One\nOne</textarea>" in answer.content.decode()
    assert rows(survey) == []


def test_the_panel_says_how_many_get_each_row(ada: Client, survey: Survey) -> None:
    Survey.objects.update(protection="balanced")
    typed = TYPED | {"rows": "\n".join(f"Row {n}" for n in range(8)), "show": "panel", "design": ""}
    said = text_of(ada.post(at(survey, "grids/new/"), typed, headers={"X-Panel": "1"}))
    assert "About 222 of them get this question." in said  # 2 of 9 questions
    assert rows(survey) == []


def test_a_row_added_to_rows_that_are_drawn_is_drawn_too(ada: Client, survey: Survey) -> None:
    ada.post(at(survey, "grids/new/"), TYPED)
    set_draw(survey=survey, count=1, of=[row.key for row in rows(survey)])
    page = ada.get(at(survey, "grids/pay_without_receipt/"))
    typed = Form(page).values | {"rows": "\n".join([*ROWS, "More"])}
    assert ada.post(at(survey, "grids/pay_without_receipt/"), typed).status_code == 302
    assert len(build_definition(Survey.objects.get()).draw.of) == 4


def test_the_overview_shows_the_grid_as_one_with_its_steps(ada: Client, survey: Survey) -> None:
    made(survey)
    said = text_of(ada.get(at(survey)))
    assert said.count(HEADING + " ") >= 1
    assert "Grid of 3" in said
    assert "Take out of the grid" in said
    ada.post(at(survey, "grids/pay_without_receipt/up/"))
    assert keys(survey)[-1] == "tax"
    ada.post(at(survey, "questions/leave_out_job/take-out/"))
    assert [row.key for row in rows(survey)] == ["pay_without_receipt", "round_up_claim"]
    assert "Delete this grid and its 2 rows" in text_of(
        ada.get(at(survey, "grids/pay_without_receipt/delete/"))
    )
    ada.post(at(survey, "grids/pay_without_receipt/delete/"))
    assert keys(survey) == ["leave_out_job", "tax"]


def test_a_published_survey_shows_rows_with_their_heading_and_lets_nobody_write(
    ada: Client, survey: Survey
) -> None:
    save_grid(
        survey=survey, heading="Do you …", rows=["own?", "rent?"], kind="yes-no", design="strong"
    )
    publish_survey(survey)
    assert "Do you … – own?" in text_of(ada.get(at(survey, "questions/")))
    for part in ("grids/new/", "grids/own/", "grids/own/delete/"):
        assert ada.get(at(survey, part)).status_code == 409
    for part in ("grids/own/up/", "questions/own/take-out/"):
        assert ada.post(at(survey, part), {"count": "1"}).status_code in (302, 409)
    assert keys(survey) == ["tax", "own", "rent"]
