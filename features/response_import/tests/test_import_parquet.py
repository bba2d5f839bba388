"""Parquet files of answers: what an export and other programs write, what is no table, and what means harm."""

import io
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from features.response_import.tests.import_files import added_up, part
from surveys.site.files import parquet
from surveys.site.files.delimited import Broken


def saved(**columns: object) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def good() -> bytes:
    return saved(
        tax=["Yes", "No", None],
        fruit=["010", "111", "000"],
        region=["North", "South", None],
        age=[30.0, None, 99.0],
    )


def damaged() -> bytes:
    data = good()
    return data[:100] + bytes(len(data) - 104) + b"PAR1"


def test_what_other_programs_write_is_read_and_null_is_no_report() -> None:
    found = part(good(), {"questions": {"age": {"as": "labels"}}}, nonresponse=True)
    assert (found.n, found.problems, found.missing) == (3, [], {"tax": 1, "region": 1, "age": 1})
    assert added_up(found, nonresponse=True)["counts"]["fruit"] == [1, 2, 1]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: good()[:-1], "it can’t be read to the end"),
        (damaged, "This is a Parquet file, but it can’t be read to the end"),
        (lambda: saved(tax=[b"x"]), "The column “tax” holds neither numbers nor texts"),
        (
            lambda: saved(tax=pa.array([b"x"], pa.large_binary())),
            "The column “tax” holds neither numbers nor texts",
        ),
        (lambda: saved(tax=[[1]]), "The column “tax” holds neither numbers nor texts"),
        (
            lambda: saved(fruit=pa.array([b"\1"], pa.binary(1))),
            "This is a Parquet file, but it can’t be read to the end",
        ),
        (
            lambda: saved(tax=pa.array(np.zeros(1_100_000, np.uint8))),
            "more than 1,000,020 rows. Split the file",
        ),
        (
            lambda: saved(tax=pa.array(["x" * 900]).take(np.zeros(900_000, np.int64))),
            "takes too much memory or time",
        ),
    ],
)
def test_what_cannot_be_read_says_why(make: Callable[[], bytes], words: str) -> None:
    """The files are made by the test that reads them: each worker collects this module, and some are large."""
    data = make()
    assert len(data) < parquet.LIMITS.size
    with pytest.raises(Broken, match=words):
        part(data)


def test_a_text_that_is_said_to_be_parquet_is_none() -> None:
    with pytest.raises(Broken, match="This file is not in the format “Parquet”"):
        part(b"tax\n1\n", {"encoding": "parquet"})
