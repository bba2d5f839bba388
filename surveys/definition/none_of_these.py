"""The answer that means none of the others, and so has no rank among them. Authors mark it."""

from collections.abc import Iterable

from surveys.models import Question


def none_codes(questions: Iterable[Question]) -> dict[str, int]:
    """Return, by question key, the code of the answer that means none of the others.

    The author marks this answer by its label. Its code is its index among the choices. Questions
    without such an answer are left out.
    """
    code_by_key = {}
    for question in questions:
        if not question.none:
            continue
        for code, choice in enumerate(question.choices.all()):
            if choice.label == question.none:
                code_by_key[question.key] = code
    return code_by_key
