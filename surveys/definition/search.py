"""Finding surveys by what was written in them."""

from django.db.models import Exists, OuterRef, Q

from surveys.models import Question


def has(text: str) -> Q:
    """Of surveys: the text is in the title or in a question."""
    asked = Question.objects.filter(survey=OuterRef("pk"), text__icontains=text)
    return Q(title__icontains=text) | Q(Exists(asked))
