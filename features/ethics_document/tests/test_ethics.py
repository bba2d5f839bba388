"""What an ethics board gets: one object, on a page made for print and as JSON."""

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from features.ethics_document.ethics_board import bundle
from surveys.authoring.drafts.drafts import update_settings
from surveys.authoring.drafts.question_subset import set_draw
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.lifecycle import lock_questions
from surveys.models import Question, Survey
from surveys.site.errors import Refused
from tests.api.test_reading import client_of
from tests.authoring.test_protection_words import red
from tests.authoring.test_uniqueness import EXPECTED, FOLLOWED, draft_with_background
from tests.factories.surveys import (
    REASON,
    add_background,
    add_choice,
    add_quantity,
    add_yes_no,
    create_draft,
    publish_survey,
)
from tests.factories.ticket_surveys import client_for

pytestmark = pytest.mark.django_db


@pytest.fixture
def survey() -> Survey:
    survey = create_draft(
        title="Taxes <b>",
        introduction="Why we ask.\n\nAll of it.",
        consent="You agree.",
        contact="Ada",
    )
    add_yes_no(survey)
    add_choice(survey, decline=True)
    add_background(survey, cut=True)
    return update_settings(
        survey, {"controller": "Examples Ltd", "rights": "To ask.", "delete_on": "2099-01-31"}
    )


