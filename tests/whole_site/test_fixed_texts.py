"""No text that stands in every survey promises more than every survey holds: none speaks of proof.

How much an answer tells depends on the chances, and some surveys give strong evidence. Warnings to authors that one of
their designs can prove an answer are true, and stay.
"""

import json
import re
from collections.abc import Iterator

import pytest
from django.conf import settings

from features.demo import drafts, misconduct
from features.survey_templates.catalogue import FOLDER
from surveys.management.commands.messages import LANGUAGES, read, strings, used
from tests.helpers.source_files import python_files, static_files, template_files

PROOF = {
    "en": re.compile(r"\b(prov(e|es|ed|en|ing)|proofs?)\b", re.I),
    "de": re.compile(r"beweis", re.I),
    "fr": re.compile(r"\b(prouv|preuve|démontr)", re.I),
    "es": re.compile(r"\b(prueb(a|an|as)\b|demuestr|demostr)", re.I),
    "ar": re.compile("[يتن]ثبت|إثبات|برهن|برهان"),
}
ONCE = {  # what such texts said
    "en": "What is stored of them proves no one’s answer.",
    "de": "Was davon gespeichert wird, beweist von niemandem die Antwort.",
    "fr": "Ce qui en est enregistré ne prouve la réponse de personne.",
    "es": "Lo que se guarda de ellas no prueba la respuesta de nadie.",
    "ar": "وما هو محفوظ منها لا يثبت إجابة أحد.",
}
NOTHING = re.compile(r"\b(prove[sdn]?|proof)\b[^.]{0,40}\b(no one|nobody|nothing|neither)\b", re.I)


def catalogues() -> Iterator[tuple[str, str]]:
    """Every text of the respondents' pages, the invitation and the mails: (language, text)."""
    for _, text in used():
        yield from (("en", form) for form in ([text] if isinstance(text, str) else text))
    for language in LANGUAGES:
        yield from (
            (language, text)
            for message in read(language)
            if message.id
            for text in strings(message)
        )


def written(part: object, language: str = "en") -> Iterator[tuple[str, str]]:
    """Every text in the file of a survey, which has the language before each where there are several."""
    if isinstance(part, str):
        yield language, part
    elif isinstance(part, dict):
        for key, value in part.items():
            yield from written(value, key if key in PROOF else language)
    elif isinstance(part, list):
        for value in part:
            yield from written(value, language)


def surveys() -> Iterator[tuple[str, str]]:
    """Of the ready instruments, the demo's study as it is loaded and as it was published, and its drafts."""
    for file in sorted(FOLDER.glob("*.json")):
        yield from written(json.loads(file.read_text()))
    yield from written(misconduct.document())
    yield from written(json.loads(misconduct.published().content))
    yield from written(drafts.documents())


@pytest.mark.parametrize("texts", [catalogues, surveys])
def test_no_fixed_text_speaks_of_proof_in_any_language(texts) -> None:
    found = list(texts())
    assert len(found) > 500
    assert [(language, text) for language, text in found if PROOF[language].search(text)] == []


@pytest.mark.parametrize("language", PROOF)
def test_what_was_said_once_would_be_noticed(language: str) -> None:
    assert PROOF[language].search(ONCE[language])


def test_no_page_and_no_document_says_that_an_answer_proves_nothing() -> None:
    files = [*template_files(), *static_files(".js"), *python_files()]
    files += [*settings.BASE_DIR.glob("docs/**/*.md"), settings.BASE_DIR / "README.md"]
    assert len(files) > 400
    assert [path.name for path in files if NOTHING.search(path.read_text())] == []
    assert NOTHING.search(ONCE["en"])
