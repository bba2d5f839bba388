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


def joined(separator: str, texts: Iterable[str]) -> Text:
    """One text of several; in those further languages in which all of them are."""
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


def stored(row: Translated, name: str, languages: Sequence[str]) -> Text:
    """A text of a draft, with those translations that it has. languages: of its survey, the first one first."""
    translated = {code: row.translations.get(code, {}).get(name, "") for code in languages[1:]}
    return Text(getattr(row, name), {code: text for code, text in translated.items() if text})


def in_language(text: str, code: str) -> str:
    """Of a text of any kind: a plain str, as a number is, is the same in all languages."""
    return text.in_language(code) if isinstance(text, Text) else text


def of_draft(text: Text, languages: Sequence[str]) -> str | dict[str, str]:
    """As files and programs have it: plain where it is not translated."""
    return {languages[0]: str(text)} | text.others if text.others else str(text)


def frozen(text: str, languages: Sequence[str]) -> str | dict[str, str]:
    """As it stands in an instrument: plain where it is the same in all languages."""
    said = {code: in_language(text, code) for code in languages}
    return said if len({*said.values()}) > 1 else str(text)


def thawed(said: str | Mapping[str, str], languages: Sequence[str]) -> Text:
    """The inverse of frozen()."""
    if isinstance(said, str):
        return Text(said)
    return Text(said[languages[0]], {code: said[code] for code in languages[1:]})


def together(texts: Mapping[str, Sequence[str]]) -> tuple[Text, ...]:
    """One list of texts from the same list in each language, the first one first."""
    codes = list(texts)
    rows = zip(*texts.values(), strict=True)
    return tuple(Text(row[0], dict(zip(codes[1:], row[1:], strict=True))) for row in rows)
