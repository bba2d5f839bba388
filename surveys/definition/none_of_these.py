"""The answer that means none of the others, and so has no rank among them. Authors mark it."""

from collections.abc import Iterable

from surveys.models import Question


def none_codes(questions: Iterable[Question]) -> dict[str, int]:
    """Return the code of the “none of these” answer by question key.

    The code is the index among the choices, of which the author marks one by its label. Questions
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
