"""Responses from files: answers that were randomized elsewhere, on paper, by telephone or with another tool.

table: bytes of a file, whatever wrote it -> rows of cells; encodings, text and workbooks do parts of that. mapping:
which column holds which question, and what the cells mean; parsing and guessing make one, coding says from where codes
count. reading: cells -> records; columns does one question, problems says what is wrong. staging: parts of a file ->
batches, all or nothing.
"""
