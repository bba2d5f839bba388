"""Counting of very many responses: Parquet files of a survey -> tallies -> estimates.

    python -m mechanisms.batches responses.parquet
    python -m mechanisms.batches "s3://bucket/site-*.parquet" --add --scheduler tcp://10.0.0.1:8786

A tally is a sum, so each file is counted by itself, in any process on any machine, and the tallies
are added in a tree. Files are read by pyarrow, remote ones through fsspec, and a cluster is one of
Dask: `pip install "candor-mechanisms[batches]"`. All are imported only where they are used. Memory
does not grow with the responses.

questions: the survey that a file describes. files: local and remote files. counting: the counts of
one file. totals: the counts of many files, from this process, several processes or a cluster.
results: the estimates, as JSON or as a table.
"""

from mechanisms.batches.counting import Counted, count
from mechanisms.batches.questions import Survey, Unusable
from mechanisms.batches.results import as_json, as_table
from mechanisms.batches.totals import count_here, count_on_cluster

__all__ = [
    "Counted",
    "Survey",
    "Unusable",
    "as_json",
    "as_table",
    "count",
    "count_here",
    "count_on_cluster",
]
