"""The author chooses which background questions make groups: at most three, at every door, told in plain words."""

import pytest
from django.test import Client

from surveys.authoring.drafts import drafts
from surveys.authoring.files import survey_file
from surveys.definition.parsing import parse_instrument
from surveys.models import Question, Survey
from surveys.site.errors import Invalid
from tests.api.test_reading import client_of
from tests.factories.surveys import add_background, add_yes_no, create_draft, publish_survey
from tests.helpers.html_forms import Form, errors

pytestmark = pytest.mark.django_db


def add(survey: Survey, text: str, **more: object) -> Question:
    asked = {"kind": "background", "choices": ["One", "Two"], "key": text.lower()} | more
    return drafts.save_question(survey=survey, text=text, **asked)


def chosen(survey: Survey) -> list[str]:
    return list(survey.questions.filter(cut=True).values_list("key", flat=True))


def four() -> Survey:
    survey = create_draft()
    for text in ("Region", "Sex", "Age"):
        add(survey, text, cut=True)
    add(survey, "Town")
    return survey


def test_a_background_question_makes_groups_only_if_its_author_says_so() -> None:
    survey = create_draft()
    add(survey, "Faculty")
    add(survey, "Year", kind="number", minimum="1", maximum="6", choices=[])
    assert chosen(survey) == []


def test_at_most_three_background_questions_make_groups() -> None:
    survey = four()
    assert chosen(survey) == ["region", "sex", "age"]
    add(survey, "Tax", kind="yes-no", design="two-coin", cut=True)
    assert chosen(survey) == ["region", "sex", "age"]
    with pytest.raises(Invalid) as raised:
        add(survey, "School", cut=True)
    assert raised.value.errors == {
        "cut": "At most three questions make groups: region, sex, age. Remove one of these first."
    }


def test_a_choice_stays_until_it_is_changed_and_the_history_tells() -> None:
    survey = four()
    sex = survey.questions.get(key="sex")
    saved = drafts.save_question(
        survey=survey, question=sex, key="sex", text="Sex?", kind="background", choices=["A", "B"]
    )
    assert saved.cut
    again = {"survey": survey, "key": "sex", "text": "Sex?", "by": survey.owner}
    drafts.save_question(question=sex, kind="background", choices=["A", "B"], cut=False, **again)
    assert chosen(survey) == ["region", "age"]
    assert survey.events.first().detail == "question sex: groups in the report"
    region = survey.questions.get(key="region")
    drafts.save_question(
        survey=survey, question=region, key="region", text="R?", kind="yes-no", design="two-coin"
    )
    assert chosen(survey) == ["age"]


def test_what_is_chosen_is_frozen_and_goes_into_copies_and_files() -> None:
    survey = four()
    survey.questions.filter(key="sex").update(cut=False)
    assert chosen(survey_file.duplicate(survey, survey.owner)) == ["region", "age"]
    assert parse_instrument(publish_survey(survey)).cut == ("region", "age")
    assert chosen(survey_file.new_version(survey, survey.owner)) == ["region", "age"]


def test_an_imported_file_without_the_setting_makes_no_groups() -> None:
    survey = four()
    written = survey_file.write(survey)
    for question in written["questions"]:
        del question["cut"]
    assert chosen(survey_file.read(written, owner=survey.owner)) == []


def test_a_program_chooses_and_reads_what_is_chosen() -> None:
    survey = create_draft()
    program, address = client_of(survey.owner), f"/api/v1/surveys/{survey.slug}/"
    asked = [
        {"key": key, "kind": "background", "text": key, "choices": ["A", "B"]}
        | ({} if cut is None else {"cut": cut})
        for key, cut in (("region", False), ("sex", None), ("age", True), ("town", None))
    ]
    answer = program.patch(address, {"questions": asked}, content_type="application/json")
    assert answer.status_code == 200, answer.content
    assert [question["cut"] for question in program.get(address).json()["questions"]] == [
        False,
        False,
        True,
        False,
    ]
    for question in asked:
        question["cut"] = True
    refused = program.patch(address, {"questions": asked}, content_type="application/json")
    assert refused.status_code == 422
    assert refused.json()["errors"] == {
        "questions.3.cut": "At most three questions make groups: region, sex, age. Remove one of these first."
    }


def test_the_page_of_a_new_question_selects_no_groups(client: Client) -> None:
    survey = create_draft()
    client.force_login(survey.owner)
    page = f"/surveys/{survey.slug}/questions/new/"
    assert "checked" not in Form(client.get(page)).ids["id_cut"]
    typed = {"kind": "background", "text": "Town?", "key": "town", "choices": "A\nB"}
    assert client.post(page, typed).status_code == 302
    assert chosen(survey) == []


def test_the_page_offers_the_choice_and_says_what_is_wrong_with_it(client: Client) -> None:
    survey = four()
    client.force_login(survey.owner)
    for page, is_ticked in (("region", True), ("new", False)):
        box = Form(client.get(f"/surveys/{survey.slug}/questions/{page}/")).ids["id_cut"]
        assert (box["value"], box["aria-describedby"], "checked" in box) == (
            "1",
            "id_cut_helptext",
            is_ticked,
        )
    typed = {"kind": "background", "text": "Town?", "key": "town", "choices": "A\nB", "cut": "1"}
    refused = client.post(f"/surveys/{survey.slug}/questions/town/", typed)
    assert errors(refused) == {
        "cut": "At most three questions make groups: region, sex, age. Remove one of these first."
    }
    assert (
        client.post(
            f"/surveys/{survey.slug}/questions/sex/", typed | {"key": "sex", "cut": ""}
        ).status_code
        == 302
    )
    assert chosen(survey) == ["region", "age"]
    shown = client.get(f"/surveys/{survey.slug}/").content.decode()
    assert shown.count("Report group</span>") == 2


def test_closing_says_that_it_fixes_the_groups(client: Client) -> None:
    for cut in (True, False):
        survey = create_draft(Survey.objects.first().owner if Survey.objects.exists() else None)
        add_yes_no(survey)
        add_background(survey, cut=cut)
        publish_survey(survey)
        client.force_login(survey.owner)
        page = client.get(f"/surveys/{survey.slug}/close/").content.decode()
        assert ("Closing also fixes the report groups" in page) is cut
