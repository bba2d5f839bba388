"""What an author can do to a draft, without any page."""

import pytest

from surveys.authoring.drafts import drafts
from surveys.definition.freezing import build_definition
from surveys.models import Choice, Question, Survey
from surveys.site.errors import Invalid, Refused
from tests.factories.surveys import (
    FRUIT,
    add_choice,
    add_yes_no,
    create_draft,
    create_researcher,
    publish_survey,
)

pytestmark = pytest.mark.django_db


def add(survey: Survey, **changes: object) -> Question:
    written = {"kind": "yes-no", "text": "Did you?", "design": "two-coin"}
    return drafts.save_question(survey=survey, **(written | changes))


def errors(survey: Survey, **changes: object) -> dict[str, str]:
    before = list(survey.questions.values())
    with pytest.raises(Invalid) as raised:
        add(survey, **changes)
    assert list(survey.questions.values()) == before
    return raised.value.errors


def keys(survey: Survey) -> list[str]:
    return list(survey.questions.values_list("key", flat=True))


def test_a_survey_is_written_and_rewritten() -> None:
    survey = drafts.create_survey(
        owner=create_researcher(), title="  Tax\nand you ", introduction="One.\r\n\r\nTwo. "
    )
    assert (survey.title, survey.introduction, survey.contact) == (
        "Tax and you",
        "One.\n\nTwo.",
        "",
    )
    drafts.update_settings(survey, {"title": "Tax", "contact": "ada@example.org"})
    survey.refresh_from_db()
    assert (survey.title, survey.introduction, survey.contact) == (
        "Tax",
        "One.\n\nTwo.",
        "ada@example.org",
    )


def test_texts_of_a_survey_are_checked_all_at_once() -> None:
    with pytest.raises(Invalid) as raised:
        drafts.create_survey(
            owner=create_researcher(), title=" \u200b ", introduction="x" * 5001, contact="a\x00b"
        )
    assert set(raised.value.errors) == {"title", "introduction", "contact"}
    assert "5,001 characters. At most 5,000" in raised.value.errors["introduction"]
    assert "character 2 is an invisible control character" in raised.value.errors["contact"]
    assert not Survey.objects.exists()


def test_a_question_is_stored_with_its_choices_in_order() -> None:
    survey = create_draft()
    question = add(
        survey,
        kind="choice",
        text="Which fruit?",
        help="Any.",
        key="fruit",
        decline=True,
        choices=[" Pear", "", "Apple  pie", "Plum"],
        design="unary",
        parameters={"p": " 3/4", "q": "0.25", "epsilon": ""},
    )
    question.refresh_from_db()
    assert [choice.label for choice in question.choices.all()] == ["Pear", "Apple pie", "Plum"]
    assert (question.key, question.help, question.decline) == ("fruit", "Any.", True)
    assert (question.design, question.parameters) == ("unary", {"p": "3/4", "q": "0.25"})
    assert build_definition(survey).items[0].choices == (
        "Pear",
        "Apple pie",
        "Plum",
        "Prefer not to say",
    )


def test_a_yes_no_question_needs_no_choices_and_ignores_them() -> None:
    question = add(create_draft(), choices=["Red", "Red"])
    assert not question.choices.exists()


def test_a_background_question_has_no_design() -> None:
    question = add(
        create_draft(),
        kind="background",
        choices=["North", "South"],
        decline=True,
        parameters={"p": "x"},
    )
    assert (question.design, question.parameters, question.decline) == ("", {}, True)


def test_rewriting_a_question_replaces_its_choices() -> None:
    survey = create_draft()
    question = add_choice(survey)
    add(
        survey,
        question=question,
        kind="choice",
        choices=["Fig", "Date"],
        key="fruit",
        text="Sweet?",
    )
    assert list(Choice.objects.values_list("label", flat=True)) == ["Fig", "Date"]
    assert survey.questions.get().text == "Sweet?"


def test_a_wrong_rewrite_leaves_everything_as_it_was() -> None:
    survey = create_draft()
    question = add_choice(survey)
    assert set(errors(survey, question=question, kind="choice", choices=["Fig"])) == {"choices"}
    assert tuple(Choice.objects.values_list("label", flat=True)) == FRUIT
    assert survey.questions.get().text == question.text


def test_variable_names_are_filled_with_the_next_free_one() -> None:
    survey = create_draft()
    add(survey)
    add(survey, key="q3")
    add(survey)
    assert keys(survey) == ["q1", "q3", "q4"]


def test_a_variable_name_is_made_from_the_short_name_and_stays() -> None:
    survey = create_draft()
    question = add(survey, text="Did you pay taxes on nothing at all?", short="Undeclared income")
    assert question.key == "undeclared_income"
    question = add(
        survey, question=question, key=question.key, text="Did you pay taxes?", short="Evasion"
    )
    assert question.key == "undeclared_income"


def test_a_variable_name_is_unique_in_its_survey_only() -> None:
    survey, other = create_draft(), create_draft(create_researcher("bob"))
    question = add(survey, key="tax")
    assert "Another question has “tax”" in errors(survey, key="tax", text="Again?")["key"]
    add(other, key="tax")
    add(survey, question=question, key="tax", text="Reworded?")


