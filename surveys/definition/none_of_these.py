"""Which answer means none of the others, and so has no rank among them: the one that its author marked."""

from collections.abc import Iterable

from surveys.models import Question


def none_codes(questions: Iterable[Question]) -> dict[str, int]:
    """Return the code of the “none of these” answer by question key."""
    named = {
        question.key: (question.none, question.choices.all())
        for question in questions
        if question.none
    }
    return {
        key: code
        for key, (none, choices) in named.items()
        for code, each in enumerate(choices)
        if each.label == none
    }
