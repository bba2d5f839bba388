"""Texts in the languages of a survey, as Python, a draft and an instrument have them."""

from collections.abc import Iterable, Mapping, Sequence

from surveys.models import Translated

# One dictionary serves all texts in one language, since a list can have thousands of them.
NO_TRANSLATIONS: dict[str, str] = {}


class Text(str):
    """A text in the languages of a survey.

    As a str it is in the first language of the survey. `others` has it in further languages, by
    their codes.
    """

    __slots__ = ("others",)
    others: dict[str, str]

    def __new__(cls, first: str, others: Mapping[str, str] | None = None) -> "Text":
        """Create a text from `first` in the first language, and `others` by code of language."""
        text = super().__new__(cls, first)
        text.others = dict(others) if others else NO_TRANSLATIONS
        return text

    def __getnewargs__(self) -> tuple[str, dict[str, str]]:
        """Return the arguments of `__new__` with which pickle and copy create the text again."""
        return str(self), self.others

    def in_language(self, code: str) -> str:
        """Return the text in a language, or in the first language if it is not translated."""
        return self.others.get(code, str(self))


def join_texts(separator: str, texts: Iterable[str]) -> Text:
    """Return several texts as one, in the languages that all of them have. Skip empty texts.

    separator: what stands between two texts, in every language.
    """
    parts = []
    for text in texts:
        if text:
            parts.append(text if isinstance(text, Text) else Text(text))
    if not parts:
        return Text("")

    joined_by_code = {}
    for code in parts[0].others:
        if all(code in part.others for part in parts):
            joined_by_code[code] = separator.join(part.others[code] for part in parts)
    return Text(separator.join(parts), joined_by_code)


def stored_text(row: Translated, name: str, languages: Sequence[str]) -> Text:
    """Return the text in the field `name` of a row, with its translations.

    row: a survey, a question or a choice of a draft.
    languages: the codes of the languages of the survey. The first one is that of the field itself.
    """
    translations = {}
    for code in languages[1:]:
        translation = row.translations.get(code, {}).get(name, "")
        if translation:
            translations[code] = translation
    return Text(getattr(row, name), translations)


def in_language(text: str, code: str) -> str:
    """Return a text in a language. A plain str, such as a number, is the same in all languages.

    code: the code of the language. Without a translation the first language is used.
    """
    if isinstance(text, Text):
        return text.in_language(code)
    return text


def text_to_data(text: Text, languages: Sequence[str]) -> str | dict[str, str]:
    """Return a text as files and the API have it: plain if it is not translated.

    Otherwise return a dictionary of the translated text by code of language.

    languages: the codes of the languages of the survey, the first one first.
    """
    if not text.others:
        return str(text)
    return {languages[0]: str(text)} | text.others


def text_to_instrument(text: str, languages: Sequence[str]) -> str | dict[str, str]:
    """Return a text as instruments store it: plain if it is the same in all languages.

    Otherwise return a dictionary of the text by code of language, with all languages.

    text: a Text, or a plain str, which is the same in all languages.
    languages: the codes of the languages of the survey, the first one first.
    """
    text_by_code = {code: in_language(text, code) for code in languages}
    if len(set(text_by_code.values())) > 1:
        return text_by_code
    return str(text)


def text_from_instrument(stored: str | Mapping[str, str], languages: Sequence[str]) -> Text:
    """Return the text that `text_to_instrument` stored.

    languages: the codes with which it was stored.
    """
    if isinstance(stored, str):
        return Text(stored)
    further = {code: stored[code] for code in languages[1:]}
    return Text(stored[languages[0]], further)


def zip_languages(texts: Mapping[str, Sequence[str]]) -> tuple[Text, ...]:
    """Combine the same list in several languages into one list of texts.

    Of {"en": ["No"], "de": ["Nein"]} it makes one Text: “No” with the translation “Nein”.

    texts: the list in each language, by the code of the language. All lists are equally long, and
        the first language is the first one of the survey.
    """
    further_codes = list(texts)[1:]
    result = []
    for first, *translations in zip(*texts.values(), strict=True):
        others = dict(zip(further_codes, translations, strict=True))
        result.append(Text(first, others))
    return tuple(result)
