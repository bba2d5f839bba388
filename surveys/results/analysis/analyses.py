"""The analyses there are, in their order on the page. Page, API, files and documentation are made of this table."""

from features.regression.model.row import MODEL
from features.regression.table.row import TABLE
from surveys import extensions
from surveys.results.analysis.analysis import Analysis
from surveys.results.analysis.groups.row import COMPARE

CORE = (MODEL, TABLE, COMPARE)


def analyses() -> tuple[Analysis, ...]:
    """Those of the core, then those of the features. Not to be asked before all apps are ready."""
    return (*CORE, *extensions.analyses)
