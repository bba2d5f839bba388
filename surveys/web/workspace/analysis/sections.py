"""The sections of the page, in their order."""

from surveys.workspace.analysis import compare, model, table, weighted

SECTIONS = (model.SECTION, table.SECTION, compare.SECTION, weighted.SECTION)
