"""The form in which a file is written: it is guessed, shown, and corrected by a person."""

from collections.abc import Callable
from dataclasses import dataclass

SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "vertical bar"}

# The row with the names of the columns is searched among this many rows.
HEADER_SEARCH_ROWS = 20

# The value of `Layout.quoting` for a text in which quotation marks are letters like any other.
UNQUOTED = "none"

# A function that gets the texts of a row, and returns how many of them are names of columns that
# the importer knows. By these the header and the separator are found. The function may stop at 2 if
# the importer does not need to know how many there are.
CountKnown = Callable[[list[str]], int]


@dataclass(frozen=True)
class Layout:
    """The form in which a file is written. Fields that are "" or 0 are guessed from the file.

    encoding: a key of `encoding_titles`, so "xlsx" for a workbook.
    separator: the character between cells, a key of SEPARATORS.
    header: the number of the row that names the columns, counted from 1.
    first: the number of the row where the data begin, counted from 1; 0 also for the row below the
        one with the names.
    sheet: the sheet to read, in a workbook that has several.
    version: the version of the codebook, in a file that this program wrote.
    quoting: UNQUOTED, or "" for a text with quotation marks around cells.
    """

    encoding: str = ""
    separator: str = ""
    header: int = 0
    first: int = 0
    sheet: str = ""
    version: int = 0
    quoting: str = ""

    @property
    def first_row(self) -> int:
        """The number of the row where the data begin. The row with the names is known."""
        return self.first or self.header + 1
