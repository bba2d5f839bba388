"""Whether a question will show something: its margin of error with as many respondents as the author wants.

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
ASSUMED = 1_000  # respondents, where no number is wanted yet
DIRECT = Channel(1.0, 0.0)  # sent as it is
EVERYBODY = Fraction(
    1
)  # is asked; of a question that is drawn by lot only a part of the respondents
CANDIDATES = 100  # texts of one list, where written answers are planned
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
        """ "useful", "rough" or "nothing": as words for programs."""
        if self.is_withheld:
            return "nothing"
        return "useful" if self.margin <= USEFUL else "rough"

    @property
    def is_useful(self) -> bool:
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
    """None for a background number, whose mean has a margin that depends on how the numbers spread.

    mechanism: None for what is sent as it is. part: of the n respondents, those who are asked, about. step, unit: of a
    sensitive number.
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


def shows_no_number(frozen: SurveyDefinition, n: int, on_path: Mapping[str, Fraction]) -> bool:
    """Whether n people are probably too few for a number of any sensitive question. on_path: planning.expected."""
    asked = [
        (item, frozen.expected_share_asked(item.key) * on_path.get(item.key, 1))
        for item in frozen.items
        if item.mechanism
    ]
    return bool(asked) and all(
        verdict(item.kind, item.mechanism, n, part).is_withheld for item, part in asked
    )


@dataclass(frozen=True)
class AtMost:
    """What a number that is asked for its mean says of a share, beside a yes/no question on that at the same epsilon.

    value: where the share is cut, in the middle of the range. asked: the margin of the share; yes_no: of the question.
    """

    value: int
    asked: float
    yes_no: float


def at_most(mechanism: Window, n: int, first: int = 0, step: int = 1) -> AtMost:
    """Return the margins of both, at the answers where each is widest.

    first: the smallest number.
    """
    middle = (mechanism.values - 1) // 2
    half = float(mean_half_width(mechanism, n, np.arange(mechanism.values) <= middle))
    yes_no = float(half_width(Channel.direct(mechanism.epsilon), n, 0.5))
    return AtMost(first + step * middle, half, yes_no)


@dataclass(frozen=True)
class Aims:
    """What each aim needs where both can be had: the margin of the mean in parts of the range, and of a share."""

    mean: Verdict
    shares: Verdict


def aims(kind: str, size: int, epsilon: float, n: int, *, aside: bool = False) -> Aims | None:
    """Of a number or a scale with so few answers that either can be asked for; size: with “Prefer not to say”."""
    if not KINDS[kind].is_ordered or size > MOST_SHARES + aside or epsilon < LEAST_EPSILON:
        return None
    both = [
        design_mechanism(AUTOMATIC, kind, size, epsilon, aim=aim, aside=aside)
        for aim in ("mean", "shares")
    ]
    return Aims(*(verdict(kind, mechanism, n) for mechanism in both))


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


def widest_margins(asked: Iterable[tuple[SurveyDefinition, int]]) -> list[float | None]:
    """Return the widest margin of each survey, or None.

    None where there are no respondents, or nothing is randomized. For a whole list of surveys in one go.
    """
    asked = list(asked)
    places = [
        (place, channel, max(1.0, n * part))
        for place, (frozen, n) in enumerate(asked)
        if n > 0
        for channel, part in _channels(frozen)
    ]
    found = np.array([_widest_mean(frozen, n) if n > 0 else -np.inf for frozen, n in asked])
    if places:
        at, channels, people = zip(*places, strict=True)
        np.maximum.at(found, list(at), half_width(Channel(*np.array(channels).T), np.array(people)))
    return [float(margin) if margin > 0 else None for margin in found]


def _channels(frozen: SurveyDefinition) -> list[tuple[Channel, float]]:
    """Of each sensitive question that tells shares, with the part of the respondents who are asked it."""
    telling = [
        each for each in frozen.items if each.mechanism and each.mechanism.line() is not None
    ]
    return [
        (Channel.of(item.mechanism), float(frozen.expected_share_asked(item.key)))
        for item in telling
    ]


def _widest_mean(frozen: SurveyDefinition, n: int) -> float:
    windows = [item for item in frozen.items if item.mechanism and item.mechanism.tells == "mean"]
    return max(
        (
            _mean(item.mechanism, n, frozen.expected_share_asked(item.key)).margin
            for item in windows
        ),
        default=-np.inf,
    )


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
    key, numbers = resolve_design(
        design, {"epsilon": f"{epsilon:.2f}"} if epsilon else {}, size, kind, aim=aim
    )
    return build(key, size, numbers, KINDS[kind].select, separate_decline=aside)
