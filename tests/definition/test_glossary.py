"""One word for one thing in every language: the translations keep to docs/glossary.md and CONTRIBUTING."""

import re
import unicodedata

import pytest
from django.conf import settings

from surveys.management.commands.messages import LANGUAGES, read, strings

NAMES = {"Deutsch": "de", "Français": "fr", "Español": "es", "العربية": "ar"}
VOWELS = re.compile(
    "[\N{ARABIC FATHATAN}-\N{ARABIC SUKUN}]"
)  # the signs over and under Arabic letters
TAGS = re.compile(r"<[^>]+>|%\(\w+\)s")


def tables() -> list[list[list[str]]]:
    """The table of the glossary, and that of words not to use, without their heads: rows of cells."""
    glossary, contributing = (
        settings.BASE_DIR / "docs/glossary.md",
        settings.BASE_DIR / "CONTRIBUTING.md",
    )
    text = (
        glossary.read_text().partition("\n## Words in the code\n")[0]
        + contributing.read_text().partition("\n## Translations\n")[2].partition("\n## ")[0]
    )
    blocks = re.findall(r"^\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    return [
        [
            [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]
            for line in block.splitlines()
        ]
        for block in blocks
    ]


def plain(text: str) -> str:
    return unicodedata.normalize("NFC", VOWELS.sub("", TAGS.sub(" ", text))).casefold()


def holds(text: str, cell: str) -> bool:
    """Whether a translation has one of the alternatives of a cell: the stems of all its words."""
    stems = [
        [plain(word.partition("\\|")[0]) for word in choice.split()] for choice in cell.split(" / ")
    ]
    return any(all(stem in plain(text) for stem in choice) for choice in stems)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_term_has_the_same_translation(language: str) -> None:
    terms, _ = tables()
    column = 1 + list(NAMES.values()).index(language)
    wrong = [
        (row[0], row[column], english, text)
        for english, text in pairs(language)
        for row in terms
        if speaks_of(without_longer(english, row[0], terms), row[0])
        and not holds(text, row[column])
    ]
    assert wrong == []


def without_longer(english: str, own: str, terms: list[list[str]]) -> str:
    """A text without the terms that hold one of its own: “not scrambled” is none of “scrambled”."""
    own_forms = own.split(", ")
    for form in (form for row in terms for form in row[0].split(", ") if form not in own_forms):
        if any(f" {each}" in f" {form}" for each in own_forms):
            english = re.sub(rf"\b{re.escape(form)}\b", "", english, flags=re.IGNORECASE)
    return english


def pairs(language: str) -> list[tuple[str, str]]:
    """Each text with its translation; one with a plural with each form."""
    found = []
    for message in read(language):
        english = message.id if isinstance(message.id, str) else message.id[-1]
        found += [(english, text) for text in strings(message) if english]
    return found


def speaks_of(english: str, terms: str) -> bool:
    """Whether a text has one of the terms. One with a capital, as the name of a button, only counts as written."""
    text = TAGS.sub(" ", english)
    forms = "|".join(re.escape(form) for form in terms.split(", "))
    return re.search(rf"\b({forms})\b", text if terms[0].isupper() else text.casefold()) is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_that_are_not_used_are_nowhere(language: str) -> None:
    _, unused = tables()
    words = [word for name, word, _ in unused if NAMES[name] == language]
    found = [
        (word, text) for _, text in pairs(language) for word in words if plain(word) in plain(text)
    ]
    assert found == []


def test_the_glossary_would_find_a_wrong_word() -> None:
    """The comparison itself: stems, alternatives, order, Arabic signs."""
    assert holds("Ihr Gerät verändert jede Antwort durch Zufall.", "Zufall veränder\\|t")
    assert not holds("Ihr Gerät verwürfelt jede Antwort.", "Zufall veränder\\|t")
    assert holds("عن السؤال", "سؤال / أسئل\\|ة")
    assert holds("تُرسل كما هي", "ترسل كما هي")
    assert all(len(row) == 1 + len(NAMES) for row in tables()[0])


CLAIMS = {  # of what no statistics holds: that one answer tells nothing, or that it can be told by none
    "en": r"proves nothing|no one.s answer|(?:nobody|no one) can|\bnever\b|\bsafe|anonym|cannot be linked|more honest",
    "de": r"beweist nichts|niemandes antwort|niemand kann|\bnie(?:mals)?\b|anonym|nicht verknüpf|ehrlicher",
    "fr": r"ne prouve rien|personne ne peut|\bjamais\b|anonym|plus honnête",
    "es": r"no prueba nada|nadie puede|\bnunca\b|\bjamás\b|anónim|más honest",
    "ar": r"لا يثبت شيئا|لا أحد يستطيع|أبدا|مجهول الهوية|أكثر صدقا",
}


@pytest.mark.parametrize("language", CLAIMS)
def test_no_text_claims_what_chance_cannot_give(language: str) -> None:
    texts = (
        [english for english, _ in pairs("de")]
        if language == "en"
        else [text for _, text in pairs(language)]
    )
    assert [text for text in texts if re.search(CLAIMS[language], plain(text))] == []
