"""The analysis of a report: sections of one page, each a form with its result below."""
