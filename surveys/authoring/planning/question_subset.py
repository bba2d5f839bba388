"""How many of the sensitive questions to ask each person: what each number would show.

A person who is asked fewer questions can give more precise answers within the same privacy budget; each question is
then asked of fewer people. Which wins depends on the budget, so all numbers of questions are compared with asking
everybody everything.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.accounts import history
from surveys.authoring.drafts.question_subset import set_draw
from surveys.authoring.planning.budget import UNCONFIRMED
from surveys.authoring.planning.overview import Overview, overview
from surveys.authoring.planning.precision import Verdict, dearest, designed, verdict, wanted
from surveys.authoring.planning.remedies import is_shared, redesign
from surveys.definition import question_subset
from surveys.definition.designs.levels import AUTOMATIC
from surveys.definition.freezing import answers
from surveys.definition.instrument import Draw, spent
from surveys.definition.kinds import kind_of
from surveys.definition.routing.filters import branching
from surveys.definition.routing.paths import ALL_ASKED
from surveys.definition.status import require_draft
from surveys.models import Question, Survey
from surveys.site.errors import Invalid

Losses = Sequence[tuple[str, float]]
MOST = 10  # numbers of questions that are compared: a lot of more than that hardly ever pays


@dataclass(frozen=True)
class Way:
    """Asking each person `count` questions of the lot, each at this epsilon, which is what the budget allows.

    verdict: of the question of the lot that shows least.
    """

    count: int
    epsilon: float
    verdict: Verdict


@dataclass(frozen=True)
class Ways:
    """What the numbers of questions come to with the privacy budget. everything: everybody is asked the whole lot."""

    size: int  # of the lot
    each: tuple[Way, ...]
    everything: Way

    @property
    def best(self) -> Way:
        """The one with the smallest margin; among equal ones that with the fewest questions."""
        return min([*self.each, self.everything], key=lambda way: (way.verdict.margin, way.count))

    @property
    def pays(self) -> bool:
        """Whether asking only some needs fewer people."""
        return self.best.count < self.size

    @property
    def times(self) -> float:
        """How many times more people it takes to ask everybody everything."""
        return self.everything.verdict.needed / self.best.verdict.needed


@dataclass(frozen=True)
class Asking:
    """A question of a lot: what its margin depends on. size: how many answers it has."""

    key: str
    kind: str
    size: int


def ways(survey: Survey, seen: Overview, of: Sequence[str] = ()) -> Ways | None:
    """What each number of questions would show with the respondents wanted and what the survey may cost.

    The lot is the questions with the keys `of`; where none are given, the draft's; where it has none, all sensitive
    questions that the device scrambles and that are asked of everybody. None where there are not enough of them, a
    question of the lot is drawn by a person, or the budget leaves nothing.
    """
    lot = _lot(survey, of)
    if not all(map(is_shared, lot)):
        return None
    asking = [Asking(question.key, question.kind, max(len(answers(question)), 2)) for question in lot]
    return ways_among(survey, asking, seen.losses, seen.paths)


def ways_among(
    survey: Survey, lot: Sequence[Asking], losses: Losses, paths: Sequence[frozenset[str]] = ALL_ASKED
) -> Ways | None:
    """The same for questions that need not be stored. losses: (key, epsilon) of all sensitive questions. paths: of the
    survey, as surveys.definition.routing.paths.spared.
    """
    if survey.import_only or survey.protection or len(lot) < question_subset.LEAST:
        return None
    found = [_way(survey, count, lot, losses, paths) for count in (*range(1, min(len(lot), MOST + 1)), len(lot))]
    if None in found:
        return None
    return Ways(len(lot), tuple(found[:-1]), found[-1])


def _lot(survey: Survey, of: Sequence[str] = ()) -> list[Question]:
    questions = list(survey.questions.prefetch_related("choices"))
    if of:
        return [question for question in questions if question.key in of and kind_of(question).sensitive]
    whom = branching(questions).written
    able = [each for each in questions if is_shared(each) and each.key not in whom]
    return [each for each in questions if each.drawn] if survey.draw else able


def _way(
    survey: Survey, count: int, lot: Sequence[Asking], losses: Losses, paths: Sequence[frozenset[str]]
) -> Way | None:
    epsilon = _each(UNCONFIRMED, count, lot, losses, paths)
    if not epsilon:
        return None
    n, part = wanted(survey), Fraction(count, len(lot))
    try:
        shows = [verdict(one.kind, designed(AUTOMATIC, one.kind, one.size, epsilon), n, part) for one in lot]
    except Invalid:  # so little for each that no answer would say anything
        return None
    return Way(count, epsilon, max(shows, key=lambda each: each.margin))


def _each(limit: float, count: int, lot: Sequence[Asking], losses: Losses, paths: Sequence[frozenset[str]]) -> float:
    """The epsilon that each question of the lot can have so that everything keeps the limit."""
    keys = tuple(question.key for question in lot)
    others = [(key, loss) for key, loss in losses if key not in keys]
    draw = Draw(count, keys)
    return dearest(lambda each: spent([*others, *((key, each) for key in keys)], draw, paths), limit, UNCONFIRMED)


@transaction.atomic
def take(*, survey: Survey, count: int, of: Sequence[str] = (), by: AbstractBaseUser | None = None) -> float:
    """Do what `ways` says of this number of these questions: the lot, and the protection of each question in it.

    Returns the epsilon of each. Raises Invalid where there is no such way any more.
    """
    survey = survey.locked()
    require_draft(survey)
    found = ways(survey, overview(survey), of)
    chosen = next((way for way in found.each if way.count == count), None) if found else None
    if chosen is None:
        raise Invalid({"count": "The questions do not allow that, or have changed meanwhile. Look at them again."})
    lot = _lot(survey, of)
    set_draw(survey=survey, count=count, of=[question.key for question in lot], by=by)
    for question in survey.questions.filter(drawn=True).prefetch_related("choices"):
        redesign(question, AUTOMATIC, chosen.epsilon)
    detail = f"protection of the questions drawn by lot: epsilon {chosen.epsilon:.2f} each"
    history.record(survey, by, history.What.CHANGED, detail)
    return chosen.epsilon
