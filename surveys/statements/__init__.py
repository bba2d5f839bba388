"""Statements: what is said about a number, how it is rounded, and whether it is said at all.

Pages, the API, files, figures, planning and simulation ask the objects of this package and read
their fields by name. This package knows questions and number formats, but no report and no page.
"""
