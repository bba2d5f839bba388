"""Files that libraries write as a whole, for Stata and SPSS, with questions and choices as labels."""

import struct
from abc import abstractmethod
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from features.statistical_packages.names import spss_names, stata_names
from surveys.export.columns import (
    Column,
    Holds,
    all_columns,
    column_values,
    fitting,
    may_lack,
    one_line,
)
from surveys.export.format import CELLS, ROWS, Rows
from surveys.export.scrambled import marked_label, note_lines

if TYPE_CHECKING:
    import pandas as pd

PIECE = 2**16  # bytes
MADE = datetime(1980, 1, 1)


class Whole(Rows):
    """Responses that wait until all are there; hence the limits."""

    is_packed = True

    limit = ROWS
    most_cells = CELLS

    def begin(self) -> None:
        self._parts: list[list[np.ndarray]] = []

    def write(self, rows: np.ndarray) -> None:
        cells = [
            each for item in self.frozen.items for each in column_values(self.frozen, rows, item)
        ]
        self._parts.append([np.ma.array(values, mask=absent) for values, absent in cells])

    def end(self) -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder) / self.name
            self.save(path)
            with path.open("rb") as file:
                while piece := file.read(PIECE):
                    self.out.write(piece)

    @abstractmethod
    def save(self, path: Path) -> None:
        """All of it to this file."""

    def frame(self, names: dict[str, str]) -> "pd.DataFrame":
        """The rows with the columns under their names in the program; floats only where something may be missing."""
        import pandas as pd  # noqa: PLC0415 (large)

        own = all_columns(self.frozen)
        parts = self._parts or [[np.ma.array([], mask=[], dtype=int)] * len(own)]
        columns = {}
        for place, column in enumerate(own):
            values = np.ma.concatenate([part[place] for part in parts])
            lacks = may_lack(self.frozen, column)
            whole = values.data.astype(np.min_scalar_type(-1 - max(map(abs, column.ends))))
            columns[names[column.name]] = values.astype(float).filled(np.nan) if lacks else whole
        return pd.DataFrame(columns)

    def by_name(self, names: dict[str, str], told: Callable[[Column], object]) -> dict:
        """What is told of each column that there is anything to tell of."""
        return {
            names[column.name]: said
            for column in all_columns(self.frozen)
            if (said := told(column))
        }


class Stata(Whole):
    name = "responses.dta"
    title = "Stata, with labels"
    media_type = "application/x-stata-dta"
    most_columns = 32_767  # of the format's version 118
    longest = 80  # characters of a label

    def save(self, path: Path) -> None:
        names = stata_names(self.frozen)
        value_labels = self.by_name(
            names, lambda column: _labels(column, 32_000 // max(len(column.number_labels), 1), len)
        )
        write_stata(
            path,
            self.frame(names),
            note_lines(self.frozen),
            time_stamp=MADE,
            data_label=fitting(self.frozen.title, "", self.longest),
            variable_labels=self.by_name(names, lambda column: marked_label(column, self.longest)),
            value_labels=value_labels,
        )


class Spss(Whole):
    name = "responses.sav"
    title = "SPSS and PSPP, with labels and levels of measurement"
    media_type = "application/x-spss-sav"
    title_bytes, longest, value_bytes = 64, 255, 120  # as the format counts

    def save(self, path: Path) -> None:
        import pyreadstat  # noqa: PLC0415 (large)

        names = spss_names(self.frozen)
        frame = self.frame(names)
        pyreadstat.write_sav(
            frame,
            path,
            file_label=fitting(self.frozen.title, "", self.title_bytes, _bytes),
            column_labels=self.by_name(
                names, lambda column: marked_label(column, self.longest, _bytes)
            ),
            note=wrapped(note_lines(self.frozen)),
            variable_value_labels=self.by_name(
                names, lambda column: _labels(column, self.value_bytes, _bytes)
            ),
            missing_ranges=self.by_name(names, _declined),
            variable_measure=self.by_name(names, lambda column: column.level),
            variable_format=self.by_name(names, lambda column: f"F{width(column)}.0"),
            row_compress=True,  # ZSAV, which is smaller, cannot be read by foreign of R, gretl and others
        )
        with path.open(
            "r+b"
        ) as file:  # the header says when it was made; the same rows give the same bytes
            file.seek(92)
            file.write(b"01 Jan 8000:00:00")


def write_stata(path: Path, frame: "pd.DataFrame", notes: list[str], **options: object) -> None:
    """Write a file of Stata (version 118) with notes of the data set.

    Neither pandas nor pyreadstat can write notes, so a private method of pandas is overridden, which writes nothing
    else.

    options: those of pandas.io.stata.StataWriterUTF8.
    """
    # pandas is large, and a site that exports no such file does not need it.
    from pandas.io.stata import StataWriterUTF8  # noqa: PLC0415

    class WriterWithNotes(StataWriterUTF8):
        def _write_characteristics(self) -> None:
            self._update_map("characteristics")
            characteristics = b"".join(
                _characteristic(name, text) for name, text in _numbered_notes(notes)
            )
            self._write_bytes(self._tag(characteristics, "characteristics"))

    WriterWithNotes(path, frame, write_index=False, version=118, **options).write_file()


def _numbered_notes(notes: list[str]) -> list[tuple[str, str]]:
    """Return the names and texts by which Stata knows notes: note0 has their number."""
    if not notes:
        return []
    numbered = [(f"note{number}", text) for number, text in enumerate(notes, start=1)]
    return [("note0", str(len(notes))), *numbered]


def _characteristic(name: str, text: str) -> bytes:
    """Return a characteristic of the data set as version 118 has it: two names of 129 bytes, and a text."""
    names = b"_dta".ljust(129, b"\0") + name.encode().ljust(129, b"\0")
    content = names + text.encode() + b"\0"
    return b"<ch>" + struct.pack("<I", len(content)) + content + b"</ch>"


def wrapped(texts: list[str], most: int = 80) -> list[str]:
    """Return texts in lines of at most `most` bytes of UTF-8, which are cut between words if possible."""
    lines = []
    for text in texts:
        line = ""
        for word in text.split():
            longer = f"{line} {word}".strip()
            if _bytes(longer) <= most:
                line = longer
                continue
            if line:
                lines.append(line)
            line = word
            while _bytes(line) > most:
                head = line.encode()[:most].decode(errors="ignore")
                lines.append(head)
                line = line.removeprefix(head)
        lines.append(line)
    return lines


def width(column: Column) -> int:
    """Characters of the longest value."""
    return max(len(str(end)) for end in column.ends)


def _declined(column: Column) -> list[int]:
    """The number of “Prefer not to say”, which SPSS leaves out of analyses; only where nothing is scrambled.

    A scrambled “Prefer not to say” is a received answer, which the correction needs. Surveys from before there were
    values have no such number.
    """
    item = column.item
    code = item.decline_code
    is_answer = column.holds is Holds.CODE and item.mechanism is None
    if not is_answer or code is None or item.values.are_codes:
        return []
    return [column.number(code)]


def _labels(column: Column, most: int, size: Callable[[str], int]) -> dict[int, str]:
    return {
        value: fitting(one_line(label), "", most, size)
        for value, label in column.number_labels.items()
    }


def _bytes(text: str) -> int:
    return len(text.encode())
