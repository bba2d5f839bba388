"""The questions of a draft with their choices.

A list can have thousands of choices, which only a page about that list should read.
"""

from django.db.models import Count, prefetch_related_objects

from surveys.definition.instrument import MOST_IN_GROUPS
from surveys.models import Choice, Question, Survey


def load_questions(survey: Survey) -> list[Question]:
    """Return the questions of a draft in order, with the choices of short lists, in two queries.

    The choices of a long list are read when a page asks for them. Each question has the number of
    its choices as `lines`.
    """
    questions = list(survey.questions.annotate(lines=Count("choices")).order_by("position"))
    with_short_list = [question for question in questions if question.lines <= MOST_IN_GROUPS]
    prefetch_related_objects(with_short_list, "choices")
    for question in questions:
        question.survey = survey
        if question.lines > MOST_IN_GROUPS:
            choices = Choice.objects.filter(question=question)
            if not survey.further_languages:
                choices = choices.defer("translations")
            # Django uses this query set as if it were prefetched, and runs it only when needed.
            question._prefetched_objects_cache = {"choices": choices}
    return questions
