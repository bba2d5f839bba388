"""The panel of a question, surveys that belong together, two editors at once, and texts of all sorts."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.authoring.planning.wording_advice import advise
from surveys.definition.designs.levels import EPSILONS, recommend_design
from surveys.definition.freezing import build_definition
from surveys.models import Survey
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    create_researcher,
    publish_survey,
)
from tests.helpers.html_forms import Form, errors

pytestmark = pytest.mark.django_db
TEXTS = {"title": "A", "introduction": "", "contact": "", "language": "en"}


@pytest.mark.parametrize("size", [2, 3, 5, 14, 100])
def test_a_level_costs_no_more_than_it_says(ada: User, size: int) -> None:
    for level, epsilon in EPSILONS.items():
        survey = create_draft(ada)
        labels = [f"Choice {number}" for number in range(size)]
        best = recommend_design(size, epsilon)
        add_choice(survey, labels=labels, design=best.design, parameters=best.parameters)
        assert 0.98 * float(epsilon) <= build_definition(survey).epsilon <= float(epsilon), level


def test_the_panel_is_fetched_alone_and_stores_nothing(client: Client, ada: User) -> None:
    survey = create_draft(ada)
    sent = {"kind": "yes-no", "text": "Did you?", "design": "light", "show": "panel"}
    page = client.post(f"/surveys/{survey.slug}/questions/new/", sent, headers={"X-Panel": "1"})
    text = page.content.decode()
    assert "<html" not in text
    assert 'id="panel"' in text
    assert "autofocus" not in text
    assert "90 times in 100" in text
    assert "1,664 respondents" in text
    assert not survey.questions.exists()


def test_the_panel_says_what_is_still_to_mend(client: Client, ada: User) -> None:
    survey = create_draft(ada)
    sent = {
        "kind": "choice",
        "text": "Which?",
        "choices": "One",
        "design": "light",
        "show": "panel",
    }
    page = client.post(f"/surveys/{survey.slug}/questions/new/", sent, headers={"X-Panel": "1"})
    assert (page.status_code, "at least two choices" in page.content.decode()) == (200, True)


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"project": "x" * 101}, "project", "has 101 characters"),
        ({"consent": "x" * 5001}, "consent", "5,001 characters"),
    ],
)
def test_a_wrong_text_gets_its_message(
    client: Client, ada: User, changes: dict[str, str], field: str, message: str
) -> None:
    survey = create_draft(ada)
    response = client.post(f"/surveys/{survey.slug}/welcome/", TEXTS | changes)
    assert message in errors(response)[field]
    assert Form(response).values[field] == changes[field]
    assert Survey.objects.get().title == survey.title


def test_surveys_of_one_project_are_added_up(client: Client, ada: User) -> None:
    for name in ("One", "Two"):
        survey = create_draft(ada, title=name, project="Town")
        add_yes_no(survey)
        publish_survey(survey)
    elsewhere = create_draft(create_researcher("eve"), project="Town")
    add_yes_no(elsewhere)
    publish_survey(elsewhere)
    page = client.get(f"/surveys/{survey.slug}/questions/").content.decode()
    assert "everything that belongs together has a privacy loss ε = 2.20" in page
    assert "1 other published survey of the project" in page


def test_the_second_of_two_editors_is_told_and_nothing_is_lost(client: Client, ada: User) -> None:
    survey = create_draft(ada)
    add_yes_no(survey)
    address = f"/surveys/{survey.slug}/questions/tax/"
    first, second = Form(client.get(address)).values, Form(client.get(address)).values
    assert client.post(address, first | {"text": "By the first?"}).status_code == 302
    response = client.post(address, second | {"text": "By the second?"})
    assert response.status_code == 422
    assert "Someone saved changes while you were writing" in response.content.decode()
    assert survey.questions.get().text == "By the first?"
    again = Form(response).values
    assert again["text"] == "By the second?"
    assert client.post(address, again).status_code == 302  # told, and meant
    assert survey.questions.get().text == "By the second?"


def test_the_same_holds_for_the_texts(client: Client, ada: User) -> None:
    survey = create_draft(ada)
    address = f"/surveys/{survey.slug}/welcome/"
    first, second = Form(client.get(address)).values, Form(client.get(address)).values
    assert client.post(address, first | {"title": "First"}).status_code == 302
    response = client.post(address, second | {"title": "Second"})
    assert response.status_code == 422
    survey.refresh_from_db()
    assert survey.title == "First"
    assert client.post(address, Form(response).values).status_code == 302


@pytest.mark.parametrize(
    ("steps", "order"), [("2", "bca"), ("-5", "abc"), ("x", "abc"), ("", "abc")]
)
def test_dragging_moves_by_so_many_places(
    client: Client, ada: User, steps: str, order: str
) -> None:
    survey = create_draft(ada)
    for key in "abc":
        add_yes_no(survey, key)
    client.post(f"/surveys/{survey.slug}/questions/a/move/", {"steps": steps})
    assert "".join(survey.questions.values_list("key", flat=True)) == order


@pytest.mark.parametrize(
    ("sent", "field", "message"),
    [
        ({"kind": "number"}, "minimum", "must be a whole number"),
        (
            {"kind": "number", "minimum": "1", "maximum": "1"},
            "minimum",
            "must be above the smallest",
        ),
        (
            {"kind": "number", "minimum": "0", "maximum": "1000"},
            "minimum",
            "there are 1,001 values",
        ),
        ({"kind": "number", "minimum": "1.5", "maximum": "3"}, "minimum", "must be a whole number"),
        ({"kind": "yes-no", "anchor": "120"}, "anchor", "between 0 and 100"),
        ({"kind": "yes-no", "section": "x" * 201}, "section", "has 201 characters"),
        ({"kind": "any", "choices": "One", "design": "strong"}, "choices", "at least two choices"),
    ],
)
def test_what_a_question_cannot_be_is_said(
    client: Client, ada: User, sent: dict[str, str], field: str, message: str
) -> None:
    survey = create_draft(ada)
    full = {"text": "How?", "design": "balanced"} | sent
    assert message in errors(client.post(f"/surveys/{survey.slug}/questions/new/", full))[field]
    assert not survey.questions.exists()


def test_texts_are_shown_as_they_are_in_any_script(client: Client, ada: User) -> None:
    text = "<script>alert(1)</script> هل دفعت الضرائب؟ " + "长" * 300
    survey = create_draft(ada, title="<b>עברית</b>")
    client.post(
        f"/surveys/{survey.slug}/questions/new/",
        {"kind": "yes-no", "text": text, "design": "strong"},
    )
    page = client.get(f"/surveys/{survey.slug}/").content.decode()
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page
    assert "<bdi>&lt;b&gt;עברית&lt;/b&gt;</bdi>" in page


def test_advice_is_gentle_and_right() -> None:
    assert advise("Did you take something from a shop without paying?") == []
    assert "Two negatives" in advise("Did you never not pay?")[0]
    assert "two things at once" in advise("Do you drink and smoke?")[0]
    assert "push people" in advise("Don’t you agree?")[0]
    assert "different to everyone" in advise("Do you often drink?")[0]
    assert "300 characters" in advise("x" * 300)[0]
    assert advise("Trinkst du oft and not never?", "de") == []


def test_the_total_speaks_of_scrambled_answers_only(client: Client, ada: User) -> None:
    """Background answers come on top, and are told apart by anybody who sees what was sent."""
    survey = create_draft(ada)
    add_yes_no(survey)
    add_background(survey)
    page = " ".join(client.get(f"/surveys/{survey.slug}/publish/").content.decode().split())
    assert "With your scrambled answer: at most 75. That is a weak hint." in page
    assert "Answers marked “Not scrambled” could identify you." in page
    assert "Nothing protects them: they could identify a person." in page
