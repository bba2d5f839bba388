"""What leaves a table of two questions: a line for each cell, and a drawing."""

from features.regression.table.result import CrossTabulation
from surveys.results.analysis.drawing import analysis_svg
from surveys.site.files.lines import write_csv

CROSSED_COLUMNS = (
    "rows",
    "columns",
    "row",
    "column",
    "n",
    "share",
    "standard_error",
    "low",
    "high",
    "constrained",
    "of_row",
    "of_row_low",
    "of_row_high",
    "of_column",
    "of_column_low",
    "of_column_high",
    "confidence",
    "group",
    "of_row_reason",
    "of_column_reason",
)


def crossed_csv(crossed: CrossTabulation, about: str) -> str:
    """Return a table of two questions as CSV, with a row for each cell. Shares are fractions.

    about: the people it is about.
    """
    rows = []
    for u in range(len(crossed.rows)):
        for v in range(len(crossed.columns)):
            rows.append(_csv_row(crossed, u, v, about))
    return write_csv(CROSSED_COLUMNS, rows)


def _csv_row(crossed: CrossTabulation, u: int, v: int, about: str) -> dict[str, object]:
    """Return the cell of the answers u and v."""
    table = crossed.table
    low, high = table.intervals[u, v]
    of_row = crossed.results_of_rows[u][v]
    of_row_low, of_row_high = of_row.interval or (None, None)
    of_column = crossed.results_of_columns[u][v]
    of_column_low, of_column_high = of_column.interval or (None, None)
    return {
        "rows": crossed.first.name,
        "columns": crossed.second.name,
        "row": crossed.rows[u],
        "column": crossed.columns[v],
        "n": crossed.n,
        "share": float(table.shares[u, v]),
        "standard_error": float(table.standard_errors[u, v]),
        "low": float(low),
        "high": float(high),
        "constrained": float(table.constrained[u, v]),
        "of_row": of_row.share,
        "of_row_low": of_row_low,
        "of_row_high": of_row_high,
        "of_column": of_column.share,
        "of_column_low": of_column_low,
        "of_column_high": of_column_high,
        "confidence": crossed.confidence,
        "group": about,
        "of_row_reason": of_row.reason,
        "of_column_reason": of_column.reason,
    }


def crossed_svg(crossed: CrossTabulation, about: str = "") -> str:
    """An SVG file of the shares of the second question among those with each answer of the first."""
    items = [part.item for part in (crossed.first, crossed.second)]
    sentences = [*crossed.sentences, crossed.in_figure]
    return analysis_svg(
        [crossed.figure],
        question=crossed.second.item.full_text,
        headline=crossed.headline,
        sentences=sentences,
        items=items,
        n=crossed.n,
        about=about,
    )
