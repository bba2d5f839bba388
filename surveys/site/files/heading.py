"""Find the row with the names of the columns, and the row where the data begin.

Between these rows survey programs write what helps people to match columns: the texts of questions,
answers, or identifiers of their own.
"""

from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np

from surveys.site.errors import Invalid
from surveys.site.files.delimited import Broken, Cells, clean
from surveys.site.files.layout import HEADER_SEARCH_ROWS, CountKnown, Layout

MOST_COLUMNS = 5000

# In how many rows below the names the identifiers of Qualtrics are searched, and how they begin.
QUALTRICS_ROWS = 5
QUALTRICS_START = '{"ImportId":'

# The name of a column without one, to which R writes the names of rows.
ROW_NAMES_COLUMN = "row"

NO_NAMES_MESSAGE = (
    f"None of the first {HEADER_SEARCH_ROWS} rows has the names of the columns. Choose the row "
    "with the names."
)


@dataclass(frozen=True)
class Heading:
    """What stands above the data of a table.

    layout: the layout with the row where the data begin.
    names: the names of the columns.
    program: the survey program that wrote the file, if its form shows that, or "".
    hints: what stands between the names and the data, by the name of the column.
    """

    layout: Layout
    names: list[str]
    program: str = ""
    hints: dict[str, str] = field(default_factory=dict)


def guess_header(cells: Cells, count_known: CountKnown, *, holds_responses: bool) -> int:
    """Return the number of the row that seems to name the columns, counted from 1.

    This is the first row, unless a later one has more known names: then titles precede it. A row is
    not preceded by titles if one above it has as many filled cells. Then a respondent may have
    written what is also a name, so two cells of the row must be names. Only the first
    HEADER_SEARCH_ROWS rows are searched.

    count_known: returns how many of the names in a row the importer knows.
    holds_responses: raise Invalid if no row can have the names of the columns.
    """
    best_row = 1
    most_known = 0
    most_filled = 0
    rows = [row_texts(cells, number) for number in first_rows(cells)]
    for number, texts in enumerate(rows, start=1):
        known = count_known(texts)
        filled = len([text for text in texts if text])
        is_likely = filled > most_filled or known > 1
        if known > most_known and is_likely:
            best_row = number
            most_known = known
        most_filled = max(most_filled, filled)
    if holds_responses and not most_known and _has_only_data(rows):
        raise Invalid({"header": NO_NAMES_MESSAGE})
    return best_row


def _has_only_data(rows: list[list[str]]) -> bool:
    """Return whether no row can have the names of the columns.

    A row can if one of its cells is no number, and is different from the other cells of its column.
    """
    filled_rows = [row for row in rows if any(row)]
    frequency = Counter(cell for row in filled_rows for cell in enumerate(row))
    for row in filled_rows:
        for place, text in enumerate(row):
            if text and not _is_number(text) and frequency[place, text] == 1:
                return False
    return len(filled_rows) > 1


def _is_number(text: str) -> bool:
    digits = text.lstrip("+-").replace(".", "", 1).replace(",", "", 1)
    return digits.isascii() and digits.isdigit()


def first_rows(cells: Cells) -> range:
    """Return the numbers of the rows, counted from 1, in which names of columns are searched."""
    return range(1, min(len(cells), HEADER_SEARCH_ROWS) + 1)


def row_texts(cells: Cells, number: int) -> list[str]:
    """Return the texts of row `number`, counted from 1. Cells after MOST_COLUMNS are left out."""
    # The first cell of the row, and that of the next row.
    start = int(cells.first[number - 1])
    end = int(cells.first[number])
    end = min(end, start + MOST_COLUMNS)
    return [clean(text) for text in cells.texts(np.arange(start, end))]


def read_heading(cells: Cells, layout: Layout, *, holds_responses: bool) -> Heading:
    """Return the names of the columns, and where the data begin.

    Raises Invalid if there is no such row, or if it is above the names. Raises Broken if the row
    with the names is empty, or has too many cells.

    layout: its header is known, and its `first` is 0 if the sender does not state it.
    holds_responses: recognize what survey programs and R write above the data and beside them.
    """
    names = _column_names(cells, layout.header)
    if layout.first and not layout.header < layout.first <= len(cells) + 1:
        message = (
            f"The data can begin in row {layout.header + 1} at the earliest, and in row "
            f"{len(cells) + 1:,} at the latest."
        )
        raise Invalid({"first": message})

    if not holds_responses:
        return Heading(layout, names)
    for find_heading in (_qualtrics_heading, _surveymonkey_heading):
        heading = find_heading(cells, layout, names)
        if heading is not None:
            return heading
    if _has_row_names(cells, layout, names):
        names = [ROW_NAMES_COLUMN, *names]
    return Heading(layout, names, hints=_hints(cells, layout, names))


