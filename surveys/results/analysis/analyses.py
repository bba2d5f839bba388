"""The analyses there are, in their order on the page. Page, API, files and documentation are made of this table."""

from surveys.results.analysis.groups.row import COMPARE
from surveys.results.analysis.model.row import MODEL
from surveys.results.analysis.table.row import TABLE
from surveys.results.analysis.weighting.row import WEIGHTED

ANALYSES = (MODEL, TABLE, COMPARE, WEIGHTED)
