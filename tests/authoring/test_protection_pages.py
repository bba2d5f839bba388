"""The one choice of protection on the pages of a draft: its cards, what a press does, and what the numbers become."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from surveys.authoring.drafts.drafts import save_question
from surveys.definition.freezing import build_definition
from surveys.models import Event, Survey
from tests.factories.surveys import (
    REASON,
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    publish_survey,
)
from tests.helpers.html_forms import Form

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def at(survey: Survey, rest: str = "") -> str:
    return f"/surveys/{survey.slug}/{rest}"


def text_of(answer: object) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def four(owner: User, **more: object) -> Survey:
    survey = create_draft(owner, **{"protection": "balanced"} | more)
    for number in range(4):
        add_yes_no(survey, f"q{number}", design="")
    return survey


def pressed(page: str) -> list[str]:
    return re.findall(r'value="(\w+)" aria-pressed="true"', page)


def test_a_new_survey_is_balanced_and_asks_how_many_people_are_expected(
    client: Client, ada: User
) -> None:
    client.post("/surveys/new/", {"title": "Exams", "target": "762"})
    survey = Survey.objects.get()
    assert (survey.protection, survey.target) == ("balanced", 762)
    client.post("/surveys/new/", {"title": "From paper", "import_only": "1"})
    assert Survey.objects.get(title="From paper").protection == ""
    wrong = client.post("/surveys/new/", {"title": "Exams", "target": "many"})
    assert (wrong.status_code, Form(wrong).values["target"]) == (422, "many")


def test_the_cards_say_what_each_level_gives_away_and_shows(client: Client, ada: User) -> None:
    """The published values of four yes/no questions."""
    survey = four(ada, target=1_000)
    page = client.get(at(survey))
    said = text_of(page)
    for card in (
        "Strong one answer 67 · all 80 No number needs about 1,800 people to show a number, "
        "whatever they answer",
        "Balanced (recommended) one answer 75 · all 90 ±8.7 points",
        "Light one answer 80 · all 95 ±7.3 points",
    ):
        assert card in said
    assert said.count("people to show a number") == 1
    assert pressed(page.content.decode()) == ["balanced"]
    assert (
        "One answer alone: guessed right at most 75 times in 100. All answers together: at most 90."
        in said
    )
    assert "Each person gets 2 of the 4 sensitive questions, picked by their device." in said
    assert "0.1: 77, 0.3: 81, 0.5: 84" in said


def test_without_a_target_nothing_is_promised_and_nothing_is_amber(
    client: Client, ada: User
) -> None:
    survey = four(ada, contact="ada@example.org", consent="Yes.")
    add_background(survey, cut=True)
    page = client.get(at(survey)).content.decode()
    assert "±" not in page
    assert "chip--warn" not in page


def test_a_press_stores_the_level_and_the_history_has_it(client: Client, ada: User) -> None:
    survey = four(ada, target=1_000)
    page = client.post(at(survey, "protection/"), {"protection": "light"}, follow=True)
    assert "The protection is Light." in text_of(page)
    assert pressed(page.content.decode()) == ["light"]
    assert Event.objects.get().detail == "protection: balanced → light"
    for wrong in ("stronger", "9", "light\x00"):
        again = client.post(at(survey, "protection/"), {"protection": wrong}, follow=True)
        assert "Choose strong, balanced or light" in text_of(again)
    assert Survey.objects.get().protection == "light"
    publish_survey(survey)
    assert client.post(at(survey, "protection/"), {"protection": "strong"}).status_code == 409


def test_setting_every_question_yourself_starts_from_what_was_derived_and_a_level_replaces_it(
    client: Client, ada: User
) -> None:
    survey = four(ada)
    derived = build_definition(survey).content
    page = client.post(at(survey, "protection/"), {"protection": ""}, follow=True)
    assert "Every question keeps its current method." in text_of(page)
    assert "A level replaces the methods of 4 questions." in text_of(page)
    assert pressed(page.content.decode()) == []
    assert build_definition(Survey.objects.get()).content == derived
    page = client.post(at(survey, "protection/"), {"protection": "strong"}, follow=True)
    assert "The protection is Strong. It replaces the methods of 4 questions." in text_of(page)
    assert set(survey.questions.values_list("design", flat=True)) == {""}


def test_adding_and_deleting_says_what_that_means_for_all(client: Client, ada: User) -> None:
    """From four to five: 8.7 becomes 9.8, which is the published example; from one to two 75 becomes 90."""
    survey = create_draft(ada, protection="balanced", target=1_000)
    sent = {"kind": "yes-no", "design": ""}
    said = []
    for number in range(5):
        answer = client.post(
            at(survey, "questions/new/"), sent | {"text": f"Did you {number}?"}, follow=True
        )
        said.append(text_of(answer).partition("The question is saved.")[2])
    assert said[1].startswith(" All answers together: 75 becomes 90.")
    assert said[2].startswith(
        " Each person now gets 2 of 3 sensitive questions, so fewer people get each: ±6.2 becomes ±7.6. The protection "
        "stays the same."
    )
    assert "2 of 5 sensitive questions, so fewer people get each: ±8.7 becomes ±9.8." in said[4]
    last = survey.questions.last()
    gone = client.post(at(survey, f"questions/{last.key}/delete/"), follow=True)
    assert "2 of 4 sensitive questions, so more people get each: ±9.8 becomes ±8.7." in text_of(
        gone
    )
    add_background(survey)
    again = client.post(at(survey, "questions/region/delete/"), follow=True)
    assert "Each person now" not in text_of(again)


def test_one_question_is_asked_of_everyone_and_a_second_is_refused_at_its_field(
    client: Client, ada: User
) -> None:
    survey = four(ada, target=1_000)
    first = Form(client.get(at(survey, "questions/q0/"))).values | {"everyone": "1"}
    assert client.post(at(survey, "questions/q0/"), first).status_code == 302
    assert survey.questions.get(key="q0").everyone
    said = text_of(client.get(at(survey)))
    assert (
        "Each person gets “About q0?” and 1 of the other 3 sensitive questions, picked by their device."
        in said
    )
    second = Form(client.get(at(survey, "questions/q1/"))).values | {"everyone": "1"}
    refused = client.post(at(survey, "questions/q1/"), second)
    assert refused.status_code == 422
    assert "Only one question can be asked of everyone; “About q0?” already is." in text_of(refused)
    first = Form(client.get(at(survey, "questions/q0/"))).values
    del first["everyone"]
    assert client.post(at(survey, "questions/q0/"), first).status_code == 302
    assert not survey.questions.get(key="q0").everyone


def test_red_offers_the_recommended_level_with_what_it_costs(client: Client, ada: User) -> None:
    """Three questions at 3 to 1 for everyone come to 97."""
    survey = create_draft(ada, target=1_000)
    for number in range(3):
        add_yes_no(survey, f"q{number}", design="two-coin")
    page = text_of(client.get(at(survey, "publish/")))
    assert (
        "Almost no protection One answer alone: guessed right at most 75 times in 100. All answers"
        in page
    )
    assert "Balanced: ±7.6 instead of ±6.2" in page
    client.post(at(survey, "protection/"), {"protection": "balanced"})
    page = text_of(client.get(at(survey, "publish/")))
    assert "instead of" not in page
    assert client.post(at(survey, "publish/")).status_code == 302


def test_the_list_of_surveys_shows_a_published_one_in_its_colour(client: Client, ada: User) -> None:
    publish_survey(four(ada, title="Calm"))
    amber, red = four(ada, title="Amber", protection="light"), create_draft(ada, title="Red")
    for number in range(3):
        add_yes_no(red, f"q{number}")
    publish_survey(amber)
    publish_survey(red, reason=REASON)
    page = client.get("/surveys/").content.decode().partition("<main")[2]
    rows = dict(re.findall(r"<bdi>(\w+)</bdi>(.*?)</tr>", page, re.DOTALL))
    words = {
        title: re.findall("Weak overall protection|Almost no protection", text)
        for title, text in rows.items()
    }
    assert words == {
        "Calm": [],
        "Amber": ["Weak overall protection"],
        "Red": ["Almost no protection"],
    }


def test_a_reader_without_the_right_to_write_sees_the_cards_and_cannot_press(
    client: Client, ada: User
) -> None:
    survey = four(ada, target=1_000)
    grace = User.objects.create_user("grace")
    survey.memberships.create(user=grace, role="analyst")
    client.force_login(grace)
    page = client.get(at(survey)).content.decode()
    assert page.count('class="workspace-level"') == page.count(" disabled") == 3
    assert client.post(at(survey, "protection/"), {"protection": "light"}).status_code == 403


def test_a_choose_all_question_becomes_rows_where_it_stood(client: Client, ada: User) -> None:
    survey = four(ada, target=1_000, protection="light")
    add_choice(survey, "any", kind="any", labels="ABCDEF", design="", parameters={})
    save_question(survey=survey, text="Last?", kind="yes-no")
    assert "As 6 yes/no rows: no number" in text_of(client.get(at(survey)))
    page = text_of(client.post(at(survey, "questions/any/rows/"), follow=True))
    assert (
        "“About any?” is a grid of yes/no rows now. Each person now gets 2 of 11 sensitive questions"
        in page
    )
    assert [question.text for question in survey.questions.all()][4:10] == list("ABCDEF")


def test_a_newcomer_publishes_five_mixed_questions_without_a_word_of_theory(
    client: Client, ada: User
) -> None:
    """By the pages alone; folds that nobody has to open are read too, but for those of methods of one's own."""
    theory = re.compile(r"\b(epsilon|budget|lot)\b", re.IGNORECASE)
    read: list[str] = []

    def look(answer: object) -> None:
        assert answer.status_code == 200
        read.append(
            re.sub(
                r'<details class="fold workspace-designs".*?</details>\s*</div>', "", answer.text
            )
        )

    look(client.get("/surveys/new/"))
    look(client.post("/surveys/new/", {"title": "Exams", "target": "3000"}, follow=True))
    survey = Survey.objects.get()
    for kind, more in (
        ("yes-no", {}),
        ("choice", {"choices": "A\nB\nC\nD"}),
        ("any", {"choices": "A\nB\nC"}),
        ("quantity", {"low": "0", "high": "30", "unit": "days"}),
        ("background", {"choices": "North\nSouth", "declinable": "1"}),
    ):
        form = Form(client.get(at(survey, "questions/new/"))).values
        typed = form | {"kind": kind, "text": f"A {kind}?"} | more
        look(client.post(at(survey, "questions/new/"), typed, follow=True))
    assert survey.questions.count() == 5
    look(client.get(at(survey, "publish/")))
    look(client.post(at(survey, "publish/"), follow=True))
    look(client.get(at(survey, "questions/")))
    assert Survey.objects.get().status == "open"
    said = [
        theory.search(re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", page, flags=re.DOTALL))
        for page in read
    ]
    assert [match[0] for match in said if match] == []
    assert "guessed right at most 75 times in 100" in read[-1]
