"""The sides of a table of two questions: their answers, and shares among those with one answer to the other one."""

from dataclasses import dataclass
from typing import Literal

from mechanisms.analysis.conditional_shares import Conditional
from surveys.results.analysis.effect_wording import share_in_words
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.estimates.share_wording import Said
from surveys.site.number_format import format_level
from surveys.site.shape import ApiResult, api_field

TOO_FEW = "too few to tell"
TOO_FEW_REASON = (
    "The share of people with the one answer is estimated as 0 or less, or no possible share "
    "agrees with the reports."
)

State = Literal["shown", "at_most", "at_least", "withheld", "impossible", "too_few"]


@dataclass(frozen=True)
class OfThose(ApiResult):
    """A share among people with one answer to the other question."""

    share: float | None = api_field("null where the state is too_few")
    standard_error: float | None = api_field("null where the share is null")
    interval: tuple[float, float] | None = api_field(
        "of the group by itself where the other question is not scrambled, else of the score test; "
        "null where the share is null"
    )
    reason: str = api_field("why there is no interval; else empty")
    state: State = api_field(
        "what is said of it: its number, only an end of its interval, only its interval, or nothing"
    )


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
        return OfThose(
            share=None, standard_error=None, interval=None, reason=TOO_FEW_REASON, state="too_few"
        )
    share = float(conditional.shares[row, column])
    low, high = conditional.intervals[row, column].tolist()
    return OfThose(
        share=share,
        standard_error=float(conditional.standard_errors[row, column]),
        interval=(low, high),
        reason="",
        state=_state(Said(share, low, high)),
    )


def _state(share: Said) -> State:
    if share.is_impossible:
        return "impossible"
    if share.is_wide:
        return "withheld"
    if share.low <= 0:
        return "at_most"
    if share.high >= 1:
        return "at_least"
    return "shown"


def share_of_those_in_words(cell: OfThose, confidence: float) -> str:
    """Return what is said of a share, for example "at most 5% (95% range 0 to 4%)"."""
    if cell.share is None or cell.interval is None:
        return TOO_FEW
    if cell.state in ("at_most", "at_least"):
        low, high = cell.interval
        share = Said(cell.share, low, high)
        return f"{share.bounds} ({format_level(confidence)} range {share.range})"
    return share_in_words(cell.share, cell.interval, confidence)
