"""Conditions as authors write them: on the question's page without code, through the API, and what changes break."""

import re

import pytest
from django.test import Client

from surveys.models import Question, Survey
from tests.factories.surveys import add_background, add_yes_no, create_draft
from tests.helpers.html_forms import Form

pytestmark = pytest.mark.django_db
YOUNG = {"of": "age", "from": 18, "to": 25}
MINOR = {"of": "age", "from": 16, "to": 17}
WOMEN = {"of": "sex", "in": ["Female"]}
TYPED = {
    "kind": "yes-no",
    "text": "More?",
    "design": "balanced",
    "key": "more",
    "mode": "automatic",
}


def asked() -> Survey:
    survey = create_draft()
    age = add_background(survey, "age", ())
    Question.objects.filter(pk=age.pk).update(kind="number", minimum=16, maximum=99)
    add_background(survey, "sex", ("Female", "Male", "Other"))
    add_yes_no(survey)
    return survey


def author(survey: Survey) -> Client:
    client = Client()
    client.force_login(survey.owner)
    return client


def post(survey: Survey, key: str = "new", **typed: object):
    return author(survey).post(f"/surveys/{survey.slug}/questions/{key}/", TYPED | typed)


def page(survey: Survey, rest: str = "") -> str:
    return author(survey).get(f"/surveys/{survey.slug}/{rest}").content.decode()


@pytest.mark.parametrize(
    ("typed", "when"),
    [
        ({}, None),
        ({"when-join": "all"}, None),
        ({"when-of-age-from": "18", "when-of-age-to": "25"}, YOUNG),
        ({"when-of-age-to": " 25 "}, {"of": "age", "from": 16, "to": 25}),
        ({"when-of-sex": ["Female", "Other"]}, {"of": "sex", "in": ["Female", "Other"]}),
        ({"when-of-sex": ["Female", "Nobody"]}, WOMEN),
        ({"when-of-age-from": "18", "when-of-age-to": "25", "when-of-sex": ["Female"]}, {"all": [YOUNG, WOMEN]}),
        ({"when-of-age-to": "17", "when-of-sex": ["Female"], "when-join": "any"}, {"any": [MINOR, WOMEN]}),
    ],
)  # fmt: skip
def test_ticking_answers_and_naming_a_range_writes_a_condition(
    typed: dict, when: dict | None
) -> None:
    survey = asked()
    assert post(survey, **typed).status_code == 302
    assert survey.questions.get(key="more").when == when
    if when:  # and the page shows it as it was typed
        shown = page(survey, "questions/more/")
        assert re.search('<details class="fold" open>\\s*<summary id="id_when">', shown)
        assert ('value="Female" autocomplete="off" checked' in shown) == ("Female" in str(when))
        assert ("Asked only if “About age?” is" in shown) == ("age" in str(when))
        assert "Asked only if “" in page(survey)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"when-of-age-from": "old"}, "Write whole numbers in a condition"),
        ({"when-of-age-from": "40", "when-of-age-to": "20"}, "the range from 40 to 20 is empty"),
        (
            {"when-of-age-from": "5", "when-of-age-to": "20"},
            "takes numbers from 16 to 99; the condition says 5 to 20",
        ),
    ],
)
def test_what_is_wrong_is_said_and_nothing_typed_is_lost(typed: dict, said: str) -> None:
    survey = asked()
    answer = post(survey, **typed, **{"when-of-sex": ["Male"]})
    shown = answer.content.decode()
    assert answer.status_code == 422
    assert said in shown
    assert 'value="Male" autocomplete="off" checked' in shown
    assert all(f'value="{value}"' in shown for value in typed.values())
    assert not survey.questions.filter(key="more").exists()