@pytest.mark.parametrize(
    "key", ["1st", "Tax", "a-b", "a b", "ä", "x" * 33, "new", "a\x00", "tax\n.", "_x", "ﬁ"]
)
def test_a_variable_name_of_another_form_is_refused(key: str) -> None:
    assert set(errors(create_draft(), key=key)) == {"key"}


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u200b", "x" * 501, "a\x00b", "\x1b[2J"])
def test_a_blank_overlong_or_unstorable_question_is_refused(text: str) -> None:
    assert set(errors(create_draft(), text=text)) == {"text"}


def test_a_question_of_full_length_in_another_script_is_kept() -> None:
    text = "\u0645\u0631\u062d\u0628\u0627 " * 83
    assert add(create_draft(), text=text).text == text.strip()
    assert (
        add(create_draft(create_researcher("bob")), text="<script>alert(1)</script>?").text
        == "<script>alert(1)</script>?"
    )


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ([], "at least two choices"),
        (["Red"], "at least two choices"),
        (["Red", " ", "\u200b"], "at least two choices"),
        (["Red", "Blue", "Red"], "“Red” appears twice, on lines 1 and 3"),
        (["Red", "", "  red "], "“red” appears twice, on lines 1 and 3"),
        (
            [f"Choice {number}" for number in range(20_001)],
            "These are 20,001 choices. At most 20,000",
        ),
        (["Red", "x" * 201], "Choice on line 2 has 201 characters. At most 200"),
        (["Red", "a\x00"], "Choice on line 2: character 2 is an invisible control character"),
    ],
)
def test_wrong_choices_are_named(choices: list[str], message: str) -> None:
    found = errors(
        create_draft(), kind="choice", choices=choices, design="direct", parameters={"epsilon": "1"}
    )
    assert list(found) == ["choices"]
    assert message in found["choices"]


def test_a_hundred_choices_and_declining_are_allowed() -> None:
    choices = [f"Choice {number}" for number in range(100)]
    question = add(
        create_draft(),
        kind="choice",
        choices=choices,
        decline=True,
        design="direct",
        parameters={"epsilon": "2"},
    )
    assert question.choices.count() == 100


def test_prefer_not_to_say_cannot_be_there_twice() -> None:
    written = {"kind": "choice", "choices": ["Red", "prefer not to say"], "design": "two-coin"}
    assert "added automatically" in errors(create_draft(), **written, decline=True)["choices"]
    add(create_draft(create_researcher("bob")), **written)


def test_declining_makes_a_third_answer_that_designs_for_two_refuse() -> None:
    message = errors(create_draft(), decline=True, design="warner", parameters={"p": "3/4"})[
        "design"
    ]
    assert "This question has 3" in message
    assert "Choose “Direct”" in message


def test_everything_wrong_is_said_at_once() -> None:
    written = {"kind": "choice", "text": "", "key": "?", "help": "x" * 501, "choices": ["a"]}
    found = errors(create_draft(), **written, design="unary", parameters={"p": "0,75", "q": ""})
    assert set(found) == {"text", "key", "help", "choices", "p", "q"}


@pytest.mark.parametrize("kind", ["", "yes_no", "YES-NO", "essay"])
def test_an_unknown_kind_is_refused(kind: str) -> None:
    assert set(errors(create_draft(), kind=kind)) == {"kind"}


def test_questions_move_by_steps_and_stop_at_the_ends() -> None:
    survey = create_draft()
    first, _, last = (add_yes_no(survey, key) for key in ("a", "b", "c"))
    drafts.move_question(survey=survey, question=last, steps=-1)
    assert keys(survey) == ["a", "c", "b"]
    drafts.move_question(survey=survey, question=first, steps=1)
    assert keys(survey) == ["c", "a", "b"]
    drafts.move_question(survey=survey, question=last, steps=-5)
    drafts.move_question(survey=survey, question=last, steps=-1)
    assert keys(survey) == ["c", "a", "b"]


def test_a_deleted_question_leaves_the_others_in_order() -> None:
    survey = create_draft()
    _, second, _ = (add_yes_no(survey, key) for key in ("a", "b", "c"))
    drafts.delete_question(survey=survey, question=second)
    add(survey, key="d")
    assert keys(survey) == ["a", "c", "d"]


def test_a_question_of_another_survey_is_out_of_reach() -> None:
    survey, other = create_draft(), create_draft(create_researcher("bob"))
    theirs = add_yes_no(other)
    for change in (
        lambda: add(survey, question=theirs),
        lambda: drafts.delete_question(survey=survey, question=theirs),
        lambda: drafts.move_question(survey=survey, question=theirs, steps=1),
    ):
        with pytest.raises(Question.DoesNotExist):
            change()
    assert keys(other) == ["tax"]


def test_nothing_can_be_done_to_a_survey_that_was_published_meanwhile() -> None:
    stale = create_draft()
    question = add_yes_no(stale)
    publish_survey(Survey.objects.get(pk=stale.pk))
    assert stale.is_draft  # as another window still believes
    for change in (
        lambda: drafts.update_settings(stale, {"title": "Other"}),
        lambda: drafts.delete_survey(survey=stale),
        lambda: add(stale),
        lambda: add(stale, question=question),
        lambda: drafts.delete_question(survey=stale, question=question),
        lambda: drafts.move_question(survey=stale, question=question, steps=1),
    ):
        with pytest.raises(Refused):
            change()
    assert keys(stale) == ["tax"]


def test_a_deleted_draft_takes_its_questions_along() -> None:
    survey = create_draft()
    add_choice(survey)
    drafts.delete_survey(survey=survey)
    assert not Survey.objects.exists()
    assert not Choice.objects.exists()
