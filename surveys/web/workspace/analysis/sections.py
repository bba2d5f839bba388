"""The sections of the page, in their order."""

from surveys.web.workspace.analysis import groups, model, table, weighting

SECTIONS = (model.SECTION, table.SECTION, groups.SECTION, weighting.SECTION)
