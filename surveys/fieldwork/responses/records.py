"""The record codec: one respondent's reports <-> a few bytes of fixed width.

A record is a row of a NumPy structured dtype with one field per question, in the order of the instrument, each as the
form of its reports says (mechanisms.designs.wire). Where reports may be missing, or a question is asked of some people
only, by lot or as their background answers decide, one more field, the mask, has a bit for each question that may have
none, in their order: 1 where it has none. Such a report is stored as zeros.
"""

import os
from typing import Any

import numpy as np

from mechanisms.checks import IntArray
from surveys.definition.response_format import Layout, QuestionSubset, ReportItem
from surveys.definition.routing.conditions import iter_leaves
from surveys.definition.routing.paths import left_out, rows_left_out
from surveys.fieldwork.responses import packed_counts
from surveys.site.byte_cache import cache_on_instance

MASK = "mask?"  # no key of a question is written like this


class InvalidReports(ValueError):
    """Reports that the instrument does not allow. The message names questions, never what was sent."""


@cache_on_instance
def record_dtype(paper: Layout) -> np.dtype:
    """The layout of a record; its itemsize is the number of bytes per response."""
    return np.dtype(
        [(item.key, item.report_format.field) for item in paper.items]
        + (
            [(MASK, "u1", ((len(paper.keys_with_missing) + 7) // 8,))]
            if paper.keys_with_missing
            else []
        )
    )


def mark_missing(paper: Layout, rows: np.ndarray, missing: dict[str, np.ndarray]) -> None:
    """Set the mask of rows in which reports are missing."""
    for place, key in enumerate(paper.keys_with_missing):
        if key in missing:
            byte, bit = divmod(place, 8)
            rows[MASK][:, byte] |= missing[key].astype(np.uint8) << (7 - bit)


def has_report(paper: Layout, rows: np.ndarray, key: str) -> np.ndarray:
    """Return which rows hold a report to this question; bool, shape (n,)."""
    if key not in paper.keys_with_missing:
        return np.ones(len(rows), bool)
    byte, bit = divmod(paper.keys_with_missing.index(key), 8)
    return (rows[MASK][:, byte] >> (7 - bit)) & 1 == 0


def present_reports(paper: Layout, rows: np.ndarray, key: str) -> np.ndarray:
    """Return the stored reports to one question, without rows that have none."""
    there = has_report(paper, rows, key)
    return rows[key] if there.all() else rows[key][there]


def encode(paper: Layout, reports: dict[str, int | str | None]) -> bytes:
    """One record. None is no report, where there may be none.

    Raises InvalidReports unless there is exactly one possible report for every question that is asked: of those that
    are drawn by lot, for as many as each person is asked, without what the background answers do not ask for; of the
    others with a condition, for exactly those that the background answers ask for.
    """
    if not isinstance(reports, dict) or reports.keys() != {item.key for item in paper.items}:
        raise InvalidReports("Send exactly one report for each question of the instrument.")
    out = left_out(paper.items, reports.get) if paper.keys_with_condition else set()
    _check_path(paper, reports, out)
    _check_draw(paper, reports, out)
    optional = paper.keys_with_missing
    missing = np.array([reports[key] is None for key in optional], bool)
    fields = [_encode_one(item, reports[item.key], item.key in optional) for item in paper.items]
    return b"".join(fields) + np.packbits(missing).tobytes()


def _check_draw(paper: Layout, reports: dict[str, Any], out: set[str]) -> None:
    """As many reports as were picked, fewer by those of them that were dropped."""
    if not (draw := paper.draw):
        return
    least, most = report_limits(draw, sum(key in out for key in draw.of))
    if not least <= sum(reports[key] is not None for key in draw.of) <= most:
        number = f"exactly {most}" if least == most else f"{least} to {most}"
        raise InvalidReports(
            f"Of {', '.join(draw.of)} {number} must have a report, and the others null."
        )


def report_limits(
    draw: QuestionSubset, dropped: IntArray | int
) -> tuple[IntArray | int, IntArray | int]:
    """The least and the greatest number of reports to drawn questions of a person whose background answers do not ask
    for so many of them; which of them were picked nobody knows."""
    return np.maximum(draw.count - dropped, 0), np.minimum(draw.count, len(draw.of) - dropped)


def _check_path(paper: Layout, reports: dict[str, Any], out: set[str]) -> None:
    for key in paper.keys_with_condition:
        if key in out and reports[key] is not None:
            raise InvalidReports(
                f"The report of {key} must be null: the background answers do not ask for it."
            )
        may_lack = paper.nonresponse or paper.is_drawn(key)
        if key not in out and reports[key] is None and not may_lack:
            raise InvalidReports(
                f"The report of {key} must not be null: the background answers ask for it."
            )


def _encode_one(item: ReportItem, report: int | str | None, optional: bool) -> bytes:
    if report is None and optional:
        return bytes(item.report_format.field.itemsize)
    try:
        return item.report_format.encode(report)
    except ValueError as wrong:
        raise InvalidReports(f"The report of {item.key} must {wrong}.") from None


def decode(paper: Layout, records: bytes) -> np.ndarray:
    """Records -> structured array of shape (n,), without copying."""
    return np.frombuffer(records, record_dtype(paper))


def count_reports(paper: Layout, rows: np.ndarray) -> dict[str, packed_counts.Counts]:
    """Return, by question key, how often each answer or bit was reported."""
    return {
        item.key: packed_counts.pack(
            item.report_format.counts(present_reports(paper, rows, item.key))
        )
        for item in paper.items
    }


def count_responses(paper: Layout, rows: np.ndarray) -> dict[str, Any]:
    """{"n", "counts"}, and where reports may be missing "answered": how many reports each question has; where devices
    pick among questions with a condition "on_path": how many were on the path of each of these, picked or not."""
    totals = {"n": len(rows), "counts": count_reports(paper, rows)}
    answered = {key: int(has_report(paper, rows, key).sum()) for key in paper.keys_with_missing}
    on_path = {key: int(there.sum()) for key, there in drawable_respondents(paper, rows).items()}
    return (
        totals
        | ({"answered": answered} if answered else {})
        | ({"on_path": on_path} if on_path else {})
    )


def drawable_respondents(paper: Layout, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Return, by conditional question of the question subset, which respondents' background answers
    ask for it.
    """
    if not paper.conditional_draws:
        return {}
    missing = {}
    for item in paper.items:
        for leaf in iter_leaves(item.when) if item.when else ():
            if leaf.of in paper.keys_with_missing:
                missing[leaf.of] = ~has_report(paper, rows, leaf.of)
    out = rows_left_out(paper.items, rows.__getitem__, missing)
    return {key: ~out[key] for key in paper.conditional_draws}


def wire_reports(paper: Layout, rows: np.ndarray, item: ReportItem) -> list[Any]:
    """Return the reports to one question in wire format; None for a row without one."""
    return fill_missing(paper, rows, item.key, item.report_format.reports(rows[item.key]))


def fill_missing(
    paper: Layout, rows: np.ndarray, key: str, values: list[Any], nothing: object = None
) -> list[Any]:
    """Put `nothing` in the place of rows without a report."""
    if key in paper.keys_with_missing:
        for place in np.flatnonzero(~has_report(paper, rows, key)).tolist():
            values[place] = nothing
    return values


def add_tallies(first: dict, second: dict) -> dict:
    """Return the sum of two tallies; an empty one counts as nothing."""
    if not first:
        return second
    return {
        "n": first["n"] + second["n"],
        "counts": {
            key: packed_counts.add(values, second["counts"][key])
            for key, values in first["counts"].items()
        },
        **{
            name: _add_counts(first[name], second[name])
            for name in ("answered", "on_path")
            if name in first
        },
    }


def _add_counts(first: dict[str, int], second: dict[str, int]) -> dict[str, int]:
    """Return the sums of two dictionaries of counts."""
    return {key: n + second[key] for key, n in first.items()}


def shuffle(frozen: Layout, records: bytes) -> bytes:
    """The records in a random order, drawn from the operating system's cryptographic generator."""
    rows = np.frombuffer(records, np.dtype(f"V{record_dtype(frozen).itemsize}"))
    order = np.argsort(np.frombuffer(os.urandom(8 * len(rows)), np.uint64))
    return rows[order].tobytes()
