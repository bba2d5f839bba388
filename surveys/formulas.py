"""Texts that a spreadsheet would calculate; every file of ours puts an apostrophe before them."""

FORMULA = tuple("=+-@\t\r\n＝＋－＠")  # what such a text starts with
