"""The counts of one file of responses, of which only some rows are in memory at any time."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mechanisms import checks
from mechanisms.batches.files import is_remote, open_file
from mechanisms.batches.questions import Question, Survey, Unusable, read_survey
from mechanisms.checks import BitArray, IntArray
from mechanisms.designs.bits import BitMechanism
from mechanisms.designs.wire import PickedOptions
from mechanisms.estimation.tallies import Tally

# The most rows that are read at once, and the most cells of them.
ROWS = 500_000
CELLS = 20_000_000
# Bytes of a file that are read ahead.
PIECE = 2**20
# The most counts of one question. More are no tally any more.
MOST_COUNTS = 2**24
# The most bits of a report whose distinct rows are counted.
MOST_BITS = 20


@dataclass(frozen=True)
class Counted:
    """The counts of responses. Those of one survey add up with +.

    Attributes
    ----------
    survey : Survey
        Their survey.
    file_name : str
        The name of one of their files.
    n : int
        The number of responses.
    tallies : dict of str to Tally
        The tally of each question, by its key.
    row_counts : dict of str to ndarray of int
        How often each possible row of bits was sent, of shape (2**size,) and indexed by the row as
        a number, by the key of the question. It has only questions for which rows were counted.
    """

    survey: Survey
    file_name: str
    n: int
    tallies: dict[str, Tally]
    row_counts: dict[str, IntArray]

    def __add__(self, other: "Counted") -> "Counted":
        """Return the counts of both. Raises Unusable for responses to another survey."""
        if self.survey.sha256 != other.survey.sha256:
            raise Unusable(
                f"{self.file_name} and {other.file_name} are of two surveys, "
                f"“{self.survey.title}” ({self.survey.sha256[:12]}) "
                f"and “{other.survey.title}” ({other.survey.sha256[:12]}). "
                "Name the files of one survey only."
            )
        tallies = {}
        for key, tally in self.tallies.items():
            tallies[key] = tally + other.tallies[key]
        row_counts = {}
        for key, counts in self.row_counts.items():
            row_counts[key] = counts + other.row_counts[key]
        return Counted(
            survey=self.survey,
            file_name=self.file_name,
            n=self.n + other.n,
            tallies=tallies,
            row_counts=row_counts,
        )


def add(first: Counted, second: Counted) -> Counted:
    """Return the counts of both, for processes that need a function with a name."""
    return first + second


def count(name: str, *, count_rows: bool = False) -> Counted:
    """Return the counts of the responses in a Parquet file.

    Parameters
    ----------
    name : str
        A path, or an address that fsspec opens, such as s3://bucket/part.parquet.
    count_rows : bool, default False
        True to count the distinct rows of reports of up to 20 bits as well.

    Returns
    -------
    Counted

    Raises
    ------
    Unusable
        For a file that is broken, of something else, without a column of a question, or with a
        report that the survey cannot have had.
    """
    import pyarrow as pa  # noqa: PLC0415 (an extra)

    try:
        with _open_parquet(name) as file:
            survey = read_survey(file.schema_arrow.metadata or {}, name)
            columns = set(file.schema_arrow.names)
            readers = [_QuestionReader(question, columns, name) for question in survey.counted]
            return _count_file(file, name, survey, readers, count_rows=count_rows)
    except (pa.ArrowException, OSError) as error:
        lines = str(error).splitlines() or [type(error).__name__]
        raise Unusable(f"{name} cannot be read as Parquet: {lines[0]}") from error


def _open_parquet(name: str) -> Any:
    import pyarrow.parquet as pq  # noqa: PLC0415 (an extra)

    source = open_file(name) if is_remote(name) else name
    return pq.ParquetFile(source, buffer_size=PIECE, pre_buffer=False)


def _count_file(
    file: Any, name: str, survey: Survey, readers: "list[_QuestionReader]", *, count_rows: bool
) -> Counted:
    n = 0
    tallies = {}
    row_counts = {}
    for reader in readers:
        tallies[reader.key] = reader.empty_tally()
        if count_rows and reader.has_countable_rows:
            row_counts[reader.key] = np.zeros(2**reader.size, np.int64)
    for batch in _batches(file, readers):
        n += batch.num_rows
        for reader in readers:
            reports = reader.reports(batch)
            tallies[reader.key] += reader.tally(reports)
            if reader.key in row_counts:
                row_counts[reader.key] += counts_of_rows(reports, reader.size)
    return Counted(survey=survey, file_name=name, n=n, tallies=tallies, row_counts=row_counts)


def _batches(file: Any, readers: "list[_QuestionReader]") -> Iterator[Any]:
    """Return an iterator over batches of rows, with the columns that the readers need."""
    columns: list[str] = []
    for reader in readers:
        columns.extend(reader.columns)
    rows = max(1, min(ROWS, CELLS // max(len(columns), 1)))
    batches: Iterator[Any] = file.iter_batches(batch_size=rows, columns=columns, use_threads=False)
    return batches


def counts_of_rows(packed: BitArray, size: int) -> IntArray:
    """Return how often each possible row of bits occurs.

    Parameters
    ----------
    packed : ndarray of uint8, shape (n, bytes)
        Rows of bits as numpy.packbits writes them.
    size : int
        The number of bits of a row.

    Returns
    -------
    ndarray of int, shape (2**size,)
        The counts, indexed by the row as a number whose highest bit is the first one.
    """
    numbers = np.zeros(len(packed), np.int64)
    for byte_column in packed.T:
        numbers = (numbers << 8) | byte_column
    unused_bits = -size % 8
    return np.bincount(numbers >> unused_bits, minlength=2**size)


class _QuestionReader:
    """Reads the reports to one question from a file, and counts them.

    has_options: whether a report has a bit for each option.
    is_packed: whether these bits are in one column, and not in a column for each option.
    columns: the names of the columns of a report.
    """

    def __init__(self, question: Question, columns_of_file: set[str], file_name: str) -> None:
        """Raise Unusable if the file lacks a column of the question."""
        self.question = question
        self.key = question.key
        self.size = question.report_format.size
        self.file_name = file_name
        self.has_options = question.report_format.option_count is not None
        self.is_packed = self.has_options and question.key in columns_of_file
        self.columns = (question.key,) if self.is_packed else question.columns
        for column in self.columns:
            if column not in columns_of_file:
                raise Unusable(
                    f"{file_name} lacks the column “{column}” of the question "
                    f"“{question.key}”. Export it again."
                )

    @property
    def has_countable_rows(self) -> bool:
        """True if the distinct rows of its bits can be counted, and say more than the tally."""
        mechanism = self.question.mechanism
        if not self.has_options or not isinstance(mechanism, BitMechanism):
            return False
        return mechanism.tells_by_rows and mechanism.size <= MOST_BITS

    def empty_tally(self) -> Tally:
        """Return the tally of no reports. Raises Unusable if the question has too many counts."""
        if not self.has_options and self.size > MOST_COUNTS:
            raise Unusable(
                f"The question “{self.key}” of {self.file_name} has {self.size:,} different "
                f"reports, and at most {MOST_COUNTS:,} are counted here. "
                "Its report in the survey counts them."
            )
        report_format = self.question.report_format
        no_reports: Any = np.zeros(0, report_format.field)
        return Tally(0, report_format.counts(no_reports))

    def tally(self, reports: Any) -> Tally:
        """Return the tally of stored reports. Raises Unusable for an impossible report."""
        question = self.question
        try:
            if self.has_options:
                mechanism: Any = question.mechanism
                tally: Tally = mechanism.tally_packed(reports)
                return tally
            codes: Any = checks.indices(self.key, reports, self.size)
            return Tally(len(codes), question.report_format.counts(codes))
        except ValueError as error:
            raise Unusable(
                f"{self.file_name} holds what no report to “{self.key}” can be: {error}"
            ) from error

    def reports(self, batch: Any) -> Any:
        """Return the reports of a batch as they are stored, without the rows that have none."""
        columns = []
        for name in self.columns:
            columns.append(batch.column(batch.schema.get_field_index(name)))
        if self.is_packed:
            return self._packed_column(columns[0].drop_null())
        if self.has_options:
            return self._packed_options(columns)
        if self.question.numbers is not None:
            return self._codes_of_numbers(columns, self.question.numbers)
        if self.question.values is not None:
            return self._codes_of_values(columns[0].drop_null(), self.question.values)
        return self._whole_numbers(columns[0].drop_null())

    def _codes_of_values(self, column: Any, values: tuple[int, ...] | tuple[str, ...]) -> IntArray:
        """Return the codes of the answers whose values are in a column.

        Raises Unusable for a value that no answer has.
        """
        has_texts = isinstance(values[0], str)
        cells = column.to_numpy(zero_copy_only=False)
        if has_texts:
            cells = cells.astype(str)
        elif len(cells):
            cells = self._whole_numbers(column)

        all_values = np.asarray(values)
        order = np.argsort(all_values)
        positions = np.searchsorted(all_values, cells, sorter=order)
        # A value above all others has the position behind the last one.
        codes: IntArray = order[np.minimum(positions, len(values) - 1)]
        is_unknown = all_values[codes] != cells
        if is_unknown.any():
            raise Unusable(
                f"{self.file_name} holds “{cells[is_unknown][0]}” in the column of “{self.key}”, "
                "which is the value of no answer."
            )
        return codes

    def _whole_numbers(self, column: Any) -> Any:
        numbers = column.to_numpy(zero_copy_only=False)
        if numbers.dtype.kind not in "iu" and len(numbers):
            raise self._type_error(column)
        return numbers

    def _type_error(self, column: Any) -> Unusable:
        """Return the error that a column has a wrong type."""
        allowed = "bytes" if self.is_packed else "whole numbers"
        return Unusable(
            f"{self.file_name} has {column.type} in the column of “{self.key}”; "
            f"allowed are {allowed}."
        )

    def _packed_column(self, column: Any) -> BitArray:
        """Return the bytes of a column of packed options, shape (n, bytes)."""
        width = self.question.report_format.field.itemsize
        if str(column.type) != f"fixed_size_binary[{width}]":
            raise self._type_error(column)
        content = np.frombuffer(column.buffers()[1] or b"", np.uint8)
        return content.reshape(-1, width)[column.offset : column.offset + len(column)]

    def _packed_options(self, columns: list[Any]) -> BitArray:
        """Return the options that have a column each as packed bytes, shape (n, bytes).

        If each person answers some options that are picked at random, the others are null.
        Otherwise all options of a row are null, or none.
        """
        validity = [column.is_valid().to_numpy(zero_copy_only=False) for column in columns]
        is_answered = np.stack(validity, axis=1)
        options = np.stack([self._whole_numbers(column.fill_null(0)) for column in columns], axis=1)
        has_report = is_answered.any(axis=1)
        has_picked_options = isinstance(self.question.report_format, PickedOptions)
        if not has_picked_options and (is_answered.all(axis=1) != has_report).any():
            raise Unusable(
                f"{self.file_name} has reports to “{self.key}” with some marks and not all."
            )
        if options.size and options.max() > 1:
            raise Unusable(
                f"{self.file_name} holds {options.max()} in a mark of “{self.key}”; "
                "allowed is 0 or 1."
            )
        selected = np.packbits(options[has_report].astype(np.uint8), axis=1)
        if not has_picked_options:
            return selected
        answered = np.packbits(is_answered[has_report], axis=1)
        return np.concatenate([answered, selected], axis=1)

    def _codes_of_numbers(self, columns: list[Any], numbers: range) -> IntArray:
        """Return the codes of numbers, and then those of the people who declined to give one.

        The first column holds the numbers; the second one, if there is one, 1 for a decline.
        """
        answers = self._whole_numbers(columns[0].drop_null()).astype(np.int64)
        codes, remainders = np.divmod(answers - numbers.start, numbers.step)
        if remainders.any() or ((codes < 0) | (codes >= len(numbers))).any():
            raise Unusable(
                f"{self.file_name} holds a number in “{self.key}” that could not be answered."
            )
        declines = 0
        if len(columns) > 1:
            declines = int(self._whole_numbers(columns[1].drop_null()).sum())
        decline_codes = np.full(declines, self.question.declined or 0)
        all_codes: IntArray = np.append(codes, decline_codes)
        return all_codes
