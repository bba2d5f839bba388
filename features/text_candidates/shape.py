"""What programs are told of candidates for written answers, and their file. Shares are fractions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

from features.text_candidates.candidate_rounds import SEARCHED, RoundResult, Row
from surveys.definition.instrument import FrozenSurvey
from surveys.site.files.lines import write_csv
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
    significance: float = of(
        "the chance of such a count for a text no one wrote, for each text alone", default=ABSENT
    )
    possible: float | None = of(
        "the adjusted share, where texts are counted together", default=ABSENT
    )

    @classmethod
    def tell(cls, row: Row) -> Self:
        return cls.like(row, reports=row.count, estimate=row.share)


@dataclass(frozen=True)
class Round(Result):
    round: int = of()
    level: float = of(
        "upper bound of the chance that any interval of this count misses: 0.05/2^round"
    )
    n: int = of("number of responses counted; 0 before the count")
    behind: bool = of("whether it will be counted within some minutes")
    candidates: tuple[Candidate, ...] = of("the largest share first")
    none_of_these: NoneOfThese | None = of()
    same: tuple[tuple[str, ...], ...] = of("texts with the same reports")
    refused: str = of("why this count has no result; else empty")

    @classmethod
    def tell(cls, counted: RoundResult) -> Self:
        if counted.found:
            none = NoneOfThese.like(counted.found.none, estimate=counted.found.none.share)
            candidates = [Candidate.tell(row) for row in counted.rows]
        else:
            none = None
            candidates = [Candidate(text) for text in counted.texts]
        return cls(
            round=counted.number,
            level=counted.level,
            n=counted.n,
            behind=counted.is_behind,
            candidates=tuple(candidates),
            none_of_these=none,
            same=tuple(map(tuple, counted.collisions)),
            refused=counted.refused,
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
        return cls(
            survey=frozen.survey,
            instrument=frozen.sha256,
            key=key,
            note=SEARCHED,
            rounds=tuple(map(Round.tell, rounds)),
        )


CANDIDATE_COLUMNS = (
    "variable",
    "round",
    "level",
    "candidate",
    "n",
    "reports",
    "corrected",
    "standard_error",
    "low",
    "high",
    "found",
    "significance",
    "possible",
    "point",
    "note",
)


def candidates_csv(key: str, rounds: Iterable[RoundResult]) -> str:
    """Return the rounds of a question as CSV, with a row for each candidate, and one for none of them.

    A candidate that is not counted has no numbers. The note says when no interval holds.
    """
    rows: list[dict[str, object]] = []
    for round_result in rounds:
        rows += _csv_rows(key, round_result)
    return write_csv(CANDIDATE_COLUMNS, rows)


def _csv_rows(key: str, round_result: RoundResult) -> Iterator[dict[str, object]]:
    of_round = dict.fromkeys(CANDIDATE_COLUMNS) | {
        "variable": key,
        "round": round_result.number,
        "level": round_result.level,
        "n": round_result.n,
        "note": SEARCHED,
    }
    if round_result.found is None:
        for text in round_result.texts:
            yield {**of_round, "candidate": text}
        return
    for row in round_result.rows:
        low, high = row.interval
        yield {
            **of_round,
            "candidate": row.text,
            "reports": row.count,
            "corrected": row.share,
            "standard_error": row.standard_error,
            "low": low,
            "high": high,
            "found": row.is_found,
            "significance": row.significance,
            "possible": row.possible,
            "point": row.point,
        }
    none = round_result.found.none
    yield {
        **of_round,
        "candidate": "(none of these)",
        "corrected": none.share,
        "standard_error": none.standard_error,
    }
