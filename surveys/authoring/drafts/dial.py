"""What the questions of a draft keep as its protection changes between one dial and setting each by itself."""

from typing import Any

from surveys.definition import protection
from surveys.definition.freezing import answer_labels
from surveys.definition.kinds import kind_of
from surveys.models import Question, Survey
from surveys.site.errors import Invalid

METHOD = ("design", "parameters", "harmless", "statement", "opposite", "edition")


def sync_question_methods(survey: Survey, before: str) -> None:
    """Update the questions after `survey.protection` changed. Call before saving the survey.

    Who turns from a level to setting every question starts from what was derived; who turns to a level leaves all
    methods to it.
    """
    if before == survey.protection:
        return
    if survey.protection == protection.NO_LEVEL:
        _write_down(survey, before)
    elif before == protection.NO_LEVEL:
        _leave(survey)


def _write_down(survey: Survey, before: str) -> None:
    questions = _sensitive(survey)
    for question in questions:
        try:
            question.design, question.parameters = method_at_level(question, before)
        except Invalid:  # it could not be published before either, and says so at itself
            continue
    picked = protection.automatic_subset(questions)
    survey.draw = picked.count if picked else None
    for question in questions:
        question.drawn = picked is not None and question.key in picked.of
    _store(questions, "drawn")


def method_at_level(question: Question, level: str) -> protection.Method:
    """Return the method a question has at a protection level."""
    return protection.question_method(question, len(answer_labels(question)), level)


def _leave(survey: Survey) -> None:
    """The pair of statements stays with a spinner, for which a level has Warner’s design too."""
    questions = _sensitive(survey)
    for question in questions:
        question.design, question.parameters, question.harmless, question.drawn = "", {}, "", False
        if question.mode != Question.Mode.SPINNER:
            question.statement = question.opposite = ""
    survey.draw = None
    _store(questions, "drawn")


def _sensitive(survey: Survey) -> list[Question]:
    return [
        question
        for question in survey.questions.prefetch_related("choices")
        if kind_of(question).sensitive
    ]


def _store(questions: list[Question], *more: str) -> None:
    for question in questions:
        question.edition += 1
    Question.objects.bulk_update(questions, [*METHOD, *more])


def in_words(level: Any) -> str:
    """For the history."""
    return str(level) or "each question with its own method"
