"""Responses from files: answers that were randomized elsewhere, on paper, by telephone or with another tool.

mapping: which column holds which question, and what the cells mean. text: bytes -> cells. reading: cells -> records.
staging: parts of a file -> batches, all or nothing.
"""