def test_background_questions_are_offered_those_after_it_apart() -> None:
    survey = asked()
    post(survey)
    add_background(survey, "later")
    shown = page(survey, "questions/more/")
    before, after = shown.split("Questions after this one")
    assert re.findall(r'name="when-of-([a-z]+)', before) == ["age", "age", "sex", "sex", "sex"]
    assert {*re.findall(r'name="when-of-([a-z]+)', after)} == {"later"}
    alone = create_draft(survey.owner)
    add_yes_no(alone)
    assert "Conditions use earlier background questions" in page(alone, "questions/tax/")


def test_what_the_page_cannot_show_is_kept_unless_the_author_says_otherwise() -> None:
    survey = asked()
    nested = {"any": [YOUNG, {"all": [WOMEN, {"of": "age", "from": 40, "to": 50}]}]}
    add_yes_no(survey, "more", when=nested)
    shown = page(survey, "questions/more/")
    assert "Keep this condition unchanged" in shown
    assert (
        "“About age?” is 18 to 25 or (“About sex?” is “Female” and “About age?” is 40 to 50)"
        in shown
    )
    edition = survey.questions.get(key="more").edition
    post(survey, "more", edition=edition, **{"when-keep": "1", "when-of-sex": ["Male"]})
    assert survey.questions.get(key="more").when == nested
    post(survey, "more", edition=edition + 1, **{"when-of-sex": ["Male"]})
    assert survey.questions.get(key="more").when == {"of": "sex", "in": ["Male"]}


def test_the_panel_says_the_condition_while_it_is_typed() -> None:
    survey = asked()
    typed = TYPED | {"show": "panel", "when-of-sex": ["Female"]}
    shown = author(survey).post(
        f"/surveys/{survey.slug}/questions/new/", typed, headers={"X-Panel": "1"}
    )
    assert '<div id="whom">Asked only if “About sex?” is “Female”.' in shown.content.decode()


def test_moving_deleting_and_changing_a_parent_says_what_breaks() -> None:
    survey = asked()
    post(survey, **{"when-of-sex": ["Female"]})
    client, path = author(survey), f"/surveys/{survey.slug}/"
    assert "More?" in page(survey, "questions/sex/delete/")
    broken = "Question 3 (“More?”), condition: It depends on “About sex?”, which is asked after it."
    client.post(f"{path}questions/sex/move/", {"steps": "2"})
    assert broken in client.get(path).content.decode()
    assert "Condition: It depends on “About sex?”, which is asked after it." in page(survey)
    assert broken not in client.get(path).content.decode()  # said once
    client.post(f"{path}questions/sex/move/", {"steps": "-2"})
    client.post(f"{path}questions/sex/delete/")
    assert (
        "Question 3 (“More?”), condition: It depends on “sex”" in client.get(path).content.decode()
    )
    assert survey.questions.get(key="more").when == WOMEN


def test_a_condition_follows_a_name_and_an_answer_that_are_written_otherwise() -> None:
    survey = asked()
    post(survey, **{"when-of-sex": ["Female", "Other"]})
    typed = {
        "kind": "background",
        "text": "Gender?",
        "key": "gender",
        "choices": "Woman\nMale\nOther",
        "edition": "0",
    }
    assert author(survey).post(f"/surveys/{survey.slug}/questions/sex/", typed).status_code == 302
    assert survey.questions.get(key="more").when == {"of": "gender", "in": ["Woman", "Other"]}


def test_an_answer_that_is_gone_breaks_the_condition_and_is_named() -> None:
    survey = asked()
    post(survey, **{"when-of-sex": ["Female", "Other"]})
    typed = {
        "kind": "background",
        "text": "Sex?",
        "key": "sex",
        "choices": "Female\nMale",
        "edition": "0",
    }
    client = author(survey)
    client.post(f"/surveys/{survey.slug}/questions/sex/", typed)
    assert (
        "“Other” is not an answer to “Sex?”. It has “Female”, “Male”."
        in client.get(f"/surveys/{survey.slug}/").content.decode()
    )


# --- The API.


