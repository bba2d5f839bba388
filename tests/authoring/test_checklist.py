"""What an author is told before publishing, and where the focus stays while a draft is worked on."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from surveys.authoring.planning.checklist import Point, Worth, language_of, points, verdict
from surveys.authoring.planning.overview import survey_overview
from surveys.models import Event, Survey
from tests.factories.surveys import add_background, add_choice, add_yes_no, create_draft

pytestmark = pytest.mark.django_db


def told(survey: Survey) -> dict[str, Point]:
    survey = Survey.objects.get(pk=survey.pk)
    return {point.short: point for point in points(survey, survey_overview(survey))}


@pytest.mark.parametrize(
    ("severities", "sentence"),
    [
        (["must", "think", "think", "fine"], "One thing stands in the way"),
        (["must", "must", "think"], "Two things stand in the way"),
        (["think", "fine", "fine"], "One thing to look at"),
        (["think"] * 6, "Six things to look at"),
        (["think"] * 7, "7 things to look at"),
        (["fine"], "Nothing in the way"),
        ([], "Nothing in the way"),
    ],
)
def test_the_verdict_counts_the_worst_points_only(severities: list[Worth], sentence: str) -> None:
    assert verdict([Point(severity, "Short", "A sentence.") for severity in severities]) == sentence


def test_a_survey_that_is_ready_has_nothing_to_mend() -> None:
    survey = create_draft(
        contact="ada@example.org", consent="I agree to all of this.", target=5_000
    )
    add_yes_no(survey, design="two-coin")
    add_background(survey, cut=True)
    found = told(survey)
    assert {point.severity for point in found.values()} == {"fine"}
    assert "“About region?”. Small groups are merged" in found["Groups"].sentence
    survey.questions.update(cut=False)
    assert told(survey)["No groups"].severity == "think"
    assert found["Protection"].sentence.startswith("Guessed right at most 75 times in 100.")


def test_no_privacy_loss_is_told_smaller_than_it_is(client: Client, ada: User) -> None:
    """Four times two coins cost 4.3944..., which rounds to 4.39."""
    survey = create_draft(ada)
    for key in "abcd":
        add_yes_no(survey, key, design="two-coin")
    assert survey_overview(survey).epsilon > 4.39
    assert "All answers together: at most 99." in told(survey)["Almost no protection"].sentence
    for page in ("", "publish/", "questions/a/"):
        text = client.get(f"/surveys/{survey.slug}/{page}").content.decode()
        assert "4.39" not in text.replace("4.3945", ""), page
    assert (
        "ε is 1.10 for one answer, 4.40 for all"
        in client.get(f"/surveys/{survey.slug}/").content.decode()
    )


def test_an_empty_draft_must_get_a_question_first() -> None:
    found = list(told(create_draft()).values())
    assert (found[0].severity, found[0].mend) == ("must", "new-question")
    assert [point.severity for point in found] == ["must", "think", "think"]


def test_the_worst_comes_first_and_each_names_what_mends_it() -> None:
    survey = create_draft(target=400, closes=timezone.now() - timedelta(days=1))
    for key in ("a", "b", "c"):
        add_yes_no(survey, key, design="two-coin")
    add_yes_no(survey, "broken", parameters={"p": "1"})
    found = told(survey)
    assert [(point.severity, point.mend) for point in found.values()] == [
        ("must", "question"),
        ("must", "protection"),
        ("must", "schedule"),
        ("think", "edit"),
        ("think", "edit"),
        ("fine", ""),
    ]
    assert found["Question 4 is not ready"].question == "broken"
    assert "Respondents will read “strong evidence”." in found["Almost no protection"].sentence
    said = "With 400 people, every question will have a number. 3 questions will be rough."
    assert found["Precision"].sentence == said


def test_a_question_that_will_show_nothing_is_named() -> None:
    survey = create_draft(target=5_000)
    add_choice(survey, "any", kind="any", design="unary-any", parameters={"epsilon": "1"})
    point = told(survey)["1 without a number"]
    assert (point.question, point.severity) == ("any", "think")


@pytest.mark.parametrize(
    ("text", "chosen", "found"),
    [
        ("Have you ever evaded taxes in the past year? What did you do with it?", "de", "en"),
        (
            "Haben Sie im letzten Jahr Steuern hinterzogen, und wie oft ist das der Fall?",
            "en",
            "de",
        ),
        (
            "Avez-vous fraudé le fisc ? Quelle est la somme, et dans quel pays vivez-vous avec votre famille ?",
            "en",
            "fr",
        ),
        (
            "¿Ha evadido usted impuestos? ¿Con qué frecuencia lo ha hecho para los suyos?",
            "en",
            "es",
        ),
        ("هل تهربت من دفع الضرائب؟", "en", "ar"),
        (
            "Haben Sie im letzten Jahr Steuern hinterzogen, und wie oft ist das der Fall?",
            "de",
            "de",
        ),
        ("Region? Tax? Fruit?", "fr", "fr"),
        ("", "es", "es"),
    ],
)
def test_the_language_of_texts_is_noticed_where_it_is_clear(
    text: str, chosen: str, found: str
) -> None:
    assert language_of(text, chosen) == found


def test_a_german_page_around_english_questions_is_noticed() -> None:
    survey = create_draft(
        language="de",
        introduction="This is a survey of the tax that you did not pay, and of the reasons.",
    )
    add_yes_no(survey)
    assert "Texts in English?" in told(survey)


@pytest.mark.parametrize(
    ("keys", "named"),
    [
        (("q1", "q2", "q10"), None),
        (("q2", "tax", "q1"), "q1"),
        (("tax", "fruit"), None),
        (("q3", "q10", "q7"), "q7"),
    ],
)
def test_names_that_count_in_another_order_are_noticed(
    keys: tuple[str, ...], named: str | None
) -> None:
    survey = create_draft()
    for key in keys:
        add_yes_no(survey, key)
    point = told(survey).get("Names out of order")
    assert (point and point.question) == named


@pytest.mark.parametrize(
    ("step", "place"),
    [("up", "?at=b&did=up"), ("down", "?at=b&did=down"), ("delete", "?at=c&did=")],
)
def test_the_focus_stays_at_the_question_that_was_worked_on(
    client: Client, ada: User, step: str, place: str
) -> None:
    survey = create_draft(ada)
    for key in "abc":
        add_yes_no(survey, key)
    answer = client.post(f"/surveys/{survey.slug}/questions/b/{step}/")
    assert answer["Location"] == f"/surveys/{survey.slug}/{place}"
    page = client.get(answer["Location"]).content.decode()
    assert page.count("autofocus") == 1


def test_a_remedy_is_one_press_away(client: Client, ada: User) -> None:
    survey = create_draft(ada, target=1_000, protection="balanced")
    add_choice(survey, "any", kind="any", labels="ABCDEF", design="", parameters={})
    page = client.get(f"/surveys/{survey.slug}/").content.decode()
    assert "Needs about 2,300 people to show a number, whatever they answer." in page
    assert "As 6 yes/no rows: no number" in page
    client.post(f"/surveys/{survey.slug}/questions/any/rows/")
    assert survey.questions.count() == 6
    first = survey.questions.first().key
    refused = client.post(f"/surveys/{survey.slug}/questions/{first}/rows/", follow=True)
    assert "This question can’t be changed like that." in refused.content.decode()


def test_the_history_says_what_changed_and_what_moved(client: Client, ada: User) -> None:
    survey = create_draft(ada)
    for key in "ab":
        add_yes_no(survey, key, design="two-coin")
    client.post(f"/surveys/{survey.slug}/questions/a/down/")
    client.post(f"/surveys/{survey.slug}/questions/a/down/")  # is the last already
    sent = {"kind": "yes-no", "text": "Changed?", "key": "a", "design": "strong", "edition": "0"}
    client.post(f"/surveys/{survey.slug}/questions/a/", sent)
    details = list(Event.objects.order_by("pk").values_list("detail", flat=True))
    assert details == [
        "question a moved from place 1 to 2",
        "question a: question, design, parameters of the design",
    ]
