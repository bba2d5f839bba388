"""Changes that mend a draft which would show nothing, or costs more than its budget: one step each, stored whole."""

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.accounts import history
from surveys.authoring.drafts import drafts
from surveys.authoring.drafts.question_plan import resolve
from surveys.authoring.planning.budget import UNCONFIRMED
from surveys.authoring.planning.overview import overview
from surveys.authoring.planning.precision import dearest, each_of, picked_at
from surveys.definition.designs.levels import AUTOMATIC, EPSILONS, aim_of
from surveys.definition.freezing import answers, freeze_question
from surveys.definition.instrument import spent
from surveys.definition.kinds import Kind, kind_of
from surveys.definition.protection import ONE_CHOICE
from surveys.definition.status import require_draft
from surveys.models import Question, Survey
from surveys.site.errors import Invalid, Refused

ALIKE = 0.05  # of epsilon: how far apart questions may be that share a budget equally, as chances are round numbers


@transaction.atomic
def mend(*, survey: Survey, question: Question, choice: str, by: AbstractBaseUser | None = None) -> None:
    """Do what a remedy offers. choice: as surveys.authoring.planning.precision.Remedy has it; Invalid for another."""
    survey = survey.locked()
    _require_own(survey)
    if question.grid:
        raise Invalid({"choice": "The question is a row of a grid, whose rows are protected alike. Change the grid."})
    if choice in EPSILONS and kind_of(question).sensitive:
        redesign(question, choice)
        history.record(survey, by, history.What.CHANGED, f"protection of question {question.key}: {choice}")
    elif choice == "pick" and kind_of(question).select == "any":
        redesign(question, AUTOMATIC, picked_at(freeze_question(question).mechanism))
        history.record(survey, by, history.What.CHANGED, f"marks picked by chance in question {question.key}")
    elif choice == "yes-no" and kind_of(question).select == "any" and not question.drawn:
        _ask_singly(survey, question, by)
    else:
        raise Invalid({"choice": "This cannot be done to the question. Look at the survey again."})


@transaction.atomic
def share_equally(*, survey: Survey, by: AbstractBaseUser | None = None) -> float:
    """Give each sensitive question the same part of the budget; the epsilon that each declares.

    Questions that a person draws keep their design, which is part of what that person is told.
    """
    survey = survey.locked()
    _require_own(survey)
    sharing = [question for question in survey.questions.prefetch_related("choices") if is_shared(question)]
    seen, keys = overview(survey), {question.key for question in sharing}
    others = [(key, loss) for key, loss in seen.losses if key not in keys]
    most, limit = float(EPSILONS["balanced"]), UNCONFIRMED

    def cost(each: float) -> float:
        return spent([*others, *((key, each) for key in keys)], seen.draw, seen.paths)

    epsilon = (most if cost(most) <= limit else dearest(cost, limit, most)) if sharing else 0.0
    if not epsilon:
        raise Refused("The privacy budget leaves nothing to share out. Ask fewer questions, or raise the budget.")
    for question in sharing:
        redesign(question, AUTOMATIC, epsilon)
    history.record(survey, by, history.What.CHANGED, f"budget shared equally: epsilon {epsilon:.2f} each")
    return epsilon


def share_if_alike(*, survey: Survey, new: Question, by: AbstractBaseUser | None = None) -> float | None:
    """Where a new question went over the budget and all others cost the same, let all go on costing the same.

    So defaults alone never make a survey that cannot be published. None where nothing was changed.
    """
    seen = overview(survey)
    others = [loss for key, loss in seen.losses if key != new.key]
    are_alike = others and max(others) - min(others) <= ALIKE * max(others)
    return share_equally(survey=survey, by=by) if seen.epsilon > UNCONFIRMED and are_alike else None


def _require_own(survey: Survey) -> None:
    require_draft(survey)
    if survey.protection:
        raise Refused(ONE_CHOICE)


def is_shared(question: Question) -> bool:
    """Whether its design may be changed with others': what a person draws is part of what that person is told."""
    return kind_of(question).sensitive and question.mode == Question.Mode.AUTOMATIC


def redesign(question: Question, design: str, epsilon: float | None = None) -> None:
    """Give it a level, or AUTOMATIC with an epsilon."""
    size = max(len(answers(question)), 2)
    numbers = {"epsilon": f"{epsilon:.2f}"} if epsilon else {}
    asked = (design, numbers, size, question.kind)
    question.design, question.parameters = resolve(*asked, aim=aim_of(question.design))
    question.edition += 1
    question.save(update_fields=["design", "parameters", "edition"])


def _ask_singly(survey: Survey, question: Question, by: AbstractBaseUser | None) -> None:
    """One yes/no question for each choice, where the question stood."""
    labels = [choice.label for choice in question.choices.all()]
    epsilon = each_of(len(labels), UNCONFIRMED - overview(survey).without(question.key))
    if not epsilon:
        raise Refused("The privacy budget has no room for one question for each choice.")
    last = question
    for label in labels:
        last = drafts.save_question(
            survey=survey,
            text=f"{question.text} – {label}",
            help=question.help,
            section=question.section if last == question else "",
            when=question.when if last == question or not question.when_section else None,
            when_section=question.when_section and last == question,
            unfinished=True,
            after=last.key,
            kind=Kind.YES_NO,
            decline=question.decline,
            design=AUTOMATIC,
            parameters={"epsilon": f"{epsilon:.2f}"},
            by=by,
        )
    drafts.delete_question(survey=survey, question=question, by=by)
