"""What programs are told of candidates for written answers, and the lines of their file. Shares are fractions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

from features.text_candidates.candidate_rounds import SEARCHED, RoundResult, Row
from surveys.definition.instrument import FrozenSurvey
from surveys.site.files.lines import Line
from surveys.site.shape import ABSENT, Result, of

Interval = tuple[float, float]


@dataclass(frozen=True)
class NoneOfThese(Result):
    estimate: float = of()
    standard_error: float = of()


@dataclass(frozen=True)
class Candidate(Result):
    """A text to count. It has numbers once it is counted."""

    text: str = of()
    reports: int = of("that fit it", default=ABSENT)
    estimate: float = of(default=ABSENT)
    standard_error: float = of(default=ABSENT)
    interval: tuple[float, ...] = of("low and high", default=ABSENT)
    is_found: bool = of("whether its share is clearly above 0", name="found", default=ABSENT)
    significance: float = of("the chance of such a count for a text no one wrote, for each text alone", default=ABSENT)
    possible: float | None = of("the adjusted share, where texts are counted together", default=ABSENT)

    @classmethod
    def tell(cls, row: Row) -> Self:
        return cls.like(row, reports=row.count, estimate=row.share)


@dataclass(frozen=True)
class Round(Result):
    round: int = of()
    level: float = of("upper bound of the chance that any interval of this count misses: 0.05/2^round")
    n: int = of("number of responses counted; 0 before the count")
    behind: bool = of("whether it will be counted within some minutes")
    candidates: tuple[Candidate, ...] = of("the largest share first")
    none_of_these: NoneOfThese | None = of()
    same: tuple[tuple[str, ...], ...] = of("texts with the same reports")
    refused: str = of("why this count has no result; else empty")

    @classmethod
    def tell(cls, counted: RoundResult) -> Self:
        none = NoneOfThese(counted.found.none.share, counted.found.none.standard_error) if counted.found else None
        candidates = map(Candidate.tell, counted.rows) if counted.found else map(Candidate, counted.texts)
        same = tuple(map(tuple, counted.collisions))
        return cls(
            counted.number, counted.level, counted.n, counted.is_behind, tuple(candidates), none, same, counted.refused
        )


@dataclass(frozen=True)
class Rounds(Result):
    survey: str = of()
    instrument: str = of()
    key: str = of()
    note: str = of("when the intervals hold, and when they don’t")
    rounds: tuple[Round, ...] = of()

    @classmethod
    def tell(cls, frozen: FrozenSurvey, key: str, rounds: Iterable[RoundResult]) -> Self:
        return cls(frozen.survey, frozen.sha256, key, SEARCHED, tuple(map(Round.tell, rounds)))


@dataclass(frozen=True)
class CandidateLine(Line):
    """A candidate of a round, or none of them. The note says when no interval holds."""

    variable: str
    round: int
    level: float
    candidate: str
    n: int
    reports: int | None = None
    corrected: float | None = None
    standard_error: float | None = None
    low: float | None = None
    high: float | None = None
    is_found: bool | None = of(name="found", default=None)
    significance: float | None = None
    possible: float | None = None
    point: int | None = None
    note: str = SEARCHED

    @classmethod
    def lines(cls, key: str, rounds: Iterable[RoundResult]) -> Iterator[Self]:
        for each in rounds:
            about = key, each.number, each.level
            if each.found is None:
                yield from (cls(*about, text, 0) for text in each.texts)
                continue
            for row in each.rows:
                numbers = row.count, row.share, row.standard_error, *row.interval, row.is_found
                yield cls(*about, row.text, each.n, *numbers, row.significance, row.possible, row.point)
            none = each.found.none
            yield cls(*about, "(none of these)", each.n, None, none.share, none.standard_error)
