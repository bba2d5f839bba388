"""Report formats: how a report is sent, and how it is stored in a record.

A record is the response of one person in its stored bytes. The stored reports to one question, one
for each record, are an array, which is called a column.

`wire_of` reads the format of a mechanism's reports from its specification. An answer that is sent
unchanged has the format `Integers`. Code that stores, counts, exports or imports reports uses the
format and does not depend on any mechanism.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms import checks
from mechanisms.chance.popcount import column_sums
from mechanisms.checks import IntArray

# An array of stored reports, of the type `Wire.field`.
Column = NDArray[np.unsignedinteger]
# The character for an option that was not picked.
NOT_PICKED = "-"


class Wire(ABC):
    """
    A report format.

    Attributes
    ----------
    size : int
        The number of different reports, or of the options in one report. For the bits of a Bloom
        filter, the number of counts in `Cohorts.cohort_counts`.
    field : numpy.dtype
        The type of one stored report.
    longest : int
        The number of characters of the longest report in JSON.
    option_count : int or None
        The number of options in one report, which has one character for each of them. None if a
        report does not list options.
    spreads : bool
        True if a report holds only some of the options.
    allowed : str
        What a report must be, in words that complete "The report must ...".
    """

    size: int
    field: np.dtype
    longest: int
    option_count: int | None
    spreads: bool = False
    allowed: str

    @abstractmethod
    def encode(self, report: object) -> bytes:
        """
        Encode a report that was received into the bytes that a record stores.

        Parameters
        ----------
        report : object
            The report as it was sent, of any type.

        Returns
        -------
        bytes
            The stored report, of the size of `field`.

        Raises
        ------
        ValueError
            If this is not a report of this format. The message completes "The report must ...".
        """

    @abstractmethod
    def reports(self, column: Column) -> list[int] | list[str]:
        """
        Decode stored reports into the form in which they were sent, for exports.

        Parameters
        ----------
        column : ndarray of unsigned integers, shape (n, ...)
            The stored reports, of type `field`.

        Returns
        -------
        list of int or list of str
            The reports as they were sent.
        """

    @abstractmethod
    def counts(self, column: Column) -> IntArray:
        """
        Count stored reports for a tally.

        Parameters
        ----------
        column : ndarray of unsigned integers, shape (n, ...)
            The stored reports, of type `field`.

        Returns
        -------
        ndarray of int64
            The counts, as in `Tally.counts`.
        """


class Integers(Wire):
    """
    The format of reports that are whole numbers from 0 to size - 1.

    Parameters
    ----------
    size : int
        The number of different reports.
    """

    option_count = None

    def __init__(self, size: int) -> None:
        self.size = size
        # The smallest unsigned type that holds size - 1, in little-endian byte order.
        if size <= 2**8:
            self.field = np.dtype("u1")
        elif size <= 2**16:
            self.field = np.dtype("<u2")
        else:
            self.field = np.dtype("<u4")
        self.longest = len(str(size - 1))
        self.allowed = f"be an integer from 0 to {size - 1}"

    def encode(self, report: object) -> bytes:
        """Encode a whole number below `size` as little-endian bytes, or raise ValueError.

        report: the report as it was sent, of any type.
        """
        # bool is a kind of int in Python, but true is not a report.
        if type(report) is not int or not 0 <= report < self.size:
            raise ValueError(self.allowed)
        return report.to_bytes(self.field.itemsize, "little")

    def reports(self, column: Column) -> list[int]:
        """Decode stored reports into a list of whole numbers, from 0 to size - 1.

        column: an array of the stored numbers, shape (n,), of the dtype `field`.
        """
        numbers: list[int] = column.tolist()
        return numbers

    def counts(self, column: Column) -> IntArray:
        """Count how often each number was reported, shape (size,).

        column: an array of the stored numbers, shape (n,).
        """
        return np.bincount(column, minlength=self.size)


class Uncounted(Integers):
    """
    The format of whole numbers of which there are too many for a tally.

    Estimation counts the stored reports again for every question about them.
    """

    def counts(self, column: Column) -> IntArray:
        """Return an empty array of shape (0,): there are too many numbers to count each of them.

        column: the stored reports, which are not used.
        """
        return np.zeros(0, np.int64)


class Bits(Wire):
    """
    The format of reports that are strings of the characters 0 and 1.

    Reports are stored as `numpy.packbits` packs them.

    Parameters
    ----------
    size : int
        The number of characters: one for each answer.
    least : int, default 0
        The smallest number of characters 1.
    most : int, optional
        The largest number of characters 1, by default `size`.

    Attributes
    ----------
    width : int
        The number of bytes of one stored report.
    """

    def __init__(self, size: int, least: int = 0, most: int | None = None) -> None:
        self.size = size
        self.option_count = size
        self.least = least
        self.most = size if most is None else most
        # Eight bits in a byte, rounded up.
        self.width = -(-size // 8)
        self.field = np.dtype(("u1", (self.width,)))
        # Two more characters for the quotation marks of JSON.
        self.longest = size + 2
        self.allowed = f"be a string of {size} characters 0 or 1"

    def encode(self, report: object) -> bytes:
        """Encode a string of 0 and 1 as packed bits, or raise ValueError for any other report.

        report: the report as it was sent, of any type. It has `least` to `most` characters 1.
        """
        # Something is left of a string without 0 and 1 at its ends if it has any other character.
        if type(report) is not str or len(report) != self.size or report.strip("01"):
            raise ValueError(self.allowed)
        if not self.least <= report.count("1") <= self.most:
            number = self.least if self.least == self.most else f"{self.least} to {self.most}"
            raise ValueError(f"hold {number} characters 1")
        return _pack_string(report, self.width)

    def reports(self, column: Column) -> list[str]:
        """Decode stored reports into strings of 0 and 1.

        column: the packed bits, shape (n, width).
        """
        # The codes of the characters 0 and 1 follow each other.
        return _to_strings(self.spread(column) + ord("0"))

    def spread(self, column: Column) -> checks.BitArray:
        """
        Unpack stored reports into bits.

        Parameters
        ----------
        column : ndarray of uint8, shape (n, width)
            The stored reports.

        Returns
        -------
        ndarray of uint8, shape (n, size)
            The bits, 0 or 1.
        """
        return np.unpackbits(np.ascontiguousarray(column), axis=1, count=self.size)

    def pack(self, options: NDArray[np.int8]) -> Column:
        """
        Pack bits into stored reports: the inverse of `spread`.

        Parameters
        ----------
        options : ndarray of int8, shape (n, size)
            The bits. Everything that is not 1 counts as 0.

        Returns
        -------
        ndarray of uint8, shape (n, width)
            The stored reports.
        """
        return np.packbits(options == 1, axis=1)

    def possible_rows(self, options: NDArray[np.int8]) -> checks.BoolArray:
        """
        Return which rows of bits may be reports. The import of files checks rows with it.

        Parameters
        ----------
        options : ndarray of int8, shape (n, size)
            The bits, 0 or 1.

        Returns
        -------
        ndarray of bool, shape (n,)
            True for rows with an allowed number of ones.
        """
        ones = (options == 1).sum(axis=1)
        mask: checks.BoolArray = (self.least <= ones) & (ones <= self.most)
        return mask

    def counts(self, column: Column) -> IntArray:
        """Count in how many stored reports each bit is set, shape (size,).

        column: the packed bits, shape (n, width).
        """
        return column_sums(np.ascontiguousarray(column), self.size)


class PickedOptions(Wire):
    """
    The format of reports about some options that were picked at random.

    A report is a string of `size` characters. `pick` of them are 0 or 1, and all others are -,
    for options that were not picked. A report is stored as two packed strings of bits: first the
    options that were picked, then the options that are set.

    Parameters
    ----------
    size : int
        The number of options.
    pick : int
        The number of options that are picked for one report.

    Attributes
    ----------
    width : int
        The number of bytes of one packed string: half of a stored report.
    """

    spreads = True

    def __init__(self, size: int, pick: int) -> None:
        self.size = size
        self.option_count = size
        self.pick = pick
        # Eight bits in a byte, rounded up.
        self.width = -(-size // 8)
        self.field = np.dtype(("u1", (2 * self.width,)))
        # Two more characters for the quotation marks of JSON.
        self.longest = size + 2
        number = "one of them 0 or 1" if pick == 1 else f"{pick} of them 0 or 1"
        self.allowed = f"be a string of {size} characters, {number} and all others {NOT_PICKED}"

    def encode(self, report: object) -> bytes:
        """Encode a string of 0, 1 and - as packed bits, or raise ValueError for any other report.

        report: the report as it was sent, of any type.

        The result has the bits of the options that were picked, then of those that are set.
        """
        if type(report) is not str or len(report) != self.size or report.strip("01" + NOT_PICKED):
            raise ValueError(self.allowed)
        if self.size - report.count(NOT_PICKED) != self.pick:
            raise ValueError(self.allowed)
        is_picked = "".join("0" if option == NOT_PICKED else "1" for option in report)
        is_set = report.replace(NOT_PICKED, "0")
        return _pack_string(is_picked, self.width) + _pack_string(is_set, self.width)

    def spread(self, column: Column) -> NDArray[np.int8]:
        """
        Unpack stored reports into options.

        Parameters
        ----------
        column : ndarray of uint8, shape (n, 2 * width)
            The stored reports.

        Returns
        -------
        ndarray of int8, shape (n, size)
            0 or 1, and -1 for an option that was not picked.
        """
        is_picked, is_set = self.parts(column)
        options: NDArray[np.int8] = np.where(is_picked == 1, is_set.astype(np.int8), np.int8(-1))
        return options

    def pack(self, options: NDArray[np.int8]) -> Column:
        """
        Pack options into stored reports: the inverse of `spread`.

        Parameters
        ----------
        options : ndarray of int8, shape (n, size)
            0 or 1, and -1 for an option that was not picked.

        Returns
        -------
        ndarray of uint8, shape (n, 2 * width)
            The stored reports.
        """
        # An option that was not picked is 0 in both halves.
        is_picked = np.packbits(options >= 0, axis=1)
        is_set = np.packbits(options == 1, axis=1)
        return np.concatenate([is_picked, is_set], axis=1)

    def possible_rows(self, options: NDArray[np.int8]) -> checks.BoolArray:
        """
        Return which rows of options may be reports. The import of files checks rows with it.

        Parameters
        ----------
        options : ndarray of int8, shape (n, size)
            0 or 1, and -1 for an option that was not picked.

        Returns
        -------
        ndarray of bool, shape (n,)
            True for rows in which `pick` options were picked.
        """
        mask: checks.BoolArray = (options >= 0).sum(axis=1) == self.pick
        return mask

    def parts(self, column: Column) -> tuple[checks.BitArray, checks.BitArray]:
        """
        Unpack stored reports into the two strings of bits.

        Parameters
        ----------
        column : ndarray of uint8, shape (n, 2 * width)
            The stored reports.

        Returns
        -------
        is_picked : ndarray of uint8, shape (n, size)
            1 for an option that was picked.
        is_set : ndarray of uint8, shape (n, size)
            1 for an option that was picked and is reported as 1.
        """
        stored = np.ascontiguousarray(column)
        picked_half, set_half = np.split(stored, 2, axis=1)
        is_picked = np.unpackbits(picked_half, axis=1, count=self.size)
        is_set = np.unpackbits(set_half, axis=1, count=self.size)
        return is_picked, is_set

    def reports(self, column: Column) -> list[str]:
        """Decode stored reports into strings of 0, 1 and -.

        column: the stored reports, shape (n, 2 * width).
        """
        # The value -1, for an option that was not picked, is the index of the last character.
        characters = np.frombuffer(b"01" + NOT_PICKED.encode(), np.uint8)
        return _to_strings(characters[self.spread(column)])

    def reports_of(self, texts: Sequence[str]) -> NDArray[np.int8]:
        """
        Convert reports as they were sent into options, by storing and unpacking them.

        Parameters
        ----------
        texts : sequence of str
            The reports as they were sent.

        Returns
        -------
        ndarray of int8, shape (n, size)
            0 or 1, and -1 for an option that was not picked.

        Raises
        ------
        ValueError
            If one of the texts is not a report of this format.
        """
        stored = b"".join(map(self.encode, texts))
        return self.spread(np.frombuffer(stored, self.field))

    def counts(self, column: Column) -> IntArray:
        """
        Count stored reports for a tally.

        The two kinds of counts are in the opposite order of the halves of a stored report.

        Parameters
        ----------
        column : ndarray of uint8, shape (n, 2 * width)
            The stored reports.

        Returns
        -------
        ndarray of int64, shape (2 * size,)
            How often each option is set, then how often each option was picked.
        """
        # Both halves have 8 * width bits, of which the first `size` belong to options. The others
        # fill the last byte.
        bits_per_half = 8 * self.width
        sums = column_sums(np.ascontiguousarray(column), 2 * bits_per_half)
        picked_counts = sums[: self.size]
        set_counts = sums[bits_per_half : bits_per_half + self.size]
        return np.concatenate([set_counts, picked_counts])


class Cohorts(Wire):
    """
    The format of reports with a cohort and the bits of a Bloom filter: "12:0100...".

    A report is stored as one byte with the cohort, and the packed bits.

    Parameters
    ----------
    cohorts : int
        The number of cohorts, at most 256.
    bits : int
        The number of bits of the Bloom filter.

    Attributes
    ----------
    width : int
        The number of bytes of the packed bits, without the byte of the cohort.
    """

    option_count = None

    def __init__(self, cohorts: int, bits: int) -> None:
        self.cohorts = cohorts
        self.bits = bits
        # Each cohort has a count of its reports, and one for each bit.
        self.size = cohorts * (1 + bits)
        # Eight bits in a byte, rounded up.
        self.width = -(-bits // 8)
        self.field = np.dtype(("u1", (1 + self.width,)))
        # One more character for the colon, and two for the quotation marks of JSON.
        self.longest = len(str(cohorts - 1)) + 1 + bits + 2
        self.allowed = f"be a number from 0 to {cohorts - 1}, a colon, and {bits} characters 0 or 1"

    def parts(self, report: object) -> tuple[int, str]:
        """
        Split a report that was sent into its cohort and its bits.

        Parameters
        ----------
        report : object
            The report as it was sent, of any type.

        Returns
        -------
        cohort : int
            The number of the cohort.
        bits : str
            The characters 0 and 1.

        Raises
        ------
        ValueError
            If this is not a report of this format. The message completes "The report must ...".
        """
        if type(report) is not str:
            raise ValueError(self.allowed)
        cohort, _, bits = report.partition(":")
        # Other spellings of a number, such as "007" or digits of other scripts, are refused.
        is_plain_number = (
            cohort.isascii()
            and cohort.isdigit()
            and len(cohort) <= 3
            and str(int(cohort)) == cohort
        )
        if not is_plain_number or int(cohort) >= self.cohorts:
            raise ValueError(self.allowed)
        if len(bits) != self.bits or bits.strip("01"):
            raise ValueError(self.allowed)
        return int(cohort), bits

    def encode(self, report: object) -> bytes:
        """Encode a cohort and its bits as bytes, or raise ValueError for any other report.

        report: the report as it was sent, of any type.
        """
        cohort, bits = self.parts(report)
        return bytes([cohort]) + _pack_string(bits, self.width)

    def reports(self, column: Column) -> list[str]:
        """Decode stored reports into strings of a cohort, a colon and bits.

        column: the stored reports, shape (n, 1 + width).
        """
        stored = np.ascontiguousarray(column)
        bits = np.unpackbits(stored[:, 1:], axis=1, count=self.bits)
        bit_strings = _to_strings(bits + ord("0"))
        cohorts = stored[:, 0].tolist()
        return [
            f"{cohort}:{bit_string}"
            for cohort, bit_string in zip(cohorts, bit_strings, strict=True)
        ]

    def spread(self, column: Column) -> checks.BitArray:
        """
        Unpack stored reports into the cohort and the bits.

        Parameters
        ----------
        column : ndarray of uint8, shape (n, 1 + width)
            The stored reports.

        Returns
        -------
        ndarray of uint8, shape (n, 1 + bits)
            In each row the cohort, then the bits, 0 or 1.
        """
        stored = np.ascontiguousarray(column)
        bits = np.unpackbits(stored[:, 1:], axis=1, count=self.bits)
        return np.concatenate([stored[:, :1], bits], axis=1)

    def counts(self, column: Column) -> IntArray:
        """
        Return an empty tally: the shares of candidates are estimated from the records.

        Parameters
        ----------
        column : ndarray of uint8, shape (n, 1 + width)
            The stored reports.

        Returns
        -------
        ndarray of int64, shape (0,)
            No counts.
        """
        return np.zeros(0, np.int64)

    def cohort_counts(self, column: Column) -> IntArray:
        """
        Count the reports and the set bits of each cohort.

        Parameters
        ----------
        column : ndarray of uint8, shape (n, 1 + width)
            The stored reports.

        Returns
        -------
        ndarray of int64, shape (cohorts, 1 + bits)
            For each cohort the number of its reports, then how often each bit is set.
        """
        stored = np.ascontiguousarray(column)
        # Sorted by cohort, the reports of each cohort are consecutive rows.
        by_cohort = stored[np.argsort(stored[:, 0], kind="stable")]
        report_counts = np.bincount(by_cohort[:, 0], minlength=self.cohorts)
        # The row after the last report of each cohort but the last one, where the next one begins.
        ends = np.cumsum(report_counts)[:-1]
        packed_bits_by_cohort = np.split(by_cohort[:, 1:], ends)
        bit_counts = [column_sums(packed_bits, self.bits) for packed_bits in packed_bits_by_cohort]
        return np.column_stack([report_counts, np.array(bit_counts)])


def wire_of(spec: Mapping[str, Any]) -> Wire:
    """
    Return the report format of a mechanism, read from its specification.

    The mechanism is not created, so code that only receives reports needs no other module of the
    designs.

    Parameters
    ----------
    spec : Mapping
        The specification that `Mechanism.spec` returned, as an instrument holds it. Only the kind
        is checked here; `from_spec` checks everything.

    Returns
    -------
    Wire
        A format equal to that of ``from_spec(spec).wire``.

    Raises
    ------
    ValueError
        If the kind is not one of the mechanisms of this package.
    """
    kind = checks.one_of("kind", spec["kind"], tuple(_WIRE_OF_KIND))
    return _WIRE_OF_KIND[kind](spec)


def _matrix_wire(spec: Mapping[str, Any]) -> Integers:
    """Return the report format of a matrix: the code of an answer.

    spec: the specification. Its rows of weights are as many as there are answers.
    """
    return Integers(len(spec["rows"]))


def _geometry_wire(spec: Mapping[str, Any]) -> Integers:
    """Return the report format of a geometry: the number of a point.

    spec: the specification. The order and the dimension of its space give the number of points.
    """
    return Integers(_point_count(spec))


def _subset_wire(spec: Mapping[str, Any]) -> Bits:
    """Return the report format of subset selection: bits with exactly `width` ones."""
    # The smallest and the largest number of ones are equal.
    return Bits(spec["size"], spec["width"], spec["width"])


def _marks_wire(spec: Mapping[str, Any]) -> PickedOptions:
    """Return the report format of option sampling: `pick` of `size` options, picked at random."""
    return PickedOptions(spec["size"], spec["pick"])


def _unary_wire(spec: Mapping[str, Any]) -> Bits:
    """Return the report format of unary encoding: bits, with the possible numbers of ones.

    For one choice, a bit that is set for certain adds to the least number of ones, and one that is
    never set does not add to the largest. For a multiple selection all numbers are allowed.
    """
    size, den = spec["size"], spec["den"]
    if spec["select"] == "any":
        return Bits(size)

    # The weights, out of den, with which the bit of an answer is set: of an answer that is not
    # chosen, and of the chosen one.
    (_, other_weight), (_, chosen_weight) = spec["rows"]
    least = 0
    most = 0
    for weight, bit_count in ((other_weight, size - 1), (chosen_weight, 1)):
        if weight == den:
            least += bit_count
        if weight > 0:
            most += bit_count
    return Bits(size, least, most)


def _window_wire(spec: Mapping[str, Any]) -> Integers:
    """Return the report format of a window: a number below the number of reports.

    The windows of the values start at 0 to size - 1 and have `width` reports, so they hold
    size - 1 + width reports. A truth that is not a number has `width` more.
    """
    size, width = spec["size"], spec["width"]
    report_count = size - 1 + width
    if spec.get("aside"):
        report_count += width
    return Integers(report_count)


def _written_wire(spec: Mapping[str, Any]) -> Uncounted:
    """Return the report format of written answers: the number of a point, without counts.

    spec: the specification. Its space has too many points for a count of each.
    """
    return Uncounted(_point_count(spec))


def _rappor_wire(spec: Mapping[str, Any]) -> Cohorts:
    """Return the report format of RAPPOR: a cohort and the bits of a Bloom filter.

    spec: the specification, with the numbers of cohorts and bits.
    """
    return Cohorts(spec["cohorts"], spec["bits"])


def _point_count(spec: Mapping[str, Any]) -> int:
    """Return the number of points of the projective space of a specification.

    It is (order^dimension - 1) / (order - 1). `mechanisms.estimation.projective.Space.points` has
    the same formula, but its module is not imported here.
    """
    order, dimension = spec["order"], spec["dimension"]
    return int((order**dimension - 1) // (order - 1))


# One line for each kind of mechanism in mechanisms.designs.specs.KINDS.
_WIRE_OF_KIND: dict[str, Callable[[Mapping[str, Any]], Wire]] = {
    "matrix": _matrix_wire,
    "geometry": _geometry_wire,
    "subset": _subset_wire,
    "marks": _marks_wire,
    "unary": _unary_wire,
    "window": _window_wire,
    "written": _written_wire,
    "rappor": _rappor_wire,
}


def _pack_string(bits: str, width: int) -> bytes:
    """Return `width` bytes with the characters 0 and 1 as bits, followed by zeros.

    bits: at most 8 * width characters.

    The result is that of numpy.packbits: the first character is the highest bit of the first byte.
    """
    padded = bits.ljust(8 * width, "0")
    return int(padded, 2).to_bytes(width, "big")


def _to_strings(characters: NDArray[np.uint8]) -> list[str]:
    """Return each row of ASCII codes as a string.

    characters: shape (n, number of characters of a report).
    """
    # All bytes of a row are read as one byte string of that length, "S" in NumPy.
    byte_strings = characters.view(f"S{characters.shape[1]}").ravel()
    strings: list[str] = byte_strings.astype(str).tolist()
    return strings
