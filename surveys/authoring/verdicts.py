"""Whether a question will show something: its margin of error with as many respondents as the author wants.

Margins are fractions: 0.03 is 3 points to either side, half the length of the 95 % interval, at the true share where
it is widest. Epsilons are privacy losses of one person.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mechanisms import Mechanism
from mechanisms.planning import half_width, sample_size
from mechanisms.planning.channels import Channel
from surveys.authoring.plans import resolve
from surveys.designs.building import build
from surveys.designs.levels import AUTOMATIC, EPSILONS
from surveys.models import Question, Survey
from surveys.publishing.freezing import select
from surveys.publishing.instruments import Item, Paper

Kind = Question.Kind
USEFUL, ROUGH = 0.05, 0.10  # up to the first a share can be told from its neighbours, beyond the second from nothing
ASSUMED = 1_000  # respondents, where no number is wanted yet
DIRECT = Channel(1.0, 0.0)  # sent as it is
CLEARLY = 0.9  # of today's margin
STEP = 0.01  # epsilons of ours are written with two decimals, rounded down so that their sum keeps the budget


@dataclass(frozen=True)
class Verdict:
    n: int
    margin: float
    needed: int  # respondents for a useful margin

    @property
    def grade(self) -> str:
        """ "useful", "rough" or "nothing": as words for programs."""
        if self.margin <= USEFUL:
            return "useful"
        return "rough" if self.margin <= ROUGH else "nothing"

    @property
    def is_useful(self) -> bool:
        return self.grade == "useful"

    @property
    def shows_nothing(self) -> bool:
        return self.grade == "nothing"


@dataclass(frozen=True)
class Remedy:
    """A way to make a question show more. `choice` is what `surveys.authoring.mending.mend` takes."""

    choice: str  # a level, or "yes-no" for one question for each choice
    epsilon: float  # what the question, or all that take its place, would cost
    verdict: Verdict
    questions: int = 1


def wanted(survey: Survey) -> int:
    """The number of respondents that verdicts are about."""
    return survey.target or ASSUMED


def verdict(kind: str, mechanism: Mechanism | None, n: int) -> Verdict | None:
    """None for a number, whose mean has a margin that depends on how the numbers spread.

    mechanism: None for what is sent as it is.
    """
    if kind == Kind.NUMBER:
        return None
    return _shown(Channel.of(mechanism) if mechanism else DIRECT, n)


@lru_cache(maxsize=4096)  # the same few designs stand in most questions
def _shown(channel: Channel, n: int) -> Verdict:
    return Verdict(n, float(half_width(channel, n)), int(sample_size(channel, USEFUL)))


def widest(asked: Iterable[tuple[Paper, int]]) -> list[float | None]:
    """Of each published survey the widest margin among its sensitive questions, with so many respondents.

    None where there are no respondents, or nothing is randomized. For a whole list of surveys in one go.
    """
    asked = list(asked)
    places = [(place, channel, n) for place, (frozen, n) in enumerate(asked) if n > 0 for channel in _channels(frozen)]
    found = np.full(len(asked), -np.inf)
    if places:
        at, channels, people = zip(*places, strict=True)
        np.maximum.at(found, list(at), half_width(Channel(*np.array(channels).T), np.array(people)))
    return [float(margin) if margin > 0 else None for margin in found]


def _channels(frozen: Paper) -> list[Channel]:
    return [Channel.of(item.mechanism) for item in frozen.items if item.mechanism]


def remedies(item: Item, n: int, room: float, *, declines: bool = False) -> list[Remedy]:
    """What would show more with n respondents and cost at most `room`, the most protective first.

    room: what is left of the budget without this question. declines: whether its last answer is "Prefer not to say".
    Only what shows clearly more than the question does now.
    """
    now = verdict(item.kind, item.mechanism, n)
    if now is None or item.mechanism is None or now.is_useful:
        return []
    found = [*_lighter(item, n), *_asked_singly(item, n, room, declines)]
    return [each for each in found if each.epsilon <= room and each.verdict.margin < CLEARLY * now.margin]


def _lighter(item: Item, n: int) -> Iterable[Remedy]:
    for level, declared in EPSILONS.items():
        if float(declared) > item.mechanism.epsilon:
            mechanism = designed(level, item.kind, item.size)
            yield Remedy(level, mechanism.epsilon, verdict(item.kind, mechanism, n))


def _asked_singly(item: Item, n: int, room: float, declines: bool) -> Iterable[Remedy]:
    """Choose-all as one yes/no question for each choice: each has a whole loss of its own."""
    parts = item.size - declines
    epsilon = each_of(parts, room)
    if item.kind == Kind.ANY and epsilon:
        mechanism = designed(AUTOMATIC, Kind.YES_NO, 2 + declines, epsilon)
        yield Remedy("yes-no", parts * mechanism.epsilon, verdict(Kind.YES_NO, mechanism, n), parts)


def each_of(parts: int, room: float) -> float:
    """An equal part of `room` for each, at most what two coins cost. 0 where too little is left."""
    return min(float(EPSILONS["balanced"]), math.floor(max(room, 0) / parts / STEP) * STEP)


def designed(design: str, kind: str, size: int, epsilon: float | None = None) -> Mechanism:
    """What a level, or AUTOMATIC with an epsilon, comes to. size: how many answers there are."""
    key, numbers = resolve(design, {"epsilon": f"{epsilon:.2f}"} if epsilon else {}, size, kind)
    return build(key, size, numbers, select(kind))
