"""The sections of the page, in their order."""

from surveys.web.workspace.analysis import groups as compare
from surveys.web.workspace.analysis import model, table
from surveys.web.workspace.analysis import weighting as weighted

SECTIONS = (model.SECTION, table.SECTION, compare.SECTION, weighted.SECTION)
