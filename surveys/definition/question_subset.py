"""Of which questions each person gets only some, picked by their device.

A survey that sets every question itself says which, and how many; of any other definition.protection picks.
"""

from surveys.definition import protection
from surveys.definition.kinds import kind_of
from surveys.definition.response_format import QuestionSubset
from surveys.models import Survey

LEAST = 2  # questions among which chance can decide


def subset_keys(survey: Survey) -> list[str]:
    """Return the keys of the sensitive questions from which the device picks."""
    return [
        question.key
        for question in survey.questions.all()
        if question.drawn and kind_of(question).sensitive
    ]


def subset_problem(count: int, size: int) -> str:
    """Return why a device cannot pick `count` of `size` questions, or an empty string."""
    if size < LEAST:
        return f"The device needs at least {LEAST} sensitive questions to pick from; there {_are(size)}."
    if not 1 <= count < size:
        possible = "1" if size == LEAST else f"1 to {size - 1}"
        return f"Each person can get {possible} of these {size} questions, not {count}."
    return ""


def _are(size: int) -> str:
    return "is 1" if size == 1 else f"are {size}"


def question_subset(survey: Survey) -> QuestionSubset | None:
    """Return the question subset of a draft; None if everyone gets every question."""
    if survey.protection:
        return protection.automatic_subset(list(survey.questions.all()))
    if survey.draw is None:
        return None
    keys = subset_keys(survey)
    return (
        None if subset_problem(survey.draw, len(keys)) else QuestionSubset(survey.draw, tuple(keys))
    )


def subset_settings(survey: Survey) -> dict[str, int | list[str]] | None:
    """Return the author's settings as files and the API have them, or None."""
    return None if survey.draw is None else {"count": survey.draw, "of": subset_keys(survey)}


def publishing_problem(survey: Survey) -> str:
    """Return what must be fixed before publishing, or an empty string."""
    return "" if survey.draw is None else subset_problem(survey.draw, len(subset_keys(survey)))
