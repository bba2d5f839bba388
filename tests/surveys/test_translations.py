"""Every text of the respondents' pages in every language, compiled, with its numbers and marks in place."""

import gettext
import io
import json
import re

import pytest
from django.conf import settings
from django.core.management import call_command
from django.template.loader import render_to_string
from django.utils.translation import override

from surveys.management.commands.messages import LANGUAGES, compile_mo, format_po, parse, po_file, used
from surveys.models import Survey
from surveys.publishing.instruments import paper
from surveys.publishing.lifecycle import publish
from tests import making

EACH = pytest.mark.parametrize("language", LANGUAGES)
MARKS = re.compile(r"%\(\w+\)s|</?\w+[^>]*>")
WORDS = {"de": "Umfrage", "fr": "enquête", "es": "encuesta", "ar": "الاستطلاع"}
YES_NO = {"de": ("Nein", "Ja"), "fr": ("Non", "Oui"), "es": ("No", "Sí"), "ar": ("لا", "نعم")}


@EACH
def test_every_text_is_translated(language: str) -> None:
    messages = parse(po_file(language).read_text())
    assert [key for key in used() if not messages.get(key)] == []


@EACH
def test_numbers_and_marks_stand_in_every_translation(language: str) -> None:
    """What a sentence promises hangs on its numbers, so none may be lost or renamed."""
    messages = parse(po_file(language).read_text())
    wrong = [key for key, text in messages.items() if set(MARKS.findall(key[1])) != set(MARKS.findall(text))]
    assert wrong == []


@EACH
def test_compiled_messages_are_fresh(language: str) -> None:
    path = po_file(language)
    messages = parse(path.read_text())
    assert path.read_text() == format_po(language, messages)
    assert path.with_suffix(".mo").read_bytes() == compile_mo(language, messages), "run manage.py messages"


@EACH
def test_what_is_compiled_is_what_gettext_reads(language: str) -> None:
    messages = parse(po_file(language).read_text())
    catalog = gettext.GNUTranslations(io.BytesIO(compile_mo(language, messages)))
    for (context, english), text in messages.items():
        assert (catalog.pgettext(context, english) if context else catalog.gettext(english)) == text


def test_the_command_changes_nothing_that_is_fresh() -> None:
    before = {path: path.read_bytes() for path in settings.BASE_DIR.glob("locale/*/LC_MESSAGES/*")}
    assert len(before) == 2 * len(LANGUAGES)
    call_command("messages")
    assert {path: path.read_bytes() for path in before} == before


@EACH
@pytest.mark.django_db
def test_a_survey_speaks_its_language(language: str) -> None:
    survey = making.draft(language=language, comprehension=True)
    making.yes_no(survey)
    making.yes_no(survey, "spun", mode="spinner")
    making.yes_no(survey, "thrown", design="two-coin", mode="by-hand")
    frozen = paper(publish(survey))
    page = render_to_string("respond/survey.html", {"paper": frozen, "preview": False})
    assert f'<html lang="{language}" dir="{"rtl" if language == "ar" else "ltr"}"' in page
    assert WORDS[language] in page
    assert frozen.items[0].choices == YES_NO[language]
    text = re.sub(r"<script.*?</script>|<[^>]+>", " ", page, flags=re.DOTALL)
    left = {english for _, english in used() if len(english) > 25 and english in text}
    assert left == set()


def test_numbers_are_written_as_the_language_does() -> None:
    from surveys.templatetags.respond import count, privacy_loss

    written = {}
    for language in Survey.Language.values:
        with override(language):
            written[language] = (count(10_000), privacy_loss(1.0986122886681098))
    assert written["en"] == ("10,000", "1.0987")
    assert written["de"] == ("10.000", "1,0987")
    assert written["fr"] == ("10\xa0000", "1,0987")
    assert written["es"][1] == "1,0987"
    assert written["ar"][1] == "1,0987"


@pytest.mark.django_db
def test_the_instrument_names_the_language() -> None:
    survey = making.draft(language="fr")
    making.yes_no(survey)
    content = json.loads(publish(survey).content)
    assert content["language"] == "fr"
    assert content["questions"][0]["choices"] == ["Non", "Oui"]
