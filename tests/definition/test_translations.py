"""Every text of the respondents' pages in every language, compiled, with its numbers and marks in place."""

import ast
import gettext
import io
import json
import re

import pytest
from django.template.loader import render_to_string
from django.utils.translation import ngettext, override

from surveys.definition.parsing import parse_instrument
from surveys.management.commands.messages import LANGUAGES, compiled, read, strings, used
from surveys.models import Survey
from tests.factories import surveys
from tests.factories.surveys import publish_survey
from tests.helpers.source_files import python_files

EACH = pytest.mark.parametrize("language", LANGUAGES)
MARKS = re.compile(r"%\(\w+\)s|</?\w+[^>]*>")
WORDS = {"de": "Umfrage", "fr": "enquête", "es": "encuesta", "ar": "الاستطلاع"}
YES_NO = {"de": ("Nein", "Ja"), "fr": ("Non", "Oui"), "es": ("No", "Sí"), "ar": ("لا", "نعم")}


@EACH
def test_every_text_is_translated_in_every_form_of_its_language(language: str) -> None:
    catalog = read(language)
    found = {(message.context, message.id): strings(message) for message in catalog if message.id}
    assert [key for key in used() if not all(found.get(key, ("",)))] == []
    assert {len(forms) for (_, text), forms in found.items() if not isinstance(text, str)} == {
        catalog.num_plurals
    }


def test_every_text_of_a_program_is_found_for_translation() -> None:
    """One inside another text, as of an f-string, is not: people would read it in English."""
    texts = {text if isinstance(text, str) else text[0] for _, text in used()}
    calls = [
        node
        for path in python_files()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in {"gettext", "ngettext", "pgettext"}
    ]
    said = [call.args[call.func.id == "pgettext"] for call in calls]
    assert len(said) > 20
    assert [
        text.value for text in said if isinstance(text, ast.Constant) and text.value not in texts
    ] == []


@EACH
def test_numbers_and_marks_stand_in_every_translation(language: str) -> None:
    """What a sentence promises hangs on its numbers, so none may be lost or renamed; one and two may be words."""
    wrong = []
    for message in read(language):
        english = [message.id] if isinstance(message.id, str) else message.id
        least, most = (set(MARKS.findall(text)) for text in (english[0], english[-1]))
        wrong += [
            text
            for text in strings(message)
            if message.id and not least <= set(MARKS.findall(text)) <= most
        ]
    assert wrong == []


@EACH
def test_what_is_compiled_is_what_gettext_reads(language: str) -> None:
    catalog = read(language)
    loaded = gettext.GNUTranslations(io.BytesIO(compiled(catalog)))
    plain = [message for message in catalog if message.id and isinstance(message.id, str)]
    for message in plain:
        said = (
            loaded.pgettext(message.context, message.id)
            if message.context
            else loaded.gettext(message.id)
        )
        assert said == message.string


def test_a_count_takes_the_form_of_its_number() -> None:
    """French counts none as one; Arabic puts the number after the word, where one form does for all."""
    text = next(
        text
        for _, text in used()
        if not isinstance(text, str) and text[1] == "%(number)s questions."
    )
    with override("fr"):
        assert ngettext(*text, 0) == ngettext(*text, 1) != ngettext(*text, 2)
    with override("ar"):
        assert {ngettext(*text, count) for count in (0, 1, 2, 3, 11, 99, 100)} == {
            ngettext(*text, 1)
        }


@EACH
@pytest.mark.django_db
def test_a_survey_speaks_its_language(language: str) -> None:
    survey = surveys.create_draft(language=language, comprehension=True)
    surveys.add_yes_no(survey)
    surveys.add_yes_no(survey, "spun", mode="spinner")
    surveys.add_yes_no(survey, "thrown", design="two-coin", mode="by-hand")
    frozen = parse_instrument(publish_survey(survey))
    page = render_to_string("respondent/survey.html", {"paper": frozen, "preview": False})
    assert f'<html lang="{language}" dir="{"rtl" if language == "ar" else "ltr"}"' in page
    assert WORDS[language] in page
    assert frozen.items[0].choices == YES_NO[language]
    text = re.sub(r"<script.*?</script>|<[^>]+>", " ", page, flags=re.DOTALL)
    left = {
        english
        for _, english in used()
        if isinstance(english, str) and len(english) > 25 and english in text
    }
    assert left == set()


def test_numbers_are_written_as_the_language_does() -> None:
    from surveys.templatetags.respond import count, privacy_loss

    written = {}
    for language in Survey.Language.values:
        with override(language):
            written[language] = (count(10_000), privacy_loss(1.0986122886681098))
    assert written["en"] == ("10,000", "1.10")
    assert written["de"] == ("10.000", "1,10")
    assert written["fr"] == ("10\xa0000", "1,10")
    assert written["es"][1] == "1,10"
    assert written["ar"][1] == "1,10"


@pytest.mark.django_db
def test_the_instrument_names_the_language() -> None:
    survey = surveys.create_draft(language="fr")
    surveys.add_yes_no(survey)
    content = json.loads(publish_survey(survey).content)
    assert content["language"] == "fr"
    assert content["questions"][0]["choices"] == ["Non", "Oui"]
