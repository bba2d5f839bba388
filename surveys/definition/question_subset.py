"""The question subset of a draft: the sensitive questions from which each device picks some.

If a survey sets the protection of every question itself, its author chooses these questions and
how many are picked. Otherwise surveys.definition.protection chooses them.
"""

from surveys.definition import protection
from surveys.definition.kinds import kind_of
from surveys.definition.response_format import QuestionSubset
from surveys.models import Survey

# With fewer questions there is nothing to pick.
LEAST_QUESTIONS = 2


def subset_keys(survey: Survey) -> list[str]:
    """Return the keys of the sensitive questions from which the author lets each device pick.

    The result is empty if the author chose none. A survey with one protection for all its questions
    does not use this choice: see `question_subset`.
    """
    return [
        question.key
        for question in survey.questions.all()
        if question.drawn and kind_of(question).sensitive
    ]


def subset_problem(count: int, size: int) -> str:
    """Return why a device cannot pick `count` of `size` questions, or an empty string.

    It must pick at least one question and leave out at least one.
    """
    if size < LEAST_QUESTIONS:
        number = "is 1" if size == 1 else f"are {size}"
        return (
            f"The device needs at least {LEAST_QUESTIONS} sensitive questions to pick from; "
            f"there {number}."
        )
    if not 1 <= count < size:
        possible = "1" if size == LEAST_QUESTIONS else f"1 to {size - 1}"
        return f"Each person can get {possible} of these {size} questions, not {count}."
    return ""


def question_subset(survey: Survey) -> QuestionSubset | None:
    """Return the question subset of a draft: from which questions each device picks, and how many.

    Return None if everyone gets every question, or if the author's settings have a problem.
    """
    if survey.protection:
        # Protection is one choice for the survey, and decides the subset too.
        return protection.automatic_subset(list(survey.questions.all()))
    if survey.draw is None:
        return None
    keys = subset_keys(survey)
    if subset_problem(survey.draw, len(keys)):
        return None
    return QuestionSubset(count=survey.draw, of=tuple(keys))


def subset_settings(survey: Survey) -> dict[str, int | list[str]] | None:
    """Return the author's count and keys of the question subset, as files and the API have them.

    Return None if the author does not let devices pick questions.
    """
    if survey.draw is None:
        return None
    return {"count": survey.draw, "of": subset_keys(survey)}


def publishing_problem(survey: Survey) -> str:
    """Return why the author's question subset prevents publishing, or an empty string.

    There is no problem if the author does not let devices pick questions.
    """
    if survey.draw is None:
        return ""
    return subset_problem(survey.draw, len(subset_keys(survey)))
