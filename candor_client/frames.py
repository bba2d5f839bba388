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
ABOUT_QUESTION = ("epsilon", "design", "interval_kind", "constrained_by", "text")
INDEX = ("question", "choice")
COLUMNS = ("statistic", *REPORT, "n", *ABOUT_QUESTION)


def report_frame(report: Mapping[str, Any]) -> pd.DataFrame:
    """Return the report of a survey as a frame, with a row for each choice and each mean."""
    rows: list[dict[str, Any]] = []
    for question in report["questions"]:
        rows.extend(choice_rows(question))
    frame = pd.DataFrame(rows, columns=[*INDEX, *COLUMNS]).set_index([*INDEX])
    frame.attrs = {name: report.get(name) for name in ATTRIBUTES}
    return frame.astype(dict.fromkeys(REPORT, float))


def choice_rows(question: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a row for the share of each choice of a question, and one for its mean.

    A row without any figure is left out, for example if nobody has answered.
    """
    statistics = [("share", choice["label"], choice) for choice in question["choices"]]
    if question["number"]:
        number = question["number"]
        mean = {**number, "estimate": number["mean"], "n": question["n"]}
        statistics.append(("mean", "mean", mean))
    for statistic, label, figures in statistics:
        row = flat_choice({"observed": None, "constrained": None, **figures})
        if all(row[name] is None for name in REPORT):
            continue
        yield {
            "question": question["key"],
            "choice": label,
            "statistic": statistic,
            **{name: row[name] for name in REPORT},
            "n": figures["n"],
            **{name: question[name] for name in ABOUT_QUESTION},
        }


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
