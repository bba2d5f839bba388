"""One file of responses -> what it adds up to. Only some rows of it are in memory at any time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mechanisms import checks
from mechanisms.batches.places import is_remote, open_file
from mechanisms.batches.questions import Question, Survey, Unusable, read_survey
from mechanisms.checks import BitArray, IntArray
from mechanisms.designs.bits import BitMechanism
from mechanisms.designs.wire import PickedOptions
from mechanisms.estimation.tallies import Tally

ROWS = 500_000  # at once, at most
CELLS = 20_000_000  # at once, where a report has a column for each mark
PIECE = 2**20  # bytes of a file that are read ahead
MOST_COUNTS = 2**24  # of one question: more are no tally any more
MOST_BITS = 20  # of a report whose every form is counted


@dataclass(frozen=True)
class Counted:
    """What some responses add up to.

    first: the name of one of their files. tallies: question key -> its tally. forms: question key -> how often each
    report of so many bits came, as a number, shape (2**size,); of questions where that was asked for.
    """

    survey: Survey
    first: str
    n: int
    tallies: dict[str, Tally]
    forms: dict[str, IntArray]

    def __add__(self, other: "Counted") -> "Counted":
        """Unusable for responses to another survey."""
        if self.survey.sha256 != other.survey.sha256:
            raise Unusable(
                f"{self.first} and {other.first} are of two surveys, “{self.survey.title}” ({self.survey.sha256[:12]}) "
                f"and “{other.survey.title}” ({other.survey.sha256[:12]}). Name the files of one survey only."
            )
        tallies = {key: tally + other.tallies[key] for key, tally in self.tallies.items()}
        forms = {key: times + other.forms[key] for key, times in self.forms.items()}
        return Counted(self.survey, self.first, self.n + other.n, tallies, forms)


def add(first: Counted, second: Counted) -> Counted:
    return first + second


def count(name: str, *, forms: bool = False) -> Counted:
    """The responses in a Parquet file. name: a path, or an address that fsspec opens, such as s3://bucket/part.parquet.

    forms: whether to count every form of the reports of up to 20 bits as well. Unusable for a file that is broken, of
    something else, without a column of a question, or with a report that the survey cannot have had.
    """
    import pyarrow as pa  # noqa: PLC0415 (an extra)

    try:
        with _opened(name) as file:
            survey = read_survey(file.schema_arrow.metadata or {}, name)
            places = [
                _Place(question, set(file.schema_arrow.names), name) for question in survey.counted
            ]
            return _counted(survey, name, places, _batches(file, places), forms)
    except (pa.ArrowException, OSError) as wrong:
        raise Unusable(f"{name} cannot be read as Parquet: {_first_line(wrong)}") from wrong


def _first_line(wrong: Exception) -> str:
    return (str(wrong).splitlines() or [type(wrong).__name__])[0]


def _opened(name: str) -> Any:
    import pyarrow.parquet as pq  # noqa: PLC0415 (an extra)

    return pq.ParquetFile(
        open_file(name) if is_remote(name) else name, buffer_size=PIECE, pre_buffer=False
    )


def _batches(file: Any, places: "list[_Place]") -> Iterator[Any]:
    columns = [name for place in places for name in place.names]
    rows = max(1, min(ROWS, CELLS // max(len(columns), 1)))
    return file.iter_batches(batch_size=rows, columns=columns, use_threads=False)  # type: ignore[no-any-return]


def _counted(
    survey: Survey, name: str, places: "list[_Place]", batches: Iterable[Any], forms: bool
) -> Counted:
    n, tallies, times = 0, {}, {}
    for place in places:
        key, none = place.question.key, place.none()
        tallies[key] = none
        if forms and place.has_forms:
            times[key] = np.zeros(2**place.question.wire.size, np.int64)
    for batch in batches:
        n += batch.num_rows
        for place in places:
            key, reports = place.question.key, place.reports(batch)
            tallies[key] += place.tally(reports)
            if key in times:
                times[key] += forms_of(reports, place.question.wire.size)
    return Counted(survey, name, n, tallies, times)


def forms_of(packed: BitArray, size: int) -> IntArray:
    """How often each report came; shape (2**size,). packed: as numpy.packbits writes them, shape (n, ...)."""
    number = np.zeros(len(packed), np.int64)
    for octet in packed.T:
        number = (number << 8) | octet
    return np.bincount(number >> (-size % 8), minlength=2**size)


class _Place:
    """Where the reports to one question stand in a file, and how they are counted."""

    def __init__(self, question: Question, there: set[str], name: str) -> None:
        self.question, self.name = question, name
        self.is_marks = question.wire.option_count is not None
        self.is_packed = self.is_marks and question.key in there
        self.names = (question.key,) if self.is_packed else question.columns
        if missing := [column for column in self.names if column not in there]:
            raise Unusable(
                f"{name} lacks the column “{missing[0]}” of the question “{question.key}”. Export it again."
            )

    @property
    def has_forms(self) -> bool:
        mechanism = self.question.mechanism
        is_bits = self.is_marks and isinstance(mechanism, BitMechanism) and mechanism.tells_by_rows
        return is_bits and mechanism.size <= MOST_BITS

    def none(self) -> Tally:
        """The tally of no report."""
        wire = self.question.wire
        if not self.is_marks and wire.size > MOST_COUNTS:
            raise Unusable(
                f"The question “{self.question.key}” of {self.name} has {wire.size:,} different reports, and at most "
                f"{MOST_COUNTS:,} are counted here. Its report in the survey counts them."
            )
        nothing: Any = np.zeros(0, wire.field)
        return Tally(0, wire.counts(nothing))

    def tally(self, reports: Any) -> Tally:
        """Of reports as they are stored. Unusable for one that cannot be."""
        question = self.question
        try:
            if self.is_marks:
                return question.mechanism.tally_packed(reports)  # type: ignore[attr-defined, no-any-return]
            column: Any = checks.indices(question.key, reports, question.wire.size)
            return Tally(len(column), question.wire.counts(column))
        except ValueError as wrong:
            raise Unusable(
                f"{self.name} holds what no report to “{question.key}” can be: {wrong}"
            ) from wrong

    def reports(self, batch: Any) -> Any:
        """Those of a batch as they are stored, without the rows that have none."""
        columns = [batch.column(batch.schema.get_field_index(name)) for name in self.names]
        if self.is_packed:
            return self._bytes(columns[0].drop_null())
        if self.is_marks:
            return self._packed(columns)
        if self.question.numbers is not None:
            return self._codes(columns)
        return self._whole(columns[0].drop_null())

    def _whole(self, column: Any) -> Any:
        found = column.to_numpy(zero_copy_only=False)
        if found.dtype.kind not in "iu" and len(found):
            raise self._strange(column)
        return found

    def _strange(self, column: Any) -> Unusable:
        held = "bytes" if self.is_packed else "whole numbers"
        return Unusable(
            f"{self.name} has {column.type} in the column of “{self.question.key}”; allowed are {held}."
        )

    def _bytes(self, column: Any) -> BitArray:
        width = self.question.wire.field.itemsize
        if str(column.type) != f"fixed_size_binary[{width}]":
            raise self._strange(column)
        content = np.frombuffer(column.buffers()[1] or b"", np.uint8)
        return content.reshape(-1, width)[column.offset : column.offset + len(column)]

    def _packed(self, columns: list[Any]) -> BitArray:
        """Marks that have a column each. Where all are picked by chance the others are null; else all are, or none."""
        given = np.stack(
            [column.is_valid().to_numpy(zero_copy_only=False) for column in columns], axis=1
        )
        marks = np.stack([self._whole(column.fill_null(0)) for column in columns], axis=1)
        there, spreads = given.any(axis=1), isinstance(self.question.wire, PickedOptions)
        if not spreads and (given.all(axis=1) != there).any():
            raise Unusable(
                f"{self.name} has reports to “{self.question.key}” with some marks and not all."
            )
        if marks.size and marks.max() > 1:
            raise Unusable(
                f"{self.name} holds {marks.max()} in a mark of “{self.question.key}”; allowed is 0 or 1."
            )
        given, set_ = (
            np.packbits(given[there], axis=1),
            np.packbits(marks[there].astype(np.uint8), axis=1),
        )
        return np.concatenate([given, set_], axis=1) if spreads else set_

    def _codes(self, columns: list[Any]) -> IntArray:
        """Numbers that stand for themselves, and beside them 1 for whoever declined to give one."""
        numbers = self.question.numbers or range(0)
        given = self._whole(columns[0].drop_null()).astype(np.int64)
        codes, rest = np.divmod(given - numbers.start, numbers.step)
        if rest.any() or ((codes < 0) | (codes >= len(numbers))).any():
            raise Unusable(
                f"{self.name} holds a number in “{self.question.key}” that could not be answered."
            )
        declined = int(self._whole(columns[1].drop_null()).sum()) if columns[1:] else 0
        found: IntArray = np.append(codes, np.full(declined, self.question.declined or 0))
        return found
