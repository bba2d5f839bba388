"""A file that is small, and large once it is read, takes little memory from the worker that somebody sent it to.

Each file is made by the test that reads it; the peak is that of a process of its own.
"""

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.whole_site.file_memory import measure_reading

MOST = 150  # megabytes


def saved(**columns: tuple[str, int]) -> bytes:
    """Return a Parquet file of a few kilobytes whose columns repeat one text each."""
    file = io.BytesIO()
    labels = {
        name: pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), [text])
        for name, (text, rows) in columns.items()
    }
    pq.write_table(pa.table(labels), file)
    return file.getvalue()


def answers(rows: int, region: str = "North", age: str = "30") -> bytes:
    return saved(tax=("Yes", rows), fruit=("010", rows), region=(region, rows), age=(age, rows))


def counted(rows: int) -> bytes:
    """Return a Parquet file with a column of different numbers, which keeps only the steps between them."""
    ages = pa.array(np.arange(rows))
    labels = {
        name: pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), ["0"])
        for name in ("fruit", "region")
    }
    file = io.BytesIO()
    table = pa.table({"tax": ages, **labels, "age": labels["region"]})
    pq.write_table(
        table,
        file,
        use_dictionary=["fruit", "region", "age"],
        column_encoding={"tax": "DELTA_BINARY_PACKED"},
    )
    return file.getvalue()


def wide_form(rows: int) -> bytes:
    headings = ",".join(f"c{number}" for number in range(190))
    cells = ",".join(["xy"] * 190)
    return f"survey,type,name,label,{headings}\n".encode() + f",note,a,b,{cells}\n".encode() * rows


PEOPLE = {
    "labels in Parquet": (
        lambda: saved(label=("Anna", 8_000_000)),
        "more than 20,020 rows. Add at most 10,000 people",
    ),
    "rows": (lambda: b"a\n" * 1_400_000, "more than 20,020 rows. Add at most 10,000 people"),
    "cells": (
        lambda: b"a," * 1_400_000,
        "more than 500,000 cells. Keep only the columns with labels",
    ),
    "addresses on a line": (lambda: b"a@b.co;" * 400_000, "Add at most 10,000 people at once"),
    "lines with addresses": (lambda: b"\n" * 2_900_000 + b"a@b.co c@d.co", "more than 20,020 rows"),
}
CHOICES = {
    "cells": (
        lambda: b"ab," * 5000 + b"\n" + (b"ab," * 3000 + b"\n") * 200,
        "more than 500,000 cells. Remove",
    ),
    "rows": (lambda: b"a\n" * 900_000, "more than 100,000 rows. Split"),
}
ANSWERS = {
    "rows": (lambda: saved(tax=("Yes", 8_000_000)), "more than 1,000,020 rows. Split the file"),
    "cells": (lambda: answers(600_000), "cells. Save it as CSV in UTF-8"),
    "text": (lambda: answers(200_000, "North" * 40), "bytes of text. Save it as CSV in UTF-8"),
    "a million rows": (
        lambda: saved(tax=("Yes", 1_000_000), fruit=("010", 1_000_000)),
        "None is named “region”",
    ),
    "numbers": (lambda: counted(490_000), "different numbers"),
    "all the cells": (lambda: answers(490_000), "490,000 rows"),
    "all the text": (lambda: answers(490_000, "North", " 30" + " " * 14), "490,000 rows"),
}


def assert_takes_little(kind: str, data: bytes, words: str, folder: Path) -> None:
    grown, message = measure_reading(kind, data, folder)
    assert words in message
    assert grown < MOST, grown


@pytest.mark.parametrize("name", PEOPLE)
def test_a_list_of_people_is_counted_before_it_takes_memory(name: str, tmp_path: Path) -> None:
    make, words = PEOPLE[name]
    assert_takes_little("people", make(), words, tmp_path)


@pytest.mark.parametrize("name", ANSWERS)
def test_a_small_file_of_answers_takes_little_memory(name: str, tmp_path: Path) -> None:
    make, words = ANSWERS[name]
    data = make()
    assert len(data) < 50_000
    assert_takes_little("answers", data, words, tmp_path)


@pytest.mark.parametrize("name", CHOICES)
def test_a_list_of_choices_is_counted_before_it_takes_memory(name: str, tmp_path: Path) -> None:
    make, words = CHOICES[name]
    assert_takes_little("choices", make(), words, tmp_path)


@pytest.mark.parametrize("line", [b"\n", b"\x0b"])
def test_lines_of_choices_are_counted_before_they_take_memory(line: bytes, tmp_path: Path) -> None:
    assert_takes_little("lines", line * 1_800_000, "more than 100,000 rows. Split", tmp_path)


def test_a_form_is_counted_before_it_takes_memory(tmp_path: Path) -> None:
    assert_takes_little("form", wide_form(3000), "more than 300,000 filled cells. Remove", tmp_path)


@pytest.mark.parametrize(
    ("kind", "make", "words"),
    [
        (
            "people",
            lambda: b"label,email\n" + b"".join(b"Ada,a%d@b.co\n" % each for each in range(10_000)),
            "Ada",
        ),
        (
            "lines",
            lambda: "".join(f"Village {number}\n" for number in range(20_000)).encode(),
            "Village 1",
        ),
    ],
)
def test_the_largest_lists_are_read_and_take_little(
    kind: str, make: Callable[[], bytes], words: str, tmp_path: Path
) -> None:
    assert_takes_little(kind, make(), words, tmp_path)
