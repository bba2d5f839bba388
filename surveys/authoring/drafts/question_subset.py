"""Asking each person only some of the sensitive questions: which, and how many."""

from collections.abc import Sequence

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.accounts import history
from surveys.definition import protection, question_subset
from surveys.definition.kinds import kind_of
from surveys.definition.status import require_draft
from surveys.models import Question, Survey
from surveys.site.errors import Invalid, Refused


@transaction.atomic
def set_draw(
    *,
    survey: Survey,
    count: int | None,
    of: Sequence[str] = (),
    by: AbstractBaseUser | None = None,
    unfinished: bool = False,
) -> None:
    """Ask each person `count` of the questions with these keys, picked at random; None gives everyone all questions.

    unfinished: also a lot that cannot be published yet, as one has that lost a question. Raises Invalid at "of" and
    "count".
    """
    survey = survey.locked()
    require_draft(survey)
    if survey.protection and count is not None:
        raise Refused(protection.ONE_CHOICE)
    sensitive = [question for question in survey.questions.all() if kind_of(question).sensitive]
    chosen = [question for question in sensitive if question.key in of] if count is not None else []
    if count is not None:
        _check(count, of, chosen, unfinished=unfinished)
    before = survey.draw, question_subset.subset_keys(survey)
    _store(survey, count, chosen)
    if (survey.draw, question_subset.subset_keys(survey)) != before:
        history.record(
            survey, by, history.What.CHANGED, _said(count, [question.key for question in chosen])
        )


def _check(count: int, of: Sequence[str], chosen: Sequence[Question], *, unfinished: bool) -> None:
    unknown = [key for key in of if key not in {question.key for question in chosen}]
    if unknown:
        raise Invalid(
            {"of": f"Choose only sensitive questions of this survey. {unknown[0]} is not one."}
        )
    wrong = question_subset.subset_problem(count, len(chosen))
    if wrong and not unfinished:
        raise Invalid({"of" if len(chosen) < question_subset.LEAST_QUESTIONS else "count": wrong})


def _store(survey: Survey, count: int | None, chosen: Sequence[Question]) -> None:
    survey.questions.update(drawn=False)
    survey.questions.filter(pk__in=[question.pk for question in chosen]).update(drawn=True)
    survey.draw = count
    survey.save(update_fields=["draw"])


def _said(count: int | None, keys: Sequence[str]) -> str:
    if count is None:
        return "gives everyone all questions"
    return (
        f"gives each person {count} of {len(keys)} questions, picked at random: {', '.join(keys)}"
    )
