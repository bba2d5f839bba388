"""Files that libraries write as a whole, for Stata and SPSS, with questions and choices as labels."""

from abc import abstractmethod
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from features.statistical_packages.names import spss_names, stata_names
from surveys.export.columns import Column, all_columns, column_values, fitting, may_lack, one_line
from surveys.export.format import CELLS, ROWS, Rows

if TYPE_CHECKING:
    import pandas as pd

PIECE = 2**16  # bytes
MADE = datetime(1980, 1, 1)


class Whole(Rows):
    """Responses that wait until all are there; hence the limits."""

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
        self.frame(names).to_stata(
            path,
            write_index=False,
            version=118,
            time_stamp=MADE,
            data_label=fitting(self.frozen.title, "", self.longest),
            variable_labels=self.by_name(names, lambda column: column.label(self.longest)),
            value_labels=self.by_name(
                names, lambda column: _labels(column, 32_000 // max(len(column.labels), 1), len)
            ),
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
            column_labels=self.by_name(names, lambda column: column.label(self.longest, _bytes)),
            variable_value_labels=self.by_name(
                names, lambda column: _labels(column, self.value_bytes, _bytes)
            ),
            variable_measure=self.by_name(names, lambda column: column.level),
            variable_format=self.by_name(names, lambda column: f"F{width(column)}.0"),
            row_compress=True,  # ZSAV, which is smaller, cannot be read by foreign of R, gretl and others
        )
        with path.open(
            "r+b"
        ) as file:  # the header says when it was made; the same rows give the same bytes
            file.seek(92)
            file.write(b"01 Jan 8000:00:00")


def width(column: Column) -> int:
    """Characters of the longest value."""
    return max(len(str(end)) for end in column.ends)


def _labels(column: Column, most: int, size: Callable[[str], int]) -> dict[int, str]:
    return {
        value: fitting(one_line(label), "", most, size) for value, label in column.labels.items()
    }


def _bytes(text: str) -> int:
    return len(text.encode())
