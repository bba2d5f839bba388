"""Which background questions make the groups of the report, for everybody without the right to rows: at most three."""

from surveys.definition.freezing import MOST_GROUP_QUESTIONS
from surveys.definition.instrument import MOST_IN_GROUPS
from surveys.definition.kinds import is_background
from surveys.models import Question, Survey

MOST = {3: "three"}[MOST_GROUP_QUESTIONS]


def makes_report_groups(
    survey: Survey, question: Question, kind: str, wanted: bool | None, choices: int = 0
) -> bool:
    """Return whether the question makes groups. Raise ValueError if it has too many choices, or others take all places.

    wanted: as its author says; None leaves it. A new question makes none, because groups show more of people.
    choices: how many the question has.
    """
    if not is_background(kind):
        return False
    if choices > MOST_IN_GROUPS:
        if wanted:
            raise ValueError(
                f"Choose a question with at most {MOST_IN_GROUPS} choices for groups. This one has {choices:,}."
            )
        return False
    if wanted is None:
        return question.cut
    others = list(
        survey.questions.filter(cut=True).exclude(pk=question.pk).values_list("key", flat=True)
    )
    if wanted and len(others) >= MOST_GROUP_QUESTIONS:
        raise ValueError(
            f"At most {MOST} questions make groups: {', '.join(others)}. Remove one of these first."
        )
    return wanted
