"""What the API answers as data frames: a row for each choice, an interval as two columns."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

ATTRIBUTES = (
    "survey",
    "instrument",
    "n",
    "waiting",
    "epsilon",
    "confidence",
    "simultaneous",
    "cut",
    "sampling",
    "invited",
    "invented",
)
REPORT = ("observed", "estimate", "standard_error", "low", "high", "constrained")


def report_frame(report: Mapping[str, Any]) -> pd.DataFrame:
    frame = pd.DataFrame([row for question in report["questions"] for row in choice_rows(question)])
    frame = frame.set_index(["question", "choice"])
    frame.attrs = {name: report.get(name) for name in ATTRIBUTES}
    return frame.astype(dict.fromkeys((*REPORT, "mean"), float))


def choice_rows(question: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A row for each choice; of numbers one for their mean, which has no shares."""
    more = {
        name: question[name]
        for name in ("epsilon", "design", "interval_kind", "constrained_by", "text")
    }
    rows = [{**choice, "mean": None} for choice in question["choices"]]
    number = question["number"] or {"mean": None, "standard_error": None, "interval": None}
    if question["number"] or not rows:
        none = dict.fromkeys(("observed", "estimate", "constrained"))
        rows.append({**none, **number, "label": "mean", "n": question["n"]})
    for row in rows:
        shares = {name: value for name, value in flat_choice(row).items() if name != "label"}
        shares |= {"mean": row["mean"], "n": row["n"]}
        yield {"question": question["key"], "choice": row["label"]} | shares | more


def low_and_high(answer: Mapping[str, Any]) -> dict[str, float]:
    """An interval as two columns."""
    return dict(zip(("low", "high"), answer["interval"], strict=True))


def share_or_none(answer: Mapping[str, Any] | None) -> float | None:
    return None if answer is None else answer["share"]


def flat_choice(choice: Mapping[str, Any]) -> dict[str, Any]:
    """A choice with its interval as two columns, in the order of REPORT."""
    low, high = choice["interval"] or (None, None)
    flat = {**choice, "low": low, "high": high}
    first = [name for name in ("label", "share") if name in flat]
    return {name: flat[name] for name in (*first, *REPORT)}


def flat_pairs(row: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """A row with each pair (low, high) as two columns, named after it."""
    ends = {
        f"{name}_{end}": value
        for name in names
        for end, value in zip(("low", "high"), row[name] or (None, None), strict=True)
    }
    return {name: value for name, value in row.items() if name not in names} | ends
