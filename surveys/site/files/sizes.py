"""How large a file may be, and what is said of a larger one. Pages, the API and commands say it in the same words.

Child processes import this, so it loads no Django: see surveys.site.files.untrusted.
"""

from dataclasses import dataclass

from surveys.site.errors import Unreadable

LARGEST_WHOLE_FILE = 1_048_576  # bytes of a file of answers that cannot be read part by part


@dataclass(frozen=True)
class TableLimits:
    """What a table may hold, in whatever format it comes: a small file can unpack to millions of cells.

    rows: with the one that names the columns; text: bytes of the table as CSV in UTF-8. The remedies say what to do
    with a table that has too many rows, or too much of the others.
    """

    rows: int
    cells: int
    text: int
    rows_remedy: str
    remedy: str

    def require(self, *, rows: int = 0, cells: int = 0, text: int = 0) -> None:
        """Raise Unreadable, with the limit on one line and what to do on another, for a table that holds more."""
        if rows > self.rows:
            raise Unreadable(f"The table has more than {self.rows:,} rows.", self.rows_remedy)
        if cells > self.cells:
            raise Unreadable(f"The table has more than {self.cells:,} cells.", self.remedy)
        if text > self.text:
            raise Unreadable(f"The table has more than {self.text:,} bytes of text.", self.remedy)


def too_large_message(most: int, unit: str = "bytes") -> str:
    """Return the sentence about a file with more than `most` bytes, or characters."""
    return f"The file is too large: it can have at most {most:,} {unit}."
