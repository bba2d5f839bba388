"""The limits of uploaded files, and the messages about larger files on pages, in API and commands.

Child processes import this module, so it loads no Django: see surveys.site.files.untrusted.
"""

from dataclasses import dataclass

from surveys.site.errors import Unreadable

# The most bytes of a file with responses that cannot be read part by part: one part, of 1 MiB.
LARGEST_WHOLE_FILE = 1_048_576


@dataclass(frozen=True)
class TableLimits:
    """The most that a table may hold in any format: a small file can unpack to millions of cells.

    rows: the number of rows, with the one that names the columns.
    cells: the number of cells, the empty ones included.
    text: the bytes of the table as CSV in UTF-8.
    rows_remedy: a sentence that says what to do with a table of too many rows.
    remedy: a sentence that says what to do with a table of too many cells or bytes.
    """

    rows: int
    cells: int
    text: int
    rows_remedy: str
    remedy: str

    def require(self, *, rows: int = 0, cells: int = 0, text: int = 0) -> None:
        """Raise Unreadable if a table is above the limits, with the limit and the remedy in lines.

        rows, cells, text: how much the table holds. A number that is not known yet is left out.
        """
        if rows > self.rows:
            raise Unreadable(f"The table has more than {self.rows:,} rows.", self.rows_remedy)
        if cells > self.cells:
            raise Unreadable(f"The table has more than {self.cells:,} cells.", self.remedy)
        if text > self.text:
            raise Unreadable(f"The table has more than {self.text:,} bytes of text.", self.remedy)


def too_large_message(most: int, unit: str = "bytes") -> str:
    """Return the message about a file with more than `most` bytes, or of another unit."""
    return f"The file is too large: it can have at most {most:,} {unit}."