def visible(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_it_holds_questions_odds_consequences_wording_storage_and_data_protection(
    survey: Survey,
) -> None:
    board = bundle(survey)
    tax, fruit, region = board.questions
    assert (tax.choices, tax.epsilon) == (("Yes", "No"), pytest.approx(1.0986, abs=1e-4))
    assert "right at most 75 times in 100" in tax.consequence
    assert "75" in tax.odds
    assert "| 0 | 3 | 1 |" in tax.chances
    assert fruit.choices[-1] == "Prefer not to say"
    assert (region.design, region.epsilon, region.odds) == ("not scrambled", None, "")
    assert board.consequences[0].startswith(
        "One answer alone: guessed right at most 90 times in 100. All answers"
    )
    assert "0: 90, 0.1: 92," in board.consequences[1]
    assert board.consequences[2] == "Answers marked “Not scrambled” could identify you."
    assert board.data_protection["controller"] == "Examples Ltd"
    assert board.data_protection["delete_on"] == "2099-01-31"
    assert [(fact.name, *fact.lines) for fact in board.about] == [
        ("Who asks", "Examples Ltd", "Ada"),
        ("What for", "Why we ask.\n\nAll of it."),
        ("Rights", "To ask."),
        ("Who answers", "Anyone with the link."),
        ("Consent", "You agree."),
        ("Deletion", "31 January 2099. Results stay."),
    ]
    assert [(question.answers, question.times) for question in board.questions] == [
        ("Yes, No", 75),
        ("5 answers", fruit.times),
        ("North, South", None),
    ]
    assert (
        board.privacy_loss
        == "One answer: privacy loss ε = 2.20. All answers together: privacy loss ε = 3.30."
    )
    told = " ".join(board.storage)
    for said in (
        "same length",
        "20 responses",
        "40 responses",
        "About region?",
        "31 January 2099",
        "backups",
    ):
        assert said in told.replace("from 40", "40 responses").replace("from 20", "20 responses"), (
            said
        )


def test_the_wording_is_that_of_the_page(survey: Survey) -> None:
    """Every line of it stands on the page that respondents get, and the folds have their headings."""
    (passages,) = bundle(survey).wording.values()
    publish_survey(survey)
    page = visible(Client().get(f"/s/{survey.slug}/").content.decode())
    lines = [line for passage in passages for line in passage.lines]
    assert len(lines) > 40
    for line in lines:
        assert all(part.replace(" ", "") in page.replace(" ", "") for part in line.split(" · "))
    headings = [passage.heading for passage in passages]
    assert {"Data protection", "Who can see what", "What you agree to by sending"} <= {*headings}
    assert "You agree." in lines


def test_the_wording_comes_in_every_language_of_the_survey(survey: Survey) -> None:
    survey.further_languages = ["de"]
    survey.translations = {"de": {"controller": "Beispiele GmbH"}}
    survey.save()
    words = bundle(survey).wording
    assert list(words) == ["en", "de"]
    german = [line for passage in words["de"] for line in passage.lines]
    assert "Beispiele GmbH" in german
    assert "Datenschutz" in [passage.heading for passage in words["de"]]


def test_conditions_the_lot_and_the_end_of_declining_are_in_it(
    survey: Survey, client: Client
) -> None:
    survey.asks_consent, survey.after_declining, survey.help_lines = (
        True,
        "That is fine.",
        "Help: tel:116-006",
    )
    survey.save()
    for key in ("theft", "work"):
        add_yes_no(survey, key)
    set_draw(survey=survey, count=1, of=["theft", "work"])
    add_yes_no(survey, "care", when={"of": "region", "in": ["North"]})
    survey.refresh_from_db()
    board = bundle(survey)
    lines = [
        line
        for passages in board.wording.values()
        for passage in passages
        for line in passage.lines
    ]
    for said in (
        "You get 1 of the 2 sensitive questions",
        "You are not taking part",
        "That is fine.",
    ):
        assert any(line.startswith(said) for line in lines), said
    assert {question.key: question.whom for question in board.questions if question.whom} == {
        "care": "“About region?” is “North”"
    }
    client.force_login(survey.owner)
    page = visible(client.get(f"/surveys/{survey.slug}/ethics/").content.decode())
    assert "Asked only if “About region?” is “North”." in page


def test_page_and_program_say_the_same_before_publishing_and_after(
    survey: Survey, client: Client
) -> None:
    client.force_login(survey.owner)
    for step in (lambda: None, lambda: publish_survey(survey)):
        step()
        page = visible(client.get(f"/surveys/{survey.slug}/ethics/").content.decode())
        told = client_of(survey.owner).get(f"/api/v1/surveys/{survey.slug}/ethics/").json()
        said = [
            *told["consequences"],
            *told["storage"],
            *(each["odds"] for each in told["questions"]),
        ]
        said += [*told["first_screen"], told["privacy_loss"]]
        said += [" ".join(line.split()) for fact in told["about"] for line in fact["lines"]]
        said += [
            line
            for passages in told["wording"].values()
            for each in passages
            for line in each["lines"]
        ]
        assert all(line in page for line in said)
        assert told["sha256"] in page
        survey.refresh_from_db()
        assert told["is_published"] != survey.is_draft
    assert told["sha256"] == parse_instrument(survey.instrument).sha256


def test_the_first_screen_is_that_of_the_page(survey: Survey) -> None:
    """In the language of the survey, whatever the reader’s own is."""
    survey.language = "de"
    survey.save()
    screen = bundle(survey).first_screen
    publish_survey(survey)
    page = visible(Client().get(f"/s/{survey.slug}/").content.decode())
    assert any("höchstens" in line for line in screen)
    sentences = [line for line in screen if line not in ("Candor", "Start")]
    assert len(sentences) >= 4
    assert all(line.replace(" ", "") in page.replace(" ", "") for line in sentences)


def test_the_page_reads_from_who_asks_to_the_hash_without_markdown(
    survey: Survey, client: Client
) -> None:
    client.force_login(survey.owner)
    answer = client.get(f"/surveys/{survey.slug}/ethics/")
    page = visible(answer.content.decode())
    order = [
        "Who asks",
        "What for",
        "What is kept",
        "How well people are protected",
        "What is asked",
    ]
    order += ["What people read first", "How to check it", answer.context["bundle"].sha256]
    places = [page.rindex(words) for words in order]
    assert places == sorted(places)
    assert "|" not in page
    content = answer.content.decode()
    assert '<th scope="col">truth</th>' in content
    tax = answer.context["bundle"].questions[0]
    assert [block.rows for block in tax.blocks if block.rows] == [
        (("0 = No", "3", "1"), ("1 = Yes", "1", "3"))
    ]
    assert "1 = Yes" in page
    assert 'aria-current="true">Files<' in content


def test_a_number_has_its_ends_without_the_one_who_declines() -> None:
    survey = create_draft()
    add_quantity(survey)
    question = add_background(survey, labels=[])
    question.kind, question.minimum, question.maximum, question.decline = (
        Question.Kind.NUMBER,
        0,
        40,
        True,
    )
    question.save()
    assert [each.answers for each in bundle(survey).questions][1] == "0 to 40"


def test_a_draft_that_cannot_be_published_says_why(client: Client) -> None:
    survey = create_draft()
    with pytest.raises(Refused, match="Add at least one question"):
        bundle(survey)
    client.force_login(survey.owner)
    assert client.get(f"/surveys/{survey.slug}/ethics/").status_code == 409


def test_of_files_it_does_not_speak_of_sending(client: Client) -> None:
    survey = create_draft(import_only=True)
    add_yes_no(survey, design="mangat", parameters={"p": "3/4"})
    lock_questions(survey)
    board = bundle(Survey.objects.get())
    assert board.wording == {"en": ()}
    assert "files" in board.storage[0]
    assert board.questions[0].consequence == "Some answers received prove the true answer."
    client.force_login(survey.owner)
    assert client.get(f"/surveys/{survey.slug}/ethics/").status_code == 200


def test_the_draft_links_to_it_once_it_can_be_made(survey: Survey, client: Client) -> None:
    client.force_login(survey.owner)
    assert (
        f"/surveys/{survey.slug}/ethics/"
        in client.get(f"/surveys/{survey.slug}/files/").content.decode()
    )


def test_the_document_says_how_many_people_are_unique() -> None:
    """By program too; advice to the author is not for the board."""
    survey = draft_with_background(target=100)
    client = client_for(survey.owner)
    address = f"/surveys/{survey.slug}/ethics/"
    page = client.get(address).content.decode()
    assert EXPECTED in page
    assert "Ask fewer background" not in page
    assert EXPECTED in client.get(f"/api/v1{address}").content.decode()


def test_the_document_of_a_new_version_says_that_people_can_be_followed() -> None:
    survey = draft_with_background(target=100)
    publish_survey(survey)
    client = client_for(survey.owner)
    assert FOLLOWED not in client.get(f"/surveys/{survey.slug}/ethics/").content.decode()
    client.post(f"/surveys/{survey.slug}/version/")
    version = Survey.objects.get(predecessor=survey)
    assert FOLLOWED in client.get(f"/surveys/{version.slug}/ethics/").content.decode()


def test_the_document_has_the_reason_for_weak_protection(client: Client, ada: User) -> None:
    survey = red(ada)
    publish_survey(survey)
    assert REASON in client.get(f"/surveys/{survey.slug}/ethics/").content.decode()
