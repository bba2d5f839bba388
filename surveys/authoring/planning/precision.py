"""Margins of error: what a question will show with as many respondents as the author wants.

Margins are fractions: 0.03 is 3 points to either side, half the length of the 95% interval, at the
true share where it is widest. Those of means are parts of the range of their numbers, at the
distribution of answers where they are widest. Epsilons are privacy losses of one person.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

import numpy as np

from mechanisms import Mechanism, Window
from mechanisms.chance.arrays import smallest_n
from mechanisms.designs.texts import TextMechanism
from mechanisms.designs.window import LEAST_EPSILON
from mechanisms.planning import (
    half_width,
    mean_half_width,
    sample_size,
    sample_size_for_mean,
    smallest_detectable_share,
)
from mechanisms.planning.channels import Channel
from surveys.authoring.drafts.question_plan import resolve_design
from surveys.definition.designs.construction import build
from surveys.definition.designs.levels import AUTOMATIC
from surveys.definition.instrument import MOST_AT_ONCE, SurveyDefinition
from surveys.definition.kinds import KINDS, MOST_SHARES
from surveys.models import Survey
from surveys.statements.plans import LARGEST_MARGIN, MarginStatement
from surveys.statements.quantity import Kind, Quantity

# The margin up to which a share can be told from its neighbours.
USEFUL = 0.05
CONFIDENCE = 0.95
# The number of respondents that verdicts are about if the author has set no target.
ASSUMED = 1_000
# The design of answers that are sent as they are.
DIRECT = Channel(1.0, 0.0)
# The share of respondents who are asked a question outside of the question subset.
EVERYBODY = Fraction(1)
# The number of texts on one list for which written answers are planned.
CANDIDATES = 100
# What the number of people that show a number of a question takes for granted.
ANY_ANSWERS = "whatever they answer"
ALL_GIVE_NUMBERS = "if everyone gives a number"


@dataclass(frozen=True)
class Verdict(MarginStatement):
    """The margin of error of one question, and how many people it takes.

    needed: the number of respondents for a useful margin.
    asked: about how many of the n respondents are asked this question.
    least: for a list of very many choices, the share below which none can be told from 0.
    """

    needed: int = 0
    asked: int = 0
    least: float | None = None

    @property
    def grade(self) -> str:
        """The word for programs: "useful", "rough" or "nothing"."""
        if self.is_withheld:
            return "nothing"
        return "useful" if self.margin <= USEFUL else "rough"

    @property
    def is_useful(self) -> bool:
        """True if a share can be told from its neighbours."""
        return self.grade == "useful"


def target_or_default(survey: Survey) -> int:
    """Return the number of respondents that verdicts are about."""
    return survey.expected_people or ASSUMED


def verdict(
    kind: str,
    mechanism: Mechanism | None,
    n: int,
    part: Fraction = EVERYBODY,
    *,
    step: int = 1,
    unit: str = "",
) -> Verdict | None:
    """Return the verdict about a question with n respondents.

    Return None for a background number: the margin of its mean depends on how the numbers spread.

    mechanism: the design of the question; None if its answers are sent as they are.
    part: the expected share of the n respondents who are asked the question.
    step, unit: those of a sensitive number.
    """
    if KINDS[kind].is_background_number:
        return None
    if mechanism and mechanism.truths == "text":
        return _written(mechanism, n, part)
    if mechanism and not mechanism.tells_shares:
        mean = _mean(mechanism, n, part)
        quantity = replace(mean.quantity, unit=f" {unit}" if unit else "")
        return replace(mean, quantity=quantity, span=step * (mechanism.values - 1))
    if mechanism is None:
        return _unscrambled(n, part)
    share = _share(Channel.of(mechanism), n, part)
    if KINDS[kind].may_be_long and mechanism.size > MOST_AT_ONCE:
        return replace(share, least=detectable_share(mechanism, share.asked))
    return share


def detectable_share(mechanism: Mechanism, n: int) -> float | None:
    """Return the smallest share that n reports can detect, or None."""
    share = float(smallest_detectable_share(Channel.of(mechanism), n, mechanism.size, CONFIDENCE))
    return None if math.isnan(share) else min(share, 1.0)


@lru_cache(maxsize=1024)
def _written(mechanism: TextMechanism, n: int, part: Fraction) -> Verdict:
    """Return the verdict about the smallest share of one of CANDIDATES that can be told from 0.

    It is 1 if no share can be told from 0, or only one above it.
    """

    def smallest_share(reports: int) -> float:
        share = mechanism.smallest_detectable_share(reports, CANDIDATES)
        return 1.0 if math.isnan(share) else min(share, 1.0)

    def people(goal: float) -> int:
        reports = smallest_n(lambda n: np.asarray(smallest_share(int(n)) <= goal))
        return respondents_needed(int(reports), part)

    asked = max(1, int(n * part))
    share = smallest_share(asked)
    return Verdict(
        quantity=Quantity(kind=Kind.MARGIN, unit=""),
        n=n,
        estimate=0.0,
        interval=(-share, share),
        people_for_number=people(LARGEST_MARGIN),
        candidates=CANDIDATES,
        needed=people(USEFUL),
        asked=asked,
    )


@lru_cache(maxsize=1024)
def _mean(mechanism: Window, n: int, part: Fraction = EVERYBODY) -> Verdict:
    """Return the verdict about a mean, which holds whatever people answer.

    Nobody knows how many will choose “Prefer not to say”. So where they may, everyone counts as
    giving a number.
    """
    span = mechanism.values - 1
    asked = max(1.0, n * float(part))
    margin = float(mean_half_width(mechanism, asked)) / span

    def people(goal: float) -> int:
        return respondents_needed(int(sample_size_for_mean(mechanism, goal * span)), part)

    return Verdict(
        quantity=Quantity(kind=Kind.MARGIN, unit="", factor=span),
        n=n,
        estimate=0.0,
        interval=(-margin, margin),
        method="delta",
        people_for_number=people(LARGEST_MARGIN),
        assumption=ALL_GIVE_NUMBERS if mechanism.aside else ANY_ANSWERS,
        span=span,
        needed=people(USEFUL),
        asked=round(asked),
    )


def shows_no_number(
    definition: SurveyDefinition, n: int, share_on_path: Mapping[str, Fraction]
) -> bool:
    """Return whether n people are probably too few for a number of any sensitive question.

    share_on_path: the expected share of the people on the path of each conditional question.
    """
    verdicts = []
    for item in definition.items:
        if item.mechanism:
            on_path = share_on_path.get(item.key, EVERYBODY)
            part = definition.expected_share_asked(item.key) * on_path
            verdicts.append(verdict(item.kind, item.mechanism, n, part))
    return bool(verdicts) and all(verdict.is_withheld for verdict in verdicts)


@dataclass(frozen=True)
class AtMost:
    """The margin of the share up to a number, for a question that is asked for its mean.

    value: the number in the middle of the range, up to which the share counts.
    asked: the margin of that share.
    yes_no: the margin of a yes/no question about it at the same epsilon.
    """

    value: int
    asked: float
    yes_no: float


def at_most(mechanism: Window, n: int, first: int = 0, step: int = 1) -> AtMost:
    """Return the margins of both questions, at the answers where each is widest.

    first: the smallest number.
    """
    middle = (mechanism.values - 1) // 2
    half = float(mean_half_width(mechanism, n, np.arange(mechanism.values) <= middle))
    yes_no = float(half_width(Channel.direct(mechanism.epsilon), n, 0.5))
    return AtMost(value=first + step * middle, asked=half, yes_no=yes_no)


@dataclass(frozen=True)
class Aims:
    """The verdicts about both aims of a question: its mean, and the share of each answer."""

    mean: Verdict
    shares: Verdict


def aims(kind: str, size: int, epsilon: float, n: int, *, aside: bool = False) -> Aims | None:
    """Return the verdicts about both aims of a number or scale.

    Return None if the question can be asked for one of them only.

    size: the number of answers, with “Prefer not to say”.
    """
    if not KINDS[kind].is_ordered or size > MOST_SHARES + aside or epsilon < LEAST_EPSILON:
        return None
    verdict_by_aim = {}
    for aim in ("mean", "shares"):
        mechanism = design_mechanism(AUTOMATIC, kind, size, epsilon, aim=aim, aside=aside)
        verdict_by_aim[aim] = verdict(kind, mechanism, n)
    return Aims(mean=verdict_by_aim["mean"], shares=verdict_by_aim["shares"])


# The same few designs stand in most questions.
@lru_cache(maxsize=4096)
def _share(channel: Channel, n: int, part: Fraction) -> Verdict:
    """Return the verdict about a share, at the true share where its margin is widest."""
    asked = max(1, int(n * part))
    margin = float(half_width(channel, asked))

    def people(goal: float) -> int:
        return respondents_needed(int(sample_size(channel, goal)), part)

    return Verdict(
        quantity=Quantity(kind=Kind.MARGIN, unit=" points"),
        n=n,
        estimate=0.0,
        interval=(-margin, margin),
        method="wilson",
        people_for_number=people(LARGEST_MARGIN),
        assumption=ANY_ANSWERS,
        needed=people(USEFUL),
        asked=asked,
    )


def _unscrambled(n: int, part: Fraction) -> Verdict:
    """Return the verdict about the share of an answer that is sent as it is, which is never withheld."""
    share = _share(DIRECT, n, part)
    return replace(share, quantity=replace(share.quantity, is_scrambled=False))


def respondents_needed(asked: int, part: Fraction) -> int:
    """Return how many respondents it takes so that so many are asked."""
    return math.ceil(asked / part)


def widest_margins(surveys: Iterable[tuple[SurveyDefinition, int]]) -> list[float | None]:
    """Return the widest margin of each survey, for pairs of its definition and its respondents.

    It is None if there are no respondents, or nothing is randomized. The margins of all surveys are
    computed at once.
    """
    widest: list[float] = []
    # One element for each sensitive question that tells shares.
    places, channels, reports = [], [], []
    for place, (definition, n) in enumerate(surveys):
        widest.append(_widest_mean(definition, n))
        for item in definition.items:
            if n > 0 and item.mechanism and item.mechanism.line() is not None:
                places.append(place)
                channels.append(Channel.of(item.mechanism))
                reports.append(max(1.0, n * float(definition.expected_share_asked(item.key))))

    margins = np.array(widest)
    if places:
        p, q, asked = np.array(channels).T
        np.maximum.at(margins, places, half_width(Channel(p, q, asked), np.array(reports)))
    return [float(margin) if margin > 0 else None for margin in margins]


def _widest_mean(definition: SurveyDefinition, n: int) -> float:
    """Return the widest margin of a mean; minus infinity if there is none."""
    widest = -math.inf
    for item in definition.items:
        if n > 0 and item.mechanism and item.mechanism.tells == "mean":
            part = definition.expected_share_asked(item.key)
            widest = max(widest, _mean(item.mechanism, n, part).margin)
    return widest


def design_mechanism(
    design: str,
    kind: str,
    size: int,
    epsilon: float | None = None,
    *,
    aim: str = "",
    aside: bool = False,
) -> Mechanism:
    """Return the mechanism that a level or an epsilon gives."""
    parameters = {}
    if epsilon:
        parameters["epsilon"] = f"{epsilon:.2f}"
    key, numbers = resolve_design(design, parameters, size, kind, aim=aim)
    return build(key, size, numbers, KINDS[kind].select, separate_decline=aside)