def _qualtrics_heading(cells: Cells, layout: Layout, names: list[str]) -> Heading | None:
    """Return the heading of an export of Qualtrics, or None for any other file."""
    last = min(layout.header + QUALTRICS_ROWS, len(cells))
    for number in range(layout.header + 1, last + 1):
        filled = [text for text in row_texts(cells, number) if text]
        if filled and all(text.startswith(QUALTRICS_START) for text in filled):
            layout = replace(layout, first=layout.first or number + 1)
            return Heading(layout, names, "Qualtrics", _hints(cells, layout, names))
    return None


def _surveymonkey_heading(cells: Cells, layout: Layout, names: list[str]) -> Heading | None:
    """Return the heading of an export of SurveyMonkey, or None for any other file.

    Above the columns of a question its text stands once, and each answer stands in the row below.
    """
    below = layout.header + 1
    is_elsewhere = layout.first and layout.first != below + 1
    if is_elsewhere or below > len(cells) or not names[0] or all(names):
        return None
    answers = row_texts(cells, below)
    if len(answers) != len(names) or answers[0]:
        return None

    question = ""
    full_names = []
    next_names = [*names[1:], "end"]
    for name, answer, next_name in zip(names, answers, next_names, strict=True):
        if not name and not answer:
            return None
        question = name or question
        # A question with one column is followed by another question.
        is_one_of_several = not name or not next_name
        full_names.append(f"{question}: {answer}" if is_one_of_several else question)
    return Heading(replace(layout, first=below + 1), full_names, "SurveyMonkey")


def _has_row_names(cells: Cells, layout: Layout, names: list[str]) -> bool:
    """Return whether each row has one cell more than the header, as R writes the names of rows.

    A cell more at the end, where all rows have nothing, is no name of a row. Names of rows differ.
    """
    rows = _cells_from(cells, layout.first_row)
    filled = np.flatnonzero(~rows.blank())
    if not len(filled) or (rows.width()[filled] != len(names) + 1).any():
        return False
    row_names = rows.texts(rows.first[filled])
    last_texts = rows.texts(rows.first[filled + 1] - 1)
    return all(row_names) and any(last_texts) and len(set(row_names)) == len(row_names)


def _hints(cells: Cells, layout: Layout, names: list[str]) -> dict[str, str]:
    """Return what stands between the names and the data, by the name of the column."""
    hints: dict[str, str] = {}
    last = min(layout.first_row - 1, layout.header + QUALTRICS_ROWS, len(cells))
    for number in range(layout.header + 1, last + 1):
        for name, text in zip(names, row_texts(cells, number), strict=False):
            # Identifiers of Qualtrics help nobody.
            if name and text and not text.startswith(QUALTRICS_START):
                hints.setdefault(name, text)
    return hints


def _column_names(cells: Cells, header: int) -> list[str]:
    """Return the names of the columns, which are the texts of row `header`.

    Raises Invalid if there is no such row, and Broken if it is empty or has too many cells.

    header: the number of the row, counted from 1.
    """
    if header > len(cells):
        message = f"Row {header} is not among the first {len(cells)} rows of the file."
        raise Invalid({"header": message})
    names = row_texts(cells, header)
    if not any(names):
        row_name = "The first row" if header == 1 else f"Row {header}"
        raise Broken(f"{row_name} must have the names of the columns. It is empty.", header)
    width = int(cells.first[header] - cells.first[header - 1])
    if width > MOST_COLUMNS:
        raise Broken(f"The file has {width:,} columns. At most {MOST_COLUMNS:,} are read.", header)
    return names


def cells_of_data(cells: Cells, layout: Layout) -> Cells:
    """Return the rows from the one where the data begin."""
    return _cells_from(cells, layout.first_row)


def _cells_from(cells: Cells, number: int) -> Cells:
    """Return the rows from row `number`, counted from 1."""
    # Cells are numbered across all rows, so those above may stay: no row has them any more.
    return replace(cells, first=cells.first[number - 1 :], row=cells.row + number - 1)
