"""How many responses a file may have, and how large its table may be."""

from surveys.site.files.delimited import SAVE_AS_ADVICE
from surveys.site.files.layout import HEADER_SEARCH_ROWS
from surveys.site.files.sizes import TableLimits

MOST_ROWS = 1_000_000
# Every table may have so many cells, and so many bytes of text.
CELLS, TEXT = 2_000_000, 20_000_000
# A larger file may have more of both for each of its bytes: eight randomized answers of a bit each, in words.
CELLS_FOR_BYTE, TEXT_FOR_BYTE = 8, 48
SPLIT = "Split the file, and import its parts one after the other."


def table_limits(data: bytes) -> TableLimits:
    """Return what the table in a file of responses may hold.

    Packed formats repeat a cell at hardly any cost, so that a few kilobytes can hold millions. Answers of people, and
    randomized ones all the more, cannot be packed like that.
    """
    return TableLimits(
        rows=MOST_ROWS + HEADER_SEARCH_ROWS,
        cells=CELLS + CELLS_FOR_BYTE * len(data),
        text=TEXT + TEXT_FOR_BYTE * len(data),
        rows_remedy=SPLIT,
        remedy=SAVE_AS_ADVICE,
    )
