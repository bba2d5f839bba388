"""The record codec: one respondent's reports <-> a few bytes of fixed width.

A record is a row of a NumPy structured dtype with one field per question, in the order of the instrument: an unsigned
integer for a matrix or background report, ceil(k/8) bytes for a string of k bits (first bit highest, as np.packbits).
"""

import os
from functools import lru_cache

import numpy as np

from surveys.publishing.instruments import Item, Paper


class InvalidReports(ValueError):
    """Reports that the instrument does not allow. The message names questions, never what was sent."""


def _integer_type(size: int) -> str:
    return "u1" if size <= 2**8 else "<u2"


@lru_cache(maxsize=256)
def record_dtype(paper: Paper) -> np.dtype:
    """The layout of a record; its itemsize is the number of bytes per response."""
    return np.dtype(
        [
            (item.key, "u1", ((item.size + 7) // 8,)) if item.is_string else (item.key, _integer_type(item.size))
            for item in paper.items
        ]
    )


def encode(paper: Paper, reports: dict[str, int | str]) -> bytes:
    """One record. Raises InvalidReports unless there is exactly one possible report for every question."""
    if not isinstance(reports, dict) or reports.keys() != {item.key for item in paper.items}:
        raise InvalidReports("There must be exactly one report for each question of the instrument.")
    return b"".join(_encode_one(item, reports[item.key]) for item in paper.items)


def _encode_one(item: Item, report: int | str) -> bytes:
    return _encode_bits(item, report) if item.is_string else _encode_integer(item, report)


def _encode_integer(item: Item, report: int | str) -> bytes:
    # bool is a kind of int in Python, but true is no report.
    if type(report) is not int or not 0 <= report < item.size:
        raise InvalidReports(f"The report of {item.key} must be an integer from 0 to {item.size - 1}.")
    return report.to_bytes(np.dtype(_integer_type(item.size)).itemsize, "little")


def _encode_bits(item: Item, report: int | str) -> bytes:
    if type(report) is not str or len(report) != item.size or report.strip("01"):
        raise InvalidReports(f"The report of {item.key} must be a string of {item.size} characters 0 or 1.")
    members = getattr(item.mechanism, "width", None)  # a subset has exactly so many
    if members is not None and report.count("1") != members:
        raise InvalidReports(f"The report of {item.key} must hold {members} characters 1.")
    width = (item.size + 7) // 8
    return int(report.ljust(8 * width, "0"), 2).to_bytes(width, "big")


def decode(paper: Paper, records: bytes) -> np.ndarray:
    """Records -> structured array of shape (n,), without copying."""
    return np.frombuffer(records, record_dtype(paper))


def counts(paper: Paper, rows: np.ndarray) -> dict[str, list[int]]:
    """What the rows add up to: question key -> how often each answer (or bit) was reported."""
    return {item.key: _count(item, rows[item.key]).tolist() for item in paper.items}


def _count(item: Item, column: np.ndarray) -> np.ndarray:
    if item.is_string:
        return item.mechanism.tally_packed(np.ascontiguousarray(column)).counts
    return np.bincount(column, minlength=item.size)


def add_up(first: dict, second: dict) -> dict:
    """Two tallies {"n", "counts"} added; an empty one counts as nothing."""
    if not first:
        return second
    return {
        "n": first["n"] + second["n"],
        "counts": {
            key: [a + b for a, b in zip(values, second["counts"][key], strict=True)]
            for key, values in first["counts"].items()
        },
    }


def shuffle(frozen: Paper, records: bytes) -> bytes:
    """The records in a random order, drawn from the operating system's cryptographic generator."""
    rows = np.frombuffer(records, np.dtype(f"V{record_dtype(frozen).itemsize}"))
    order = np.argsort(np.frombuffer(os.urandom(8 * len(rows)), np.uint64))
    return rows[order].tobytes()


def reports(item: Item, column: np.ndarray) -> list[int] | list[str]:
    """One column of decoded rows as it went on the wire: integers, or strings of 0 and 1."""
    if not item.is_string:
        return column.tolist()
    bits = np.unpackbits(column, axis=1, count=item.size) + ord("0")
    return bits.view(f"S{item.size}").ravel().astype(str).tolist()
