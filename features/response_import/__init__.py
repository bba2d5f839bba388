"""Responses from files: answers that were randomized elsewhere, on paper or with another tool.

The package surveys.site.files turns the bytes of a file into rows of cells. A mapping says which
column has which question, and what the cells mean; mapping_parser and guess make one, and coding
says from where codes count. The reader turns cells into records: columns does one question, and
messages says what is wrong. Staging turns parts of a file into batches, all or nothing, and
summary says what these would add.
"""
