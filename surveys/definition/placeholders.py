"""Placeholders: parts of a text in double square brackets that the author still has to fill in.

Ready instruments have them where only the author knows the text: “[[name of a help line]]”. A
survey is not published as long as one is left.
"""

from dataclasses import dataclass

from surveys.definition.text_places import Place, iter_texts, list_some
from surveys.models import Survey

# What a placeholder starts and ends with.
OPENING, CLOSING = "[[", "]]"


@dataclass(frozen=True)
class Blank:
    """A text that still has a placeholder in one language.

    place: where the text is in the survey.
    code: the code of the language.
    """

    place: Place
    code: str

    @property
    def is_translation(self) -> bool:
        """True if the placeholder is not in the first language of the survey."""
        return self.code != self.place.languages[0]

    def __str__(self) -> str:
        """Return the place in words, with the language if it is a translation."""
        if self.is_translation:
            return f"{self.place} in {Survey.Language(self.code).label}"
        return str(self.place)


def has_blank(text: str) -> bool:
    """Return whether a text has a placeholder."""
    opening = text.find(OPENING)
    return opening >= 0 and CLOSING in text[opening + len(OPENING) :]


def find_placeholders(survey: Survey) -> list[Blank]:
    """Return every text of a draft that still has a placeholder, language by language.

    A text with placeholders in two languages is in the result twice.
    """
    places = iter_texts(survey, only=OPENING)
    blanks = []
    for code in survey.languages:
        for place in places:
            # The text itself is in the first language, and not among its translations.
            text = place.text.others.get(code, "")
            if code == survey.language:
                text = str(place.text)
            if has_blank(text):
                blanks.append(Blank(place, code))
    return blanks


def placeholder_problem(survey: Survey) -> str:
    """Return why placeholders keep a draft from being published, or an empty string.

    They do if any text, or any of its translations, still has a part in double square brackets.
    """
    return sentence(find_placeholders(survey))


def sentence(gaps: list[Blank]) -> str:
    """Return a request to fill in these texts, or an empty string if there are none.

    gaps: the texts with placeholders. The request names only some of them if there are many.
    """
    if not gaps:
        return ""
    return f"Fill in the texts in double square brackets [[ ]]: {list_some(gaps)}."
