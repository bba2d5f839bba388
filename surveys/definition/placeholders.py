"""Blanks: what stands in double square brackets in a text, as “[[name of a help line]]”, is still to be filled in.

Ready instruments have them where only the author knows what belongs there. With one left nothing is published.
"""

from dataclasses import dataclass

from surveys.definition.text_places import Place, iter_texts, list_some
from surveys.models import Survey

OPENING, CLOSING = "[[", "]]"


@dataclass(frozen=True)
class Blank:
    """A text with something to fill in, in one language."""

    place: Place
    code: str

    @property
    def is_translation(self) -> bool:
        return self.code != self.place.languages[0]

    def __str__(self) -> str:
        return (
            f"{self.place} in {Survey.Language(self.code).label}"
            if self.is_translation
            else str(self.place)
        )


def has_blank(text: str) -> bool:
    """Return whether something in a text is still to be filled in."""
    opening = text.find(OPENING)
    return opening >= 0 and CLOSING in text[opening + len(OPENING) :]


def find_placeholders(survey: Survey) -> list[Blank]:
    """Return every text of a draft that still has a placeholder, language by language."""
    opening = iter_texts(survey, only=OPENING)
    first = survey.language
    return [
        Blank(place, code)
        for code in survey.languages
        for place in opening
        if has_blank(
            getattr(place.row, place.name) if code == first else place.text.others.get(code, "")
        )
    ]


def placeholder_problem(survey: Survey) -> str:
    """Return why placeholders keep a draft from being published, or an empty string."""
    return sentence(find_placeholders(survey))


def sentence(gaps: list[Blank]) -> str:
    if not gaps:
        return ""
    return f"Fill in the texts in double square brackets [[ ]]: {list_some(gaps)}."
