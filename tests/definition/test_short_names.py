"""Short names: made from a question’s words without losing a negation, and fixed when it is published."""

import pytest

from surveys.authoring.drafts import content
from surveys.authoring.drafts.drafts import save_question
from surveys.authoring.files import survey_file
from surveys.definition import short_names
from surveys.definition.parsing import DEFINITION_CACHE, parse_instrument
from surveys.definition.text_places import iter_texts
from surveys.models import Instrument, Survey
from surveys.site.errors import Refused
from tests.api.test_reading import client_of
from tests.factories.surveys import create_researcher, publish_survey

MADE = {
    "Have you ever copied in an exam?": "Copied in an exam",
    "Did you not declare some of your income last year?": "Not declare some of your income",
    "Have you never taken any illegal drug?": "Never taken any illegal drug",
    "In the past 12 months, have you called in sick without being ill?": "Called in sick without being ill",
    "In the past 12 months, which of these did you do last?": "Which of these did you do last",
    "Haben Sie Einkommen nicht angegeben?": "Einkommen nicht angegeben",
    "N’avez-vous jamais payé sans facture ?": "Jamais payé sans facture",
    "¿No ha declarado todos sus ingresos?": "No ha declarado todos sus ingresos",
    "هل لم تدفع الضريبة؟": "هل لم تدفع الضريبة",
    "COVID-19: were you vaccinated?": "COVID-19 vaccinated",
    "How many days of the past 30 were you absent?": "Days of the past 30 were you absent",
    "???": "???",
}


@pytest.mark.parametrize(("text", "name"), MADE.items())
def test_it_is_made_of_the_words_that_say_something(text: str, name: str) -> None:
    assert short_names.suggest_short_name(text) == name


def test_a_negation_late_in_the_question_is_kept_and_what_is_left_out_comes_before_it() -> None:
    text = (
        "Thinking of the money that you earned with private lessons, repairs and similar small jobs during the "
        "summer holidays: did you not report it?"
    )
    name = short_names.suggest_short_name(text)
    assert name.endswith("not report")
    assert len(name) <= short_names.LONGEST_NAME
    many = (
        "No never not without nothing nobody neither nor cannot none not never no without nothing"
    )
    assert short_names.suggest_short_name(many) == f"{many[:39].rstrip()}…"


def test_two_questions_with_the_same_words_have_two_names() -> None:
    assert short_names.suggest_short_name("Copied?", {"Copied"}) == "Copied (2)"
    assert short_names.suggest_short_name("Copied?", {"Copied", "Copied (2)"}) == "Copied (3)"
    long = "Zusammengehörigkeitsgefühlsuntersuchungen"
    assert (
        len(
            short_names.suggest_short_name(f"{long}?", {short_names.suggest_short_name(f"{long}?")})
        )
        <= short_names.LONGEST_NAME
    )


def test_a_name_with_a_number_of_three_digits_has_at_most_forty_characters() -> None:
    used: set[str] = set()
    for _ in range(101):
        used.add(short_names.suggest_short_name(f"{'x' * 60}?", used))

    assert len(used) == 101
    assert f"{'x' * 35} (99)" in used
    assert f"{'x' * 34} (100)" in used
    assert max(map(len, used)) == short_names.LONGEST_NAME


@pytest.fixture
def survey(db: None) -> Survey:
    owner = create_researcher()
    questions = [
        {"text": {"en": "Did you not pay?", "de": "Haben Sie nicht bezahlt?"}},
        {"text": {"en": "Drugs?", "de": "Drogen?"}, "short": "Illegal drugs"},
    ]
    both = {"en": "Ada", "de": "Ada"}
    data = {"title": both, "contact": both, "languages": ["en", "de"], "protection": ""}
    kind = {"kind": "yes-no", "design": "two-coin"}
    return content.create(data | {"questions": [kind | each for each in questions]}, owner=owner)


def test_they_are_fixed_at_publishing_in_every_language_and_in_no_hash(survey: Survey) -> None:
    assert [question.get("short") for question in survey_file.write(survey)["questions"]] == [
        None,
        "Illegal drugs",
    ]
    instrument = publish_survey(survey)
    assert "Not pay" not in instrument.content
    names = {item.key: item.short for item in parse_instrument(instrument).items}
    assert names == {"not_pay": "Not pay", "illegal_drugs": "Illegal drugs"}
    assert {key: name.others for key, name in names.items()} == {
        "not_pay": {"de": "Nicht bezahlt"},
        "illegal_drugs": {"de": "Drogen"},
    }
    survey.questions.update(text="Something else")
    assert {item.key: item.short for item in parse_instrument(instrument).items} == names
    assert [question["text"] for question in survey_file.write(survey)["questions"]] != []
    question = survey.questions.get(key="not_pay")
    with pytest.raises(Refused):
        save_question(
            survey=survey, question=question, kind="yes-no", text="Did you pay?", short="Pay"
        )


def test_an_instrument_from_before_there_were_any_has_them_made(survey: Survey) -> None:
    instrument = publish_survey(survey)
    Instrument.objects.update(short_names={})
    DEFINITION_CACHE.clear()
    names = [
        item.short for item in parse_instrument(Instrument.objects.get(pk=instrument.pk)).items
    ]
    assert names == ["Not pay", "Drugs"]


def test_a_language_without_one_keeps_nobody_from_publishing(survey: Survey) -> None:
    assert {place.name for place in iter_texts(survey)} >= {"short"}
    assert publish_survey(survey).sha256


def test_one_is_at_most_forty_characters(survey: Survey) -> None:
    page = client_of(survey.owner).patch(
        f"/api/v1/surveys/{survey.slug}/",
        {"questions": [{"key": "tax", "kind": "yes-no", "text": "Tax?", "short": "x" * 41}]},
        content_type="application/json",
    )
    assert page.json()["errors"]["questions.0.short"] == "Send at most 40 characters."
