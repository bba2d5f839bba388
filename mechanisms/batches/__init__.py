"""Counting very many responses: Parquet files as a survey exports them -> tallies, which add up -> estimates.

    python -m mechanisms.batches responses.parquet
    python -m mechanisms.batches "s3://bucket/site-*.parquet" --add --scheduler tcp://10.0.0.1:8786

A tally is a sum, so each file is counted by itself, in any process on any machine, and the tallies are added in a tree.
Files are read by pyarrow, from far away through fsspec, and a cluster is one of Dask: `pip install
"candor-mechanisms[batches]"`. All are imported only where they are used. Memory does not grow with the responses.

questions: what a file says of its survey. places: where it lies. counting: a file -> what it adds up to. adding: here,
in several processes or on a cluster. telling: the estimates, as a table or as JSON.
"""

from mechanisms.batches.adding import count_here, count_on_cluster
from mechanisms.batches.counting import Counted, count
from mechanisms.batches.questions import Survey, Unusable
from mechanisms.batches.telling import as_json, as_table

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
