"""Of which questions each person gets only some, picked by their device.

A survey that sets every question itself says which, and how many; of any other definition.protection picks.
"""

from surveys.definition import protection
from surveys.definition.kinds import kind_of
from surveys.definition.response_format import Draw
from surveys.models import Survey

LEAST = 2  # questions among which chance can decide


def lot(survey: Survey) -> list[str]:
    """The keys of the questions among which the device draws, in their order. Only sensitive ones can be."""
    return [
        question.key
        for question in survey.questions.all()
        if question.drawn and kind_of(question).sensitive
    ]


def wrong(count: int, size: int) -> str:
    """Why nobody can get so many of so many questions; nothing where it can be done."""
    if size < LEAST:
        return f"The device needs at least {LEAST} sensitive questions to pick from; there {_are(size)}."
    if not 1 <= count < size:
        possible = "1" if size == LEAST else f"1 to {size - 1}"
        return f"Each person can get {possible} of these {size} questions, not {count}."
    return ""


def _are(size: int) -> str:
    return "is 1" if size == 1 else f"are {size}"


def draw(survey: Survey) -> Draw | None:
    """None where everybody is asked all questions, or where it is wrong: then nothing can be published."""
    if survey.protection:
        return protection.selection(list(survey.questions.all()))
    if survey.draw is None:
        return None
    keys = lot(survey)
    return None if wrong(survey.draw, len(keys)) else Draw(survey.draw, tuple(keys))


def written(survey: Survey) -> dict[str, int | list[str]] | None:
    """What its author wrote, as files and programs have it; None where that is nothing."""
    return None if survey.draw is None else {"count": survey.draw, "of": lot(survey)}


def problem(survey: Survey) -> str:
    """What has to be mended before publishing, as after a question was deleted."""
    return "" if survey.draw is None else wrong(survey.draw, len(lot(survey)))
