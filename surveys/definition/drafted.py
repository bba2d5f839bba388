"""The questions of a draft with their choices.

A list can have thousands of choices, which only a page about that list should read.
"""

from django.db.models import Count, prefetch_related_objects

from surveys.definition.instrument import MOST_IN_GROUPS
from surveys.models import Choice, Question, Survey


def load_questions(survey: Survey) -> list[Question]:
    """Return the questions of a draft in their order, for a page about the whole draft.

    Two queries read the questions, and the choices of all questions with at most MOST_IN_GROUPS of
    them. The choices of a longer list are read when code asks for `question.choices.all()`. The
    attribute `lines` of each question is the number of its choices.
    """
    questions = list(survey.questions.annotate(lines=Count("choices")).order_by("position"))
    with_short_list = [question for question in questions if question.lines <= MOST_IN_GROUPS]
    prefetch_related_objects(with_short_list, "choices")

    for question in questions:
        # All questions refer to this one object of the survey.
        question.survey = survey
        if question.lines > MOST_IN_GROUPS:
            choices = Choice.objects.filter(question=question)
            if not survey.further_languages:
                # A survey in one language has no translations to read.
                choices = choices.defer("translations")
            # Django uses this query set as if it were prefetched, and runs it only when needed.
            question._prefetched_objects_cache = {"choices": choices}
    return questions
