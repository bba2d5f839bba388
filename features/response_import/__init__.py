"""Responses from files: answers that were randomized elsewhere, on paper, by telephone or with another tool.

surveys.site.files.table: bytes of a file, whatever wrote it -> rows of cells. mapping: which column holds which
question, and what the cells mean; mapping_parser and guess make one, coding says from where codes count. reader: cells
-> records; columns does one question, messages says what is wrong. staging: parts of a file -> batches, all or nothing;
summary: what these would add.
"""
