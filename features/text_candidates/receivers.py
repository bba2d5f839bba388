"""The texts that an author listed in the draft become the first round of each question with written answers."""

from django.dispatch import receiver

from surveys.models import Question, Round, Survey
from surveys.signals import survey_prepared, survey_published


@receiver([survey_published, survey_prepared])
def store_first_rounds(survey: Survey, **_: object) -> None:
    """Store the first rounds in the transaction that makes the instrument. They are counted with the first release."""
    for question in survey.questions.filter(kind=Question.Kind.WRITTEN).prefetch_related("choices"):
        texts = [choice.label for choice in question.choices.all()]
        if texts:
            Round.objects.create(
                instrument=survey.instrument, key=question.key, number=1, texts=texts
            )
