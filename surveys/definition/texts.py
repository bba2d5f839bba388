"""A text in the languages of a survey: as Python holds it, as a draft stores it, as an instrument writes it."""

from collections.abc import Iterable, Mapping, Sequence

from surveys.models import Translated

NOWHERE_ELSE: dict[
    str, str
] = {}  # one for all texts of one language, of which a list can have thousands


class Text(str):
    """As a str it is in the survey's first language; `others` has it in further ones, by their codes."""

    __slots__ = ("others",)
    others: dict[str, str]

    def __new__(cls, first: str, others: Mapping[str, str] | None = None) -> "Text":
        text = super().__new__(cls, first)
        text.others = dict(others) if others else NOWHERE_ELSE
        return text

    def __getnewargs__(self) -> tuple[str, dict[str, str]]:
        return str(self), self.others

    def in_language(self, code: str) -> str:
        """In the first language where it is not in that one."""
        return self.others.get(code, str(self))


def join_texts(separator: str, texts: Iterable[str]) -> Text:
    """Return several texts as one, in the languages that all of them have."""
    said = [text if isinstance(text, Text) else Text(text) for text in texts if text]
    codes = [
        code
        for code in (said[0].others if said else ())
        if all(code in text.others for text in said)
    ]
    return Text(
        separator.join(said),
        {code: separator.join(text.others[code] for text in said) for code in codes},
    )


def stored_text(row: Translated, name: str, languages: Sequence[str]) -> Text:
    """Return a text of a draft with its translations."""
    translated = {code: row.translations.get(code, {}).get(name, "") for code in languages[1:]}
    return Text(getattr(row, name), {code: text for code, text in translated.items() if text})


def in_language(text: str, code: str) -> str:
    """Of a text of any kind: a plain str, as a number is, is the same in all languages."""
    return text.in_language(code) if isinstance(text, Text) else text


def text_to_data(text: Text, languages: Sequence[str]) -> str | dict[str, str]:
    """Return a text as files and the API have it: plain if it is not translated."""
    return {languages[0]: str(text)} | text.others if text.others else str(text)


def text_to_instrument(text: str, languages: Sequence[str]) -> str | dict[str, str]:
    """Return a text as instruments store it: plain if it is the same in all languages."""
    said = {code: in_language(text, code) for code in languages}
    return said if len({*said.values()}) > 1 else str(text)


def text_from_instrument(said: str | Mapping[str, str], languages: Sequence[str]) -> Text:
    """Return the text that `text_to_instrument` stored."""
    if isinstance(said, str):
        return Text(said)
    return Text(said[languages[0]], {code: said[code] for code in languages[1:]})


def zip_languages(texts: Mapping[str, Sequence[str]]) -> tuple[Text, ...]:
    """Combine the same list in several languages into one list of texts."""
    codes = list(texts)
    rows = zip(*texts.values(), strict=True)
    return tuple(Text(row[0], dict(zip(codes[1:], row[1:], strict=True))) for row in rows)