def put(survey: Survey, questions: list[dict]):
    body = {"title": "A survey", "limit": "9", "questions": questions}
    return author(survey).put(
        f"/api/v1/surveys/{survey.slug}/", body, content_type="application/json"
    )


QUESTIONS = [
    {"key": "sex", "kind": "background", "text": "Sex?", "choices": ["Female", "Male"]},
    {"key": "tax", "kind": "yes-no", "text": "Tax?", "design": "balanced"},
    {"key": "care", "kind": "yes-no", "text": "Care?", "design": "balanced", "section": "Care"}
    | {"when": WOMEN, "when_section": True},
]  # fmt: skip


def test_the_api_takes_conditions_and_gives_them_back() -> None:
    survey = asked()
    answer = put(survey, QUESTIONS)
    assert answer.status_code == 200, answer.content
    shown = author(survey).get(f"/api/v1/surveys/{survey.slug}/").json()
    assert [(each["when"], each["when_section"]) for each in shown["questions"]] == [
        (None, False),
        (None, False),
        (WOMEN, True),
    ]
    assert put(survey, shown["questions"]).status_code == 200
    assert (
        author(survey).get(f"/api/v1/surveys/{survey.slug}/").json()["questions"]
        == shown["questions"]
    )


@pytest.mark.parametrize(
    ("when", "said"),
    [
        ({"of": "tax", "in": ["Yes"]}, "is sensitive"),
        ({"of": "sex", "in": ["Nobody"]}, "“Nobody” is not an answer"),
        ({"of": "care", "in": ["Yes"]}, "which is sensitive"),
        ({"of": "sex", "from": 1, "to": 2}, "doesn’t ask for a number"),
        ({"of": "sex"}, "Write a condition as"),
        ("sex", "Write a condition as"),
    ],
)
def test_the_api_names_the_place_of_a_wrong_condition_and_stores_nothing(
    when: object, said: str
) -> None:
    survey = asked()
    answer = put(survey, [*QUESTIONS[:2], QUESTIONS[2] | {"when": when}])
    assert answer.status_code in (400, 422)
    assert said in answer.json()["errors"]["questions.2.when"]
    assert [question.key for question in survey.questions.all()] == ["age", "sex", "tax"]


def test_a_condition_may_name_a_question_that_comes_with_it_but_not_later() -> None:
    survey = asked()
    answer = put(survey, [QUESTIONS[2], *QUESTIONS[:2]])
    assert "which is asked after it" in answer.json()["errors"]["questions.0.when"]


def test_a_condition_on_a_later_question_moves_that_before_this_one() -> None:
    survey = create_draft()
    tax, region, sex = (
        add_yes_no(survey),
        add_background(survey),
        add_background(survey, "sex", ("Woman", "Man")),
    )
    client, at = author(survey), f"/surveys/{survey.slug}/questions/{tax.key}/"
    before = client.get(at)
    assert "Questions after this one" in before.content.decode()
    saved = client.post(at, Form(before).values | {"when-of-sex": "Woman"}, follow=True)
    assert [question.key for question in survey.questions.all()] == ["sex", "tax", "region"]
    assert survey.questions.get(key="tax").when == {"of": "sex", "in": ["Woman"]}
    assert "now comes before it." in saved.content.decode()
    assert {tax.pk, region.pk, sex.pk} == {question.pk for question in survey.questions.all()}


def test_where_the_question_cannot_be_saved_nothing_moves() -> None:
    survey = create_draft()
    tax, region = add_yes_no(survey), add_background(survey)
    client, at = author(survey), f"/surveys/{survey.slug}/questions/{tax.key}/"
    label = region.choices.first().label
    refused = client.post(at, Form(client.get(at)).values | {"when-of-region": label, "text": ""})
    assert refused.status_code == 422
    assert [question.key for question in survey.questions.all()] == ["tax", "region"]
    assert "now comes before it." not in client.get(at).content.decode()
    assert label in Form(refused).values["when-of-region"]
