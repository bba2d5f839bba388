"""CSV as spreadsheets, statistics programs and people write it, cut anywhere."""

import csv
import io

import pytest
from hypothesis import given, settings, strategies as st

from surveys.site.files.delimited import LONGEST_ROW, Broken, clean, split

CELL = st.text(st.sampled_from('ab1",;\n\t é'), max_size=6)
TABLE = st.lists(st.lists(CELL, min_size=1, max_size=4), min_size=1, max_size=6)


def rows(data: bytes, separator: str = ",", cuts: tuple[int, ...] = ()) -> list[list[str]]:
    """All rows, from parts that end at the cuts."""
    found, rest, number = [], b"", 1
    for start, end in zip((0, *cuts), (*cuts, len(data)), strict=True):
        cells, rest = split(rest + data[start:end], separator, number, last=end == len(data))
        texts = [clean(text) for text in cells.texts(slice(None))] if len(cells) else []
        found += [
            texts[first:last] for first, last in zip(cells.first[:-1], cells.first[1:], strict=True)
        ]
        number += len(cells)
    assert rest == b""
    return found


@given(
    TABLE, st.sampled_from(",;\t"), st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]), st.data()
)
@settings(max_examples=300, deadline=None)
def test_what_a_spreadsheet_writes_is_read_wherever_it_is_cut(
    table, separator, quoting, data
) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter=separator, quoting=quoting).writerows(table)
    content = out.getvalue().encode()
    cuts = tuple(sorted(data.draw(st.lists(st.integers(0, len(content)), max_size=3))))
    assert rows(content, separator, cuts) == [[cell.strip() for cell in row] for row in table]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"a,b\n1,2", [["a", "b"], ["1", "2"]]),
        (b"a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
        (b'"a ""x""",b\n', [['a "x"', "b"]]),
        (b'"a\r\nb",c\r\n1,2\r\n', [["a\nb", "c"], ["1", "2"]]),
        (b"a\n\n1\n", [["a"], [""], ["1"]]),
        (b'"",\n', [["", ""]]),
        (b"", []),
    ],
)
def test_rows(content: bytes, expected: list[list[str]]) -> None:
    assert rows(content) == expected


@pytest.mark.parametrize(
    ("content", "row", "words"),
    [
        (b"a\nb\nc\xe9d\nx\n", 3, "not text in UTF-8"),
        ("a\nb\nc\n".encode("utf-16-le"), 1, "NUL"),
        (b"a\n1\x002\n", 2, "NUL"),
        (b'a,b\n1,2\n3,x"y"\n', 3, "middle of a cell"),
        (b'a,b\n"1"2,3\n', 2, "middle of a cell"),
        (b'a"b",c\n1,2\n', 1, "middle of a cell"),
        (b'"a"b,c\n1,2\n', 1, "middle of a cell"),
        (b'a,b"c"', 1, "middle of a cell"),
        (b'a,b\n1,2\n3,"4\n5,6\n', 3, "none closes it"),
        (b'a\n"' + b"x" * LONGEST_ROW, 2, "longer than a megabyte"),
        (b"a\n" + b"x" * 10_000_000, 2, "longer than a megabyte"),
    ],
)
def test_what_is_no_csv_is_named_by_its_row(content: bytes, row: int, words: str) -> None:
    last = not words.startswith("longer")
    with pytest.raises(Broken, match=words) as raised:
        split(content, ",", 1, last=last)
    assert raised.value.row == row


def test_a_letter_cut_in_two_is_read_when_its_second_half_comes() -> None:
    content = "a\né\nb".encode()
    for cut in range(len(content)):
        assert rows(content, cuts=(cut,)) == [["a"], ["é"], ["b"]]
