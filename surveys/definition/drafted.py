"""The questions of a draft with their choices. A list can have thousands, which only a page about it should read."""

from django.db.models import Count, prefetch_related_objects

from surveys.definition.instrument import MOST_IN_GROUPS
from surveys.models import Choice, Question, Survey


def drafted(survey: Survey) -> list[Question]:
    """In their order, in two statements. The choices of a long list are read once, when somebody looks at them."""
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
