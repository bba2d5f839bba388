"""Changes that mend a draft which would show nothing, or costs more than its budget: one step each, stored whole."""

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.authoring import drafts
from surveys.authoring.budgets import goal
from surveys.authoring.overview import Overview, overview
from surveys.authoring.plans import resolve
from surveys.authoring.verdicts import each_of
from surveys.designs.levels import AUTOMATIC, EPSILONS
from surveys.errors import Invalid, Refused
from surveys.models import Question, Survey
from surveys.people import history
from surveys.publishing.freezing import answers
from surveys.publishing.lifecycle import require_draft

Kind = Question.Kind
ALIKE = 0.05  # of epsilon: how far apart questions may be that share a budget equally, as chances are round numbers


@transaction.atomic
def mend(*, survey: Survey, question: Question, choice: str, by: AbstractBaseUser | None = None) -> None:
    """Do what a remedy offers. choice: as surveys.authoring.verdicts.Remedy has it; Invalid for another."""
    survey = survey.locked()
    require_draft(survey)
    if choice in EPSILONS and question.is_sensitive:
        _design(question, choice)
        history.record(survey, by, history.What.CHANGED, f"protection of question {question.key}: {choice}")
    elif choice == "yes-no" and question.kind == Kind.ANY:
        _ask_singly(survey, question, by)
    else:
        raise Invalid({"choice": "This cannot be done to the question. Look at the survey again."})


@transaction.atomic
def share_equally(*, survey: Survey, by: AbstractBaseUser | None = None) -> float:
    """Give each sensitive question the same part of the budget; the epsilon that each declares.

    Questions that a person draws keep their design, which is part of what that person is told.
    """
    survey = survey.locked()
    require_draft(survey)
    sharing = [question for question in survey.questions.prefetch_related("choices") if _is_shared(question)]
    keys = {question.key for question in sharing}
    lines = overview(survey).lines
    kept = sum(line.protection.epsilon for line in lines if line.protection and line.key not in keys)
    epsilon = each_of(len(sharing), goal(survey) - kept) if sharing else 0.0
    if not epsilon:
        raise Refused("The privacy budget leaves nothing to share out. Ask fewer questions, or raise the budget.")
    for question in sharing:
        _design(question, AUTOMATIC, epsilon)
    history.record(survey, by, history.What.CHANGED, f"budget shared equally: epsilon {epsilon:.2f} each")
    return epsilon


def share_if_alike(*, survey: Survey, by: AbstractBaseUser | None = None) -> float | None:
    """Where one more question went over the budget and all cost the same, let all go on costing the same.

    So defaults alone never make a survey that cannot be published. None where nothing was changed.
    """
    seen = overview(survey)
    return share_equally(survey=survey, by=by) if seen.epsilon > goal(survey) and _are_alike(seen) else None


def _are_alike(seen: Overview) -> bool:
    """The newest question aside, which comes at its default."""
    spent = [line.protection.epsilon for line in seen.lines if line.protection]
    return len(spent) > 1 and max(spent[:-1]) - min(spent[:-1]) <= ALIKE * max(spent[:-1])


def _is_shared(question: Question) -> bool:
    return question.is_sensitive and question.mode == Question.Mode.AUTOMATIC


def _design(question: Question, design: str, epsilon: float | None = None) -> None:
    size = max(len(answers(question)), 2)
    numbers = {"epsilon": f"{epsilon:.2f}"} if epsilon else {}
    question.design, question.parameters = resolve(design, numbers, size, question.kind)
    question.edition += 1
    question.save(update_fields=["design", "parameters", "edition"])


def _ask_singly(survey: Survey, question: Question, by: AbstractBaseUser | None) -> None:
    """One yes/no question for each choice, where the question stood."""
    labels = [choice.label for choice in question.choices.all()]
    room = goal(survey) - overview(survey).epsilon + _loss(survey, question)
    place = list(survey.questions.values_list("pk", flat=True)).index(question.pk)
    epsilon = each_of(len(labels), room)
    if not epsilon:
        raise Refused("The privacy budget has no room for one question for each choice.")
    drafts.delete_question(survey=survey, question=question, by=by)
    for number, label in enumerate(labels):
        made = drafts.save_question(
            survey=survey,
            text=f"{question.text} – {label}"[:500],
            help=question.help,
            section=question.section if number == 0 else "",
            kind=Kind.YES_NO,
            decline=question.decline,
            design=AUTOMATIC,
            parameters={"epsilon": f"{epsilon:.2f}"},
            by=by,
        )
        drafts.move_question(survey=survey, question=made, steps=place + number - survey.questions.count() + 1)


def _loss(survey: Survey, question: Question) -> float:
    (line,) = [line for line in overview(survey).lines if line.key == question.key]
    return line.protection.epsilon if line.protection else 0.0
