"""A filter that finds surveys by a text in them."""

from django.db.models import Exists, OuterRef, Q

from surveys.models import Question


def matches_text(text: str) -> Q:
    """Return a filter for surveys with this text in their title or in a question, ignoring case.

    Only the first language of each survey is searched.
    """
    matching_questions = Question.objects.filter(survey=OuterRef("pk"), text__icontains=text)
    return Q(title__icontains=text) | Q(Exists(matching_questions))
