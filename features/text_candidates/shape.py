"""What programs are told of candidates for written answers, and their file. Shares are fractions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

from features.text_candidates.candidate_rounds import SEARCHED, RoundResult, Row
from surveys.definition.instrument import SurveyDefinition
from surveys.site.files.lines import write_csv
from surveys.site.shape import ABSENT, ApiResult, api_field

Interval = tuple[float, float]


@dataclass(frozen=True)
class NoneOfThese(ApiResult):
    estimate: float = api_field()
    standard_error: float = api_field()


@dataclass(frozen=True)
class Candidate(ApiResult):
    """A text to count. It has numbers once it is counted."""

    text: str = api_field()
    reports: int = api_field("that fit it", default=ABSENT)
    estimate: float = api_field("no result unless the text is found", default=ABSENT)
    standard_error: float = api_field(default=ABSENT)
    interval: tuple[float, ...] = api_field(
        "low and high; no result unless the text is found", default=ABSENT
    )
    is_found: bool = api_field(
        "whether its share is clearly above 0: the interval lies above 0, and significance is at "
        "most level / 2k for k texts",
        name="found",
        default=ABSENT,
    )
    significance: float = api_field(
        "the chance that a random text, which no one wrote, has at least its score", default=ABSENT
    )
    possible: float | None = api_field(
        "the adjusted share, where texts are counted together", default=ABSENT
    )

    @classmethod
    def tell(cls, row: Row) -> Self:
        return cls.from_object(row, reports=row.count, estimate=row.share)


@dataclass(frozen=True)
class Round(ApiResult):
    round: int = api_field()
    level: float = api_field(
        "upper bound of the chance that any interval of this count misses: 0.05/2^round"
    )
    n: int = api_field("number of responses counted; 0 before the count")
    behind: bool = api_field("whether it will be counted within some minutes")
    candidates: tuple[Candidate, ...] = api_field(
        "those that are found first, the largest share first"
    )
    none_of_these: NoneOfThese | None = api_field()
    same: tuple[tuple[str, ...], ...] = api_field("texts with the same reports")
    refused: str = api_field("why this count has no result; else empty")

    @classmethod
    def tell(cls, counted: RoundResult) -> Self:
        if counted.found:
            none = NoneOfThese.from_object(counted.found.none, estimate=counted.found.none.share)
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
class Rounds(ApiResult):
    survey: str = api_field()
    instrument: str = api_field()
    key: str = api_field()
    note: str = api_field("when the intervals hold, and when they don’t")
    rounds: tuple[Round, ...] = api_field()

    @classmethod
    def tell(cls, frozen: SurveyDefinition, key: str, rounds: Iterable[RoundResult]) -> Self:
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
