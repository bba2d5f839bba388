"""What everybody reads about the size of the protection, and what is too little of it to be published."""

import html
import json
import re
from math import log

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from surveys.authoring.files import survey_file
from surveys.definition.freezing import build_definition, canonical_json
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.odds import is_beyond
from surveys.definition.parsing import parse, parse_instrument
from surveys.definition.protection import Losses, definition_losses
from surveys.definition.protection_wording import (
    grade_text,
    guess_rate_bound,
    guess_rates_text,
    respondent_sentences,
    weak_protection_text,
)
from surveys.fieldwork.lifecycle import lock_questions, publish
from surveys.models import Instrument, Survey
from surveys.site.errors import Invalid, Refused
from tests.factories.surveys import REASON, add_background, add_choice, add_yes_no, create_draft

pytestmark = [pytest.mark.django_db, pytest.mark.once]
JUST = 1e-8  # finer than the chances of any one question, whose denominators stay below 2**32


def spin(survey: Survey, key: str, p: str, **more: object) -> None:
    add_yes_no(survey, key, parameters={"p": p}, **more)


def text_of(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", page)).split())


def respondents_page(frozen: SurveyDefinition) -> str:
    return text_of(render_to_string("respondent/survey.html", {"paper": frozen, "preview": False}))


@pytest.mark.parametrize(
    ("epsilon", "words", "number"),
    [
        (0.1, "a weak hint", "at most 53"),
        (log(3), "a weak hint", "at most 75"),
        (log(3) + JUST, "a hint, not a certainty", "at most 76"),
        (log(9), "a hint, not a certainty", "at most 90"),
        (2 * log(3), "a hint, not a certainty", "at most 90"),
        (log(9) + JUST, "strong evidence", "at most 91"),
        (log(99), "strong evidence", "at most 99"),
        (log(99) + 2 * JUST, "strong evidence", "more than 99"),
        (20, "strong evidence", "more than 99"),
        (700, "strong evidence", "more than 99"),
    ],
)
def test_the_words_follow_the_number(epsilon: float, words: str, number: str) -> None:
    """24. At 75, 90 and 99 exactly the milder word still holds, just above them it does not."""
    assert (grade_text(epsilon), guess_rate_bound(epsilon)) == (words, number)
    [sentence] = respondent_sentences(Losses(epsilon, epsilon), as_it_is=False)
    assert sentence.endswith(f"That is {words}.")


@pytest.mark.parametrize(
    ("p", "words"), [("3/4", "a weak hint"), ("9/10", "a hint, not"), ("99/100", "strong")]
)
def test_epsilon_of_a_question_meets_its_number_exactly(p: str, words: str) -> None:
    """ln 3, ln 9 and ln 99 are rounded up to floats, which must not tip them over."""
    survey = create_draft()
    spin(survey, "one", p)
    epsilon = build_definition(survey).epsilon
    assert words in grade_text(epsilon)
    assert not is_beyond(epsilon)


def test_many_small_losses_meet_the_number_of_their_sum() -> None:
    survey = create_draft()
    spin(survey, "one", "3/4")
    spin(survey, "two", "3/4")
    assert guess_rate_bound(build_definition(survey).epsilon) == "at most 90"


def test_nobody_reads_that_much_protects() -> None:
    for epsilon in (1.2, 2, 3, 4, 5, 20):
        said_so = " ".join(respondent_sentences(Losses(epsilon / 2, epsilon), as_it_is=True))
        assert "prove" not in said_so
        assert "at most 100" not in said_so


def test_what_is_sent_as_it_is_comes_on_top() -> None:
    loss = Losses(1.0, 1.0)
    assert (
        respondent_sentences(loss, as_it_is=True)[1]
        == "Answers marked “Not scrambled” could identify you."
    )
    assert len(respondent_sentences(loss, as_it_is=False)) == 1
    assert respondent_sentences(Losses(0, 0), as_it_is=True) == [
        "Nothing in this survey is scrambled. Your answers could identify you."
    ]


@pytest.mark.parametrize(
    ("p", "size"), [("3/4", 1), ("3/4", 2), ("9/10", 2), ("99/100", 1), ("9/10", 3)]
)
def test_page_editor_publish_page_report_and_api_say_the_same(
    client: Client, ada: User, p: str, size: int
) -> None:
    """24. One function makes the sentences; the table has the words of the same number."""
    survey = create_draft(ada)
    for number in range(size):
        spin(survey, f"q{number}", p)
    add_background(survey)
    frozen = build_definition(survey)
    sentences = respondent_sentences(definition_losses(frozen), as_it_is=True)
    together = " ".join(sentences)
    page = respondents_page(frozen)
    assert all(sentence in page for sentence in sentences)
    assert (
        page.count(
            f"{grade_text(frozen.epsilon)} ({guess_rate_bound(frozen.epsilon)} times in 100)"
        )
        == 2
    )
    assert together in text_of(client.get(f"/surveys/{survey.slug}/").content.decode())
    assert together in text_of(client.get(f"/surveys/{survey.slug}/publish/").content.decode())
    assert client.get(f"/api/v1/surveys/{survey.slug}/protection/").json()["sentences"] == sentences
    publish(survey, reason=REASON)
    assert guess_rates_text(definition_losses(frozen)) in text_of(
        client.get(f"/surveys/{survey.slug}/report/").content.decode()
    )
    assert together in text_of(client.get(f"/surveys/{survey.slug}/report/").content.decode())


def test_the_author_of_a_german_survey_reads_the_german_sentence(client: Client, ada: User) -> None:
    survey = create_draft(ada, language="de")
    spin(survey, "q", "3/4")
    page = client.get(f"/surveys/{survey.slug}/publish/").content.decode()
    assert 'lang="de" dir="ltr">Durch reinen Zufall rät man' in page
    assert "With your scrambled answer: at most 75. That is a weak hint." in page


def test_a_question_above_99_in_100_is_published_to_nobody(client: Client, ada: User) -> None:
    """By the page and by the API; its draft says why, at the question."""
    survey = create_draft(ada)
    spin(survey, "fine", "3/4")
    spin(survey, "open", "0.9900001")
    with pytest.raises(
        Refused, match=r"Question 2 .*Protect it more strongly.*more than 99 times in 100"
    ):
        publish(survey, reason=REASON)
    page = client.get(f"/surveys/{survey.slug}/").content.decode()
    assert page.count("more than 99 times in 100. At most 99 are allowed") == 1
    assert page.index("About open?") < page.index("Protect it more strongly")
    answer = client.post(f"/surveys/{survey.slug}/publish/", {"reason": REASON})
    assert (answer.status_code, "Protect it more strongly" in answer.content.decode()) == (
        409,
        True,
    )
    path = f"/api/v1/surveys/{survey.slug}/"
    answer = client.post(
        f"{path}publish/", json.dumps({"reason": REASON}), content_type="application/json"
    )
    assert (answer.status_code, answer.json()["type"]) == (409, "/problems/refused")
    assert "Question 2" in answer.json()["detail"]
    problems = [line["problem"] for line in client.get(f"{path}protection/").json()["questions"]]
    assert [bool(problem) for problem in problems] == [False, True]
    assert Survey.objects.get().is_draft
    survey.questions.filter(key="open").update(parameters={"p": "99/100"})
    assert publish(survey, reason=REASON)


def test_a_question_for_files_may_be_above_99_in_100(ada: User) -> None:
    survey = create_draft(ada, import_only=True)
    spin(survey, "open", "0.999")
    assert lock_questions(survey)


def test_a_survey_published_before_with_such_a_question_goes_on(client: Client, ada: User) -> None:
    """Nothing is checked that is frozen already; its page says the size as it is."""
    survey = create_draft(ada)
    spin(survey, "open", "3/4")
    content = json.loads(build_definition(survey).content)
    content["questions"][0]["mechanism"] |= {
        "rows": [[999, 1], [1, 999]],
        "den": 1000,
        "parameters": {"p": "999/1000"},
    }
    frozen = parse("0" * 64, canonical_json(content))
    Instrument.objects.create(survey=survey, sha256=frozen.sha256, content=frozen.content)
    Survey.objects.update(status=Survey.Status.OPEN)
    page = text_of(Client().get(f"/s/{survey.slug}/").content.decode())
    assert "With your scrambled answer: more than 99. That is strong evidence." in page
    assert client.get(f"/surveys/{survey.slug}/").status_code == 200


def red(ada: User) -> Survey:
    """Together ln 9 three times: 729 to 1."""
    survey = create_draft(ada)
    for number in range(3):
        spin(survey, f"q{number}", "9/10")
    return survey


WHY = "All answers together: guessed right more than 99 times in 100. Say why this is justified, or choose Balanced."


def test_a_survey_in_red_needs_a_reason_on_its_page(client: Client, ada: User) -> None:
    survey = red(ada)
    path = f"/surveys/{survey.slug}/publish/"
    asked = client.get(path)
    assert (asked.status_code, b'name="reason"' in asked.content) == (200, True)
    assert WHY in text_of(asked.content.decode())
    for typed, said in (
        ("", WHY),
        ("Because.", "The reason has 8 characters; 20 to 500 are allowed."),
    ):
        refused = client.post(
            path, {"instrument": build_definition(survey).sha256, "reason": typed}
        )
        assert (refused.status_code, f"Error: {said}" in text_of(refused.content.decode())) == (
            422,
            True,
        )
    assert Survey.objects.get().is_draft
    done = client.post(path, {"instrument": build_definition(survey).sha256, "reason": REASON})
    assert (done.status_code, Survey.objects.get().status, Survey.objects.get().reason) == (
        302,
        "open",
        REASON,
    )


def test_and_by_the_api(client: Client, ada: User) -> None:
    """The history and the methods text have the reason; the survey's object and file have not."""
    survey = red(ada)

    def ask(body: dict) -> tuple[int, dict]:
        path = reverse("api:publish", args=[survey.slug])
        answer = client.post(path, json.dumps(body), content_type="application/json")
        return answer.status_code, answer.json().get("errors", {})

    for body in ({}, {"hardly_protected": True}, {"reason": "  "}):
        assert ask(body) == (422, {"reason": WHY})
    assert ask({"reason": 5})[0] == 422
    assert ask({"reason": "x" * 501})[0] == 422
    assert Survey.objects.get().is_draft
    assert Survey.objects.get().reason == ""
    assert ask({"reason": REASON})[0] == 200
    assert ask({})[0] == 200  # it is published already
    at = f"/surveys/{survey.slug}/"
    assert f"gave the reason for publishing: {REASON}" in text_of(
        client.get(f"{at}settings/").content.decode()
    )
    assert REASON in client.get(f"{at}report/methods.txt").content.decode()
    assert REASON not in client.get(f"/api/v1{at}").content.decode()
    assert REASON not in survey_file.as_text(survey)


def test_one_question_or_one_answer_may_be_red_alone(ada: User) -> None:
    survey = create_draft(ada)
    spin(survey, "one", "94/100")
    with pytest.raises(Invalid, match=r"^Guessed right at most 94 times in 100\. Say why"):
        publish(survey)
    survey.questions.update(parameters={"p": "91/100"})
    spin(survey, "two", "52/100")
    loss = definition_losses(build_definition(survey))
    assert (loss.max_guess_rates, loss.grade_colour) == ((91, 92), "red")
    assert weak_protection_text(loss).startswith(
        "One answer alone: guessed right at most 91 times in 100."
    )


def test_up_to_red_nothing_is_asked(client: Client, ada: User) -> None:
    """And a reason that is sent all the same is not kept."""
    survey = create_draft(ada)
    spin(survey, "one", "90/100")
    assert b'name="reason"' not in client.get(f"/surveys/{survey.slug}/publish/").content
    assert client.post(f"/surveys/{survey.slug}/publish/", {"reason": REASON}).status_code == 302
    assert Survey.objects.get().reason == ""


def test_a_survey_without_any_number_is_published_only_knowingly(client: Client, ada: User) -> None:
    """With too few people for any number; without a number of people wanted nothing is asked."""
    survey = create_draft(ada, target=380)
    spin(survey, "one", "3/4")
    said = "With 380 people, probably no sensitive question will have a number."
    page = text_of(client.get(f"/surveys/{survey.slug}/publish/").content.decode())
    assert page.count(said) == 2  # among the points and at the tick
    with pytest.raises(Invalid, match=said):
        publish(survey)
    path = f"/surveys/{survey.slug}/publish/"
    assert client.post(path).status_code == 422
    assert Survey.objects.get().is_draft
    Survey.objects.update(target=381)
    assert said not in text_of(client.get(path).content.decode())
    Survey.objects.update(target=380)
    assert client.post(path, {"no_number": "yes"}).status_code == 302


def who_sees_what(survey: Survey) -> dict[str, list[str]]:
    """The table of the respondents' page: who -> the cells."""
    page = render_to_string(
        "respondent/survey.html", {"paper": build_definition(survey), "preview": False}
    )
    table = re.search(r'<table class="govuk-table candor-who">(.*?)</table>', page, re.DOTALL)[1]
    rows = [
        [text_of(cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)]
        for row in table.split("<tr>")
    ]
    return {row[0]: row[1:] for row in rows if row}


DEVICE, SCREEN = "This device, while you answer", "Someone looking at your screen"
PEOPLE, NEXT = (
    "The researchers and the people who run this site",
    "The next person to use this device",
)
CHANGED = "Someone who changes this page’s program, or bad software on this device"


def test_the_table_is_made_from_the_survey(ada: User) -> None:
    """24. Questions sent as they are have a column of their own; the size is that of the whole survey."""
    survey = create_draft(ada)
    spin(survey, "one", "3/4")
    table = who_sees_what(survey)
    assert table[""] == ["Your true answers, where they are scrambled"]
    assert (table[DEVICE], table[CHANGED], table[NEXT]) == (
        ["yes"],
        ["could see them"],
        ["no, once it is sent"],
    )
    assert table[PEOPLE] == ["a weak hint (at most 75 times in 100)"]
    add_choice(survey)
    add_background(survey)
    table = who_sees_what(survey)
    assert table[""] == [
        "Your true answers, where they are scrambled",
        "Your answers that are not scrambled",
    ]
    assert table[PEOPLE] == ["strong evidence (at most 97 times in 100)", "yes"]
    assert table[NEXT] == ["no, once it is sent"] * 2
    assert len(table) == 8


def test_by_hand_the_device_learns_only_what_is_entered(ada: User) -> None:
    survey = create_draft(ada)
    spin(survey, "one", "3/4", mode="by-hand")
    table = who_sees_what(survey)
    assert {tuple(table[who]) for who in (DEVICE, SCREEN, CHANGED)} == {
        ("by hand: only what you enter",)
    }
    spin(survey, "two", "3/4")
    table = who_sees_what(survey)
    assert table[DEVICE] == ["yes; by hand: only what you enter"]
    assert table[CHANGED] == ["could see them; by hand: only what you enter"]


def test_where_nothing_is_scrambled_the_table_says_so(ada: User) -> None:
    survey = create_draft(ada)
    add_background(survey)
    table = who_sees_what(survey)
    assert table[""] == ["Your answers that are not scrambled"]
    assert table[PEOPLE] == ["yes"]


@pytest.mark.parametrize(
    ("switch", "words"),
    [
        (
            "",
            "Results appear from 40 responses while the survey is open, and from 20 after it closes. If fewer",
        ),
        (
            "results_after_closing",
            "Results appear only after the survey has closed, from 20 responses. If fewer",
        ),
        ("shared_device", "so it keeps nothing: neither your answers nor that something was sent."),
    ],
)
def test_the_page_follows_the_switches(ada: User, switch: str, words: str) -> None:
    survey = create_draft(ada, **({switch: True} if switch else {}))
    spin(survey, "one", "3/4")
    page = respondents_page(build_definition(survey))
    assert words in page
    assert "Someone who sends 19 of 20 responses knows what the last person sent." in page


def test_scrambled_by_your_device_only_where_the_device_does_it(ada: User) -> None:
    survey = create_draft(ada)
    for mode in ("automatic", "spinner", "by-hand"):
        spin(survey, mode.replace("-", "_"), "3/4", mode=mode)
    page = render_to_string(
        "respondent/survey.html",
        {"paper": parse_instrument(publish(survey, reason=REASON)), "preview": False},
    )
    tags = [text_of(tag) for tag in re.findall(r'<strong class="govuk-tag.*?</strong>', page)]
    assert tags == ["Scrambled by your device", "Scrambled by the spinner", "Scrambled by hand"]
