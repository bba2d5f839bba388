"""Two questions together, as a row of the analyses."""

from features.regression.table.counts import (
    can_cross,
    cross_tabulate,
    offered,
    parse_table_variables,
)
from features.regression.table.files import crossed_csv, crossed_svg
from features.regression.table.result import CrossTabulation
from features.regression.table.shape import CrossedResult
from surveys.results.analysis.analysis import Analysis, AnalysisRequest, Parameter


def _find(looking: AnalysisRequest, rows: str, columns: str) -> CrossTabulation:
    both = parse_table_variables(looking.seen, rows, columns)
    return cross_tabulate(
        looking.seen, *both, group=looking.group, confidence=looking.asked.confidence
    )


TABLE = Analysis(
    name="table",
    title="Two questions together",
    summary="Two questions together: shares of both answers, and whether they are associated",
    parameters=(
        Parameter(
            "rows",
            "a question, or one answer against all others, for example `tax:1`",
            "One question",
            offered,
        ),
        Parameter("columns", "another one", "The other question", offered),
    ),
    rules="Two scrambled questions need row access. At most 2,500 cells.",
    offer=can_cross,
    find=_find,
    result=CrossedResult,
    csv=crossed_csv,
    svg=crossed_svg,
    template="regression/table.html",
    page="linked",
    has_own_view=True,
)
