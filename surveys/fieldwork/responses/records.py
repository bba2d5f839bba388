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
from surveys.definition.response_format import Draw, Layout, ReportItem
from surveys.definition.routing.conditions import leaves
from surveys.definition.routing.paths import left_out, rows_left_out
from surveys.fieldwork.responses import packed_counts
from surveys.site.byte_cache import kept_with

MASK = "mask?"  # no key of a question is written like this


class InvalidReports(ValueError):
    """Reports that the instrument does not allow. The message names questions, never what was sent."""


@kept_with
def record_dtype(paper: Layout) -> np.dtype:
    """The layout of a record; its itemsize is the number of bytes per response."""
    return np.dtype(
        [(item.key, item.wire.field) for item in paper.items]
        + ([(MASK, "u1", ((len(paper.optional) + 7) // 8,))] if paper.optional else [])
    )


def mask(paper: Layout, rows: np.ndarray, missing: dict[str, np.ndarray]) -> None:
    """Note in rows whose reports are zeros there where a report is missing: question key -> bool, shape (n,)."""
    for place, key in enumerate(paper.optional):
        if key in missing:
            byte, bit = divmod(place, 8)
            rows[MASK][:, byte] |= missing[key].astype(np.uint8) << (7 - bit)


def given(paper: Layout, rows: np.ndarray, key: str) -> np.ndarray:
    """Whether the rows hold a report to this question; bool, shape (n,)."""
    if key not in paper.optional:
        return np.ones(len(rows), bool)
    byte, bit = divmod(paper.optional.index(key), 8)
    return (rows[MASK][:, byte] >> (7 - bit)) & 1 == 0


def column(paper: Layout, rows: np.ndarray, key: str) -> np.ndarray:
    """The reports to one question as they are stored, without the rows that have none."""
    there = given(paper, rows, key)
    return rows[key] if there.all() else rows[key][there]


def encode(paper: Layout, reports: dict[str, int | str | None]) -> bytes:
    """One record. None is no report, where there may be none.

    Raises InvalidReports unless there is exactly one possible report for every question that is asked: of those that
    are drawn by lot, for as many as each person is asked, without what the background answers do not ask for; of the
    others with a condition, for exactly those that the background answers ask for.
    """
    if not isinstance(reports, dict) or reports.keys() != {item.key for item in paper.items}:
        raise InvalidReports("Send exactly one report for each question of the instrument.")
    out = left_out(paper.items, reports.get) if paper.conditional else set()
    _check_path(paper, reports, out)
    _check_draw(paper, reports, out)
    optional = paper.optional
    missing = np.array([reports[key] is None for key in optional], bool)
    fields = [_encode_one(item, reports[item.key], item.key in optional) for item in paper.items]
    return b"".join(fields) + np.packbits(missing).tobytes()


def _check_draw(paper: Layout, reports: dict[str, Any], out: set[str]) -> None:
    """As many reports as were picked, fewer by those of them that were dropped."""
    if not (draw := paper.draw):
        return
    least, most = reports_of(draw, sum(key in out for key in draw.of))
    if not least <= sum(reports[key] is not None for key in draw.of) <= most:
        number = f"exactly {most}" if least == most else f"{least} to {most}"
        raise InvalidReports(
            f"Of {', '.join(draw.of)} {number} must have a report, and the others null."
        )


def reports_of(draw: Draw, dropped: IntArray | int) -> tuple[IntArray | int, IntArray | int]:
    """The least and the greatest number of reports to drawn questions of a person whose background answers do not ask
    for so many of them; which of them were picked nobody knows."""
    return np.maximum(draw.count - dropped, 0), np.minimum(draw.count, len(draw.of) - dropped)


def _check_path(paper: Layout, reports: dict[str, Any], out: set[str]) -> None:
    for key in paper.conditional:
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
        return bytes(item.wire.field.itemsize)
    try:
        return item.wire.encode(report)
    except ValueError as wrong:
        raise InvalidReports(f"The report of {item.key} must {wrong}.") from None


def decode(paper: Layout, records: bytes) -> np.ndarray:
    """Records -> structured array of shape (n,), without copying."""
    return np.frombuffer(records, record_dtype(paper))


def counts(paper: Layout, rows: np.ndarray) -> dict[str, packed_counts.Counts]:
    """What the rows add up to: question key -> how often each answer (or bit) was reported."""
    return {
        item.key: packed_counts.pack(item.wire.counts(column(paper, rows, item.key)))
        for item in paper.items
    }


def tally(paper: Layout, rows: np.ndarray) -> dict[str, Any]:
    """{"n", "counts"}, and where reports may be missing "answered": how many reports each question has; where devices
    pick among questions with a condition "on_path": how many were on the path of each of these, picked or not."""
    totals = {"n": len(rows), "counts": counts(paper, rows)}
    answered = {key: int(given(paper, rows, key).sum()) for key in paper.optional}
    on_path = {key: int(there.sum()) for key, there in on_paths(paper, rows).items()}
    return (
        totals
        | ({"answered": answered} if answered else {})
        | ({"on_path": on_path} if on_path else {})
    )


def on_paths(paper: Layout, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Of each question with a condition among which devices pick, whose background answers ask for it; bool, (n,)."""
    if not paper.conditional_draws:
        return {}
    missing = {}
    for item in paper.items:
        for leaf in leaves(item.when) if item.when else ():
            if leaf.of in paper.optional:
                missing[leaf.of] = ~given(paper, rows, leaf.of)
    out = rows_left_out(paper.items, rows.__getitem__, missing)
    return {key: ~out[key] for key in paper.conditional_draws}


def responses(paper: Layout, rows: np.ndarray, item: ReportItem) -> list[Any]:
    """What the rows hold of one question, as it went on the wire; None where there is no report."""
    return without_missing(paper, rows, item.key, item.wire.reports(rows[item.key]))


def without_missing(
    paper: Layout, rows: np.ndarray, key: str, values: list[Any], nothing: object = None
) -> list[Any]:
    """Values, one for each row, with `nothing` put where the row has no report to this question."""
    if key in paper.optional:
        for place in np.flatnonzero(~given(paper, rows, key)).tolist():
            values[place] = nothing
    return values


def add_up(first: dict, second: dict) -> dict:
    """Two tallies added; an empty one counts as nothing."""
    if not first:
        return second
    return {
        "n": first["n"] + second["n"],
        "counts": {
            key: packed_counts.add(values, second["counts"][key])
            for key, values in first["counts"].items()
        },
        **{
            name: _sums(first[name], second[name])
            for name in ("answered", "on_path")
            if name in first
        },
    }


def _sums(first: dict[str, int], second: dict[str, int]) -> dict[str, int]:
    return {key: n + second[key] for key, n in first.items()}


def shuffle(frozen: Layout, records: bytes) -> bytes:
    """The records in a random order, drawn from the operating system's cryptographic generator."""
    rows = np.frombuffer(records, np.dtype(f"V{record_dtype(frozen).itemsize}"))
    order = np.argsort(np.frombuffer(os.urandom(8 * len(rows)), np.uint64))
    return rows[order].tobytes()
