"""The forms of a report: how it travels and how it is stored in a record.

`wire_of` reads the form of a mechanism's reports from its spec. An answer that is sent unchanged has the form
`Integers`. Code that stores, counts, exports or imports reports asks the form and knows no mechanism.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms import checks
from mechanisms.chance.popcount import column_sums
from mechanisms.checks import IntArray

Column = NDArray[np.unsignedinteger]
NOT_PICKED = "-"


class Wire(ABC):
    """size: how many reports, or marks of one, there are. field: the dtype of one stored report. longest: characters of
    the longest report in JSON.

    marks: how many marks a report is made of; None where it is a number. spreads: whether it holds only some marks of
    all. allowed: what a report must be, in words.
    """

    size: int
    field: np.dtype
    longest: int
    marks: int | None
    spreads: bool = False
    allowed: str

    @abstractmethod
    def encode(self, report: object) -> bytes:
        """A report as it is stored. ValueError, in words that complete “The report must ...”, for any other."""

    @abstractmethod
    def reports(self, column: Column) -> list[int] | list[str]:
        """Stored reports, shape (n, ...), as they went on the wire."""

    @abstractmethod
    def counts(self, column: Column) -> IntArray:
        """What stored reports add up to, as `Tally.counts` has it."""


class Integers(Wire):
    """A report is one of the whole numbers 0 to size - 1."""

    marks = None

    def __init__(self, size: int) -> None:
        self.size = size
        self.field = np.dtype("u1" if size <= 2**8 else "<u2" if size <= 2**16 else "<u4")
        self.longest = len(str(size - 1))
        self.allowed = f"be an integer from 0 to {size - 1}"

    def encode(self, report: object) -> bytes:
        # bool is a kind of int in Python, but true is no report.
        if type(report) is not int or not 0 <= report < self.size:
            raise ValueError(self.allowed)
        return report.to_bytes(self.field.itemsize, "little")

    def reports(self, column: Column) -> list[int]:
        whole: list[int] = column.tolist()
        return whole

    def counts(self, column: Column) -> IntArray:
        return np.bincount(column, minlength=self.size)


class Uncounted(Integers):
    """The same where there are too many for a tally: rows are counted, for what is asked of them."""

    def counts(self, column: Column) -> IntArray:
        return np.zeros(0, np.int64)


class Bits(Wire):
    """A report is a string of `size` characters 0 or 1, `least` to `most` of them 1; stored as numpy.packbits does."""

    def __init__(self, size: int, least: int = 0, most: int | None = None) -> None:
        self.marks = self.size = size
        self.least, self.most = least, size if most is None else most
        self.width = -(-size // 8)
        self.field = np.dtype(("u1", (self.width,)))
        self.longest = size + 2
        self.allowed = f"be a string of {size} characters 0 or 1"

    def encode(self, report: object) -> bytes:
        if type(report) is not str or len(report) != self.size or report.strip("01"):
            raise ValueError(self.allowed)
        if not self.least <= report.count("1") <= self.most:
            number = self.least if self.least == self.most else f"{self.least} to {self.most}"
            raise ValueError(f"hold {number} characters 1")
        return _packed(report, self.width)

    def reports(self, column: Column) -> list[str]:
        return _strings(self.spread(column) + ord("0"))

    def spread(self, column: Column) -> checks.BitArray:
        """0 and 1, shape (n, size)."""
        return np.unpackbits(np.ascontiguousarray(column), axis=1, count=self.size)

    def pack(self, marks: NDArray[np.int8]) -> Column:
        """The way back."""
        return np.packbits(marks == 1, axis=1)

    def possible(self, marks: NDArray[np.int8]) -> checks.BoolArray:
        """Which rows of marks may be reports; shape (n,)."""
        ones = (marks == 1).sum(axis=1)
        found: checks.BoolArray = (self.least <= ones) & (ones <= self.most)
        return found

    def counts(self, column: Column) -> IntArray:
        return column_sums(np.ascontiguousarray(column), self.size)


class Picked(Wire):
    """A report is a string of `size` characters, `pick` of them 0 or 1 and all others -, which were not picked.

    Stored as two packed strings of bits, first what was picked and then what is set.
    """

    spreads = True

    def __init__(self, size: int, pick: int) -> None:
        self.marks, self.size, self.pick = size, size, pick
        self.width = -(-size // 8)
        self.field = np.dtype(("u1", (2 * self.width,)))
        self.longest = size + 2
        number = "one of them 0 or 1" if pick == 1 else f"{pick} of them 0 or 1"
        self.allowed = f"be a string of {size} characters, {number} and all others {NOT_PICKED}"

    def encode(self, report: object) -> bytes:
        if type(report) is not str or len(report) != self.size or report.strip("01" + NOT_PICKED):
            raise ValueError(self.allowed)
        if self.size - report.count(NOT_PICKED) != self.pick:
            raise ValueError(self.allowed)
        picked = "".join("0" if mark == NOT_PICKED else "1" for mark in report)
        return _packed(picked, self.width) + _packed(report.replace(NOT_PICKED, "0"), self.width)

    def spread(self, column: Column) -> NDArray[np.int8]:
        """0 and 1, and -1 where a mark was not picked, shape (n, size)."""
        picked, marked = self.parts(column)
        found: NDArray[np.int8] = np.where(picked == 1, marked.astype(np.int8), np.int8(-1))
        return found

    def pack(self, marks: NDArray[np.int8]) -> Column:
        """The way back."""
        return np.concatenate(
            [np.packbits(marks >= 0, axis=1), np.packbits(marks == 1, axis=1)], axis=1
        )

    def possible(self, marks: NDArray[np.int8]) -> checks.BoolArray:
        """Which rows of marks may be reports; shape (n,)."""
        found: checks.BoolArray = (marks >= 0).sum(axis=1) == self.pick
        return found

    def parts(self, column: Column) -> tuple[checks.BitArray, checks.BitArray]:
        """What was picked, and what is set; each of 0 and 1, shape (n, size)."""
        stored = np.ascontiguousarray(column)
        return tuple(
            np.unpackbits(half, axis=1, count=self.size) for half in np.split(stored, 2, axis=1)
        )  # type: ignore[return-value]

    def reports(self, column: Column) -> list[str]:
        letters = np.frombuffer(b"01" + NOT_PICKED.encode(), np.uint8)
        return _strings(letters[self.spread(column)])  # -1 is the last letter

    def reports_of(self, texts: Sequence[str]) -> NDArray[np.int8]:
        """The same of reports as they went on the wire. ValueError for what is none."""
        stored = b"".join(map(self.encode, texts))
        return self.spread(np.frombuffer(stored, self.field))

    def counts(self, column: Column) -> IntArray:
        """How often each mark is set, then how often it was picked; shape (2 size,)."""
        sums = column_sums(np.ascontiguousarray(column), 16 * self.width)
        return np.concatenate([sums[8 * self.width :][: self.size], sums[: self.size]])


class Cohorts(Wire):
    """A report is a cohort, a colon and `bits` characters 0 or 1: “12:0100...”. Stored as cohort and packed bits."""

    marks = None

    def __init__(self, cohorts: int, bits: int) -> None:
        self.cohorts, self.bits = cohorts, bits
        self.size = cohorts * (1 + bits)
        self.width = -(-bits // 8)
        self.field = np.dtype(("u1", (1 + self.width,)))
        self.longest = len(str(cohorts - 1)) + 1 + bits + 2
        self.allowed = f"be a number from 0 to {cohorts - 1}, a colon, and {bits} characters 0 or 1"

    def parts(self, report: object) -> tuple[int, str]:
        """The cohort and the bits of a report. ValueError for anything else, in words as for `encode`."""
        cohort, _, bits = report.partition(":") if type(report) is str else ("", "", "")
        plain = (
            cohort.isascii()
            and cohort.isdigit()
            and len(cohort) <= 3
            and str(int(cohort)) == cohort
        )
        if not plain or int(cohort) >= self.cohorts or len(bits) != self.bits or bits.strip("01"):
            raise ValueError(self.allowed)
        return int(cohort), bits

    def encode(self, report: object) -> bytes:
        cohort, bits = self.parts(report)
        return bytes([cohort]) + _packed(bits, self.width)

    def reports(self, column: Column) -> list[str]:
        stored = np.ascontiguousarray(column)
        bits = _strings(np.unpackbits(stored[:, 1:], axis=1, count=self.bits) + ord("0"))
        return [
            f"{cohort}:{each}" for cohort, each in zip(stored[:, 0].tolist(), bits, strict=True)
        ]

    def spread(self, column: Column) -> checks.BitArray:
        """The cohort, then the bits as 0 and 1; shape (n, 1 + bits)."""
        stored = np.ascontiguousarray(column)
        return np.concatenate(
            [stored[:, :1], np.unpackbits(stored[:, 1:], axis=1, count=self.bits)], axis=1
        )

    def counts(self, column: Column) -> IntArray:
        """None: candidates are asked of the rows."""
        return np.zeros(0, np.int64)

    def cohort_counts(self, column: Column) -> IntArray:
        """Of each cohort how many reports it has, then how often each bit is set; shape (cohorts, 1 + bits)."""
        stored = np.ascontiguousarray(column)
        stored = stored[np.argsort(stored[:, 0], kind="stable")]
        sizes = np.bincount(stored[:, 0], minlength=self.cohorts)
        parts = np.split(stored[:, 1:], np.cumsum(sizes)[:-1])
        sums = [column_sums(part, self.bits) for part in parts]
        return np.column_stack([sizes, np.array(sums)])


def wire_of(spec: Mapping[str, Any]) -> Wire:
    """Return the form of the reports of a mechanism, read from its spec.

    The mechanism is not made, so code that only takes in reports needs this module and no mechanism.

    Parameters
    ----------
    spec : Mapping
        What `Mechanism.spec` returned, as an instrument holds it. Only the kind is checked here; `from_spec` checks
        everything.

    Returns
    -------
    Wire
        The same form as that of `from_spec(spec).wire`.

    Raises
    ------
    ValueError
        If the kind is not one of the mechanisms of this package.
    """
    kind = checks.one_of("kind", spec["kind"], tuple(_WIRE_OF_KIND))
    return _WIRE_OF_KIND[kind](spec)


def _unary_wire(spec: Mapping[str, Any]) -> Bits:
    size, den = spec["size"], spec["den"]
    if spec["select"] == "any":
        return Bits(size)
    # The weights, in den, with which a mark is set: of an answer that is not chosen, and of the chosen one.
    (_, other_weight), (_, chosen_weight) = spec["rows"]
    least, most = 0, 0
    for weight, marks in ((other_weight, size - 1), (chosen_weight, 1)):
        if weight == den:
            least += marks
        if weight > 0:
            most += marks
    return Bits(size, least, most)


def _window_wire(spec: Mapping[str, Any]) -> Integers:
    size, width = spec["size"], spec["width"]
    reports = size - 1 + width
    if spec.get("aside"):
        reports += width
    return Integers(reports)


def _point_count(spec: Mapping[str, Any]) -> int:
    """Return how many points the projective space of a spec has: mechanisms.estimation.projective.Space.points."""
    order, dimension = spec["order"], spec["dimension"]
    return int((order**dimension - 1) // (order - 1))


# A row for each kind of mechanism: mechanisms.designs.specs.KINDS.
_WIRE_OF_KIND: dict[str, Callable[[Mapping[str, Any]], Wire]] = {
    "matrix": lambda spec: Integers(len(spec["rows"])),
    "geometry": lambda spec: Integers(_point_count(spec)),
    "subset": lambda spec: Bits(spec["size"], spec["width"], spec["width"]),
    "marks": lambda spec: Picked(spec["size"], spec["pick"]),
    "unary": _unary_wire,
    "window": _window_wire,
    "written": lambda spec: Uncounted(_point_count(spec)),
    "rappor": lambda spec: Cohorts(spec["cohorts"], spec["bits"]),
}


def _packed(bits: str, width: int) -> bytes:
    return int(bits.ljust(8 * width, "0"), 2).to_bytes(width, "big")


def _strings(letters: NDArray[np.uint8]) -> list[str]:
    found: list[str] = letters.view(f"S{letters.shape[1]}").ravel().astype(str).tolist()
    return found
