"""The sides of a table of two questions: their answers, and shares among those with one answer to the other one."""

from dataclasses import dataclass

import numpy as np

from mechanisms.analysis.conditional_shares import LEAST_REPORTS, Conditional
from surveys.results.analysis.outcome import SurveyVariable
from surveys.site.shape import ApiResult, api_field

TOO_FEW = "too few to tell"
TOO_FEW_REPORTS = (
    f"Of the reports with the one answer, fewer than {LEAST_REPORTS} also have the other answer, or fewer than "
    f"{LEAST_REPORTS} do not. The error of such a share can’t be trusted."
)
UNKNOWN_GROUP = "The share of people with the one answer is not clearly above 0."
EMPTY_GROUP = "The share of people with the one answer is estimated as 0 or less."


@dataclass(frozen=True)
class OfThose(ApiResult):
    """A share among people with one answer to the other question."""

    share: float | None = api_field(
        "null where too few reports tell of it, or the other answer has an estimate of 0 or less"
    )
    standard_error: float | None = api_field("null where the share is null")
    interval: tuple[float, float] | None = api_field(
        "of the group by itself where the other question is not scrambled, else Fieller's; null where nothing is known"
    )
    reason: str = api_field("why there is no interval; else empty")


def labels(part: SurveyVariable) -> tuple[str, ...]:
    """Of all answers, or of one and all others."""
    if not part.is_of_two:
        return part.item.choices
    others = [label for place, label in enumerate(part.item.choices) if place != part.choice]
    return (
        others[0] if len(others) == 1 else f"not {part.item.choices[part.choice]}",
        part.item.choices[part.choice],
    )


def of_those(conditional: Conditional) -> tuple[tuple[OfThose, ...], ...]:
    """Return the shares of a table row by row."""
    rows = []
    for u, shares in enumerate(conditional.shares):
        rows.append(tuple(_share(conditional, u, v) for v in range(len(shares))))
    return tuple(rows)


def _share(conditional: Conditional, row: int, column: int) -> OfThose:
    if conditional.too_few[row, column]:
        return OfThose(share=None, standard_error=None, interval=None, reason=TOO_FEW_REPORTS)
    share = float(conditional.shares[row, column])
    if np.isnan(share):
        return OfThose(share=None, standard_error=None, interval=None, reason=EMPTY_GROUP)
    low, high = conditional.intervals[row, column].tolist()
    is_known = bool(np.isfinite([low, high]).all())
    return OfThose(
        share=share,
        standard_error=float(conditional.standard_errors[row, column]),
        interval=(low, high) if is_known else None,
        reason="" if is_known else UNKNOWN_GROUP,
    )
