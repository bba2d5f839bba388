"""Analyses: responses as cells, comparisons and models of them, in words, tables and figures."""
