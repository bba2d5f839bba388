"""The analyses there are, in their order on the page. Page, API, files and documentation are made of this table."""

from features.regression.model.row import MODEL
from features.regression.table.row import TABLE
from features.weighting.row import WEIGHTED
from surveys.results.analysis.groups.row import COMPARE

ANALYSES = (MODEL, TABLE, COMPARE, WEIGHTED)
