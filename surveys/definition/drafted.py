"""The questions of a draft with their choices. A list can have thousands, which only a page about it should read."""

from django.db.models import Count, prefetch_related_objects

from surveys.definition.instrument import MOST_IN_GROUPS
from surveys.models import Choice, Question, Survey


def load_questions(survey: Survey) -> list[Question]:
    """Return the questions of a draft in their order, with the choices of short lists, in two
    queries.
    """
    questions = list(survey.questions.annotate(lines=Count("choices")).order_by("position"))
    prefetch_related_objects(
        [each for each in questions if each.lines <= MOST_IN_GROUPS], "choices"
    )
    for question in questions:
        question.survey = survey
        if question.lines > MOST_IN_GROUPS:
            own = Choice.objects.filter(question=question)
            question._prefetched_objects_cache = {
                "choices": own if survey.further_languages else own.defer("translations")
            }
    return questions
