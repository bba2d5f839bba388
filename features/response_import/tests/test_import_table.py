"""A file as a table, whatever wrote it: its encoding, its separator, titles above it, and where it must ask."""

import pytest
from hypothesis import given, settings, strategies as st

from features.response_import.limits import table_limits
from surveys.site.errors import Invalid
from surveys.site.files.delimited import Broken, Cells, clean
from surveys.site.files.encodings import normalize_encoding
from surveys.site.files.layout import Layout
from surveys.site.files.table import Table, read_first_part, read_next_part

ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "windows-1252")
ROWS = [["id", "größe", "tax"], ["1", "1,5", "Ja"], ["2", "€", "Nein"], ["3", "é", ""]]


def knows(names: list[str]) -> bool:
    return "tax" in names


def read(
    data: bytes, cuts: tuple[int, ...] = (), **wanted: object
) -> tuple[Table, list[list[str]]]:
    """A whole file in parts that end at the cuts: its start, and all rows below the names."""
    parts = [data[start:end] for start, end in zip((0, *cuts), (*cuts, len(data)), strict=True)]
    table = read_first_part(
        parts[0], Layout(**wanted), knows, table_limits(data), last=len(parts) == 1
    )
    found, rest, number = texts(table.cells), table.rest, table.layout.header + len(table.cells) + 1
    for place, part in enumerate(parts[1:], 2):
        cells, rest = read_next_part(table.layout, rest + part, number, last=place == len(parts))
        found, number = found + texts(cells), number + len(cells)
    assert rest == b""
    return table, found


def texts(cells: Cells) -> list[list[str]]:
    return [
        [clean(text) for text in cells.texts(slice(first, last))]
        for first, last in zip(cells.first[:-1].tolist(), cells.first[1:].tolist(), strict=True)
    ]


def lines(separator: str = ";", rows: list[list[str]] = ROWS) -> str:
    return "".join(f"{separator.join(row)}\r\n" for row in rows)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_encoding_is_seen_and_every_letter_is_read(encoding: str) -> None:
    table, rows = read(lines().encode(encoding))
    assert [table.names, *rows] == ROWS
    expected = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le"}.get(encoding, encoding)
    assert table.layout == Layout(expected, ";", 1)


@given(st.sampled_from(ENCODINGS), st.data())
@settings(max_examples=150, deadline=None)
def test_wherever_it_is_cut_it_is_the_same(encoding: str, data: st.DataObject) -> None:
    content = lines().encode(encoding)
    head = len(
        lines(rows=ROWS[:2]).encode(encoding)
    )  # what is not plain ASCII shows which encoding it is
    cuts = tuple(sorted(data.draw(st.lists(st.integers(head, len(content)), max_size=3))))
    table, rows = read(content, cuts)
    assert [table.names, *rows] == ROWS


@pytest.mark.parametrize(
    "encoding",
    ["windows-1250", "windows-1251", "windows-1256", "UTF8", "Latin-1", "cp1252", "utf_16"],
)
def test_an_encoding_can_be_said(encoding: str) -> None:
    word = {"windows-1251": "Да", "windows-1256": "نعم", "windows-1250": "Łódź"}.get(encoding, "é")
    table, rows = read(f"tax,x\n{word},1\n".encode(encoding), encoding=normalize_encoding(encoding))
    assert rows == [[word, "1"]]
    assert table.layout.encoding != "utf-16"


@pytest.mark.parametrize(
    ("data", "encoding", "row", "words"),
    [
        (b"tax,b\n1,2\n3,\x81\n", "windows-1252", 3, "This row is not text in Windows-1252"),
        (
            b"tax,b\n1,2\n3,\xe9\n",
            "utf-8",
            3,
            "This row is not text in UTF-8. Save the file in UTF-8, or",
        ),
        (
            "tax\n\ud800\n".encode("utf-16-le", "surrogatepass"),
            "utf-16-le",
            2,
            "This row is not text in UTF-16",
        ),
        (b"tax,b\n1,\x002\n", "windows-1252", 2, "NUL"),
    ],
)
def test_what_is_not_in_the_encoding_is_named_by_its_row(
    data: bytes, encoding: str, row: int, words: str
) -> None:
    with pytest.raises(Broken, match=words) as raised:
        read(data, encoding=encoding)
    assert raised.value.row == row


def test_a_later_part_in_another_encoding_is_named_by_its_row() -> None:
    data = b"tax\n" + b"1\n" * 1000
    with pytest.raises(Broken, match="choose its encoding") as raised:
        read(data + b"\xe9\n", (len(data),))
    assert raised.value.row == 1002


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_seen_in_the_first_rows(separator: str) -> None:
    rows = [["tax", "b", "c"], ["1", "2", "3"], ["4", "5", "6"]]
    table, found = read(lines(separator, rows).encode())
    assert (table.layout.separator, [table.names, *found]) == (separator, rows)


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("a;tax\n1,5;2,5\n2,0;1,0\n", ";"),  # decimal commas
        ('"a;b;c",d\n"1;2;3",4\n', ","),
        ("Survey of drivers, 2024\n\nid;tax\n1;0\n2;1\n", ";"),
        ("a;b\n,,,,\n", ";"),
        ("tax;b,c\n1;2,3\n", ";"),  # both cut evenly, but one gives a name that is looked for
        ("tax\n1\n0\n", ","),
        ("a;b;c\n1\n2\n", ";"),
    ],
)
def test_commas_and_semicolons_are_told_apart(text: str, separator: str) -> None:
    assert read(text.encode())[0].layout.separator == separator


def test_where_two_separators_are_possible_it_asks() -> None:
    with pytest.raises(Invalid) as raised:
        read(b"a,b;c,d\n1,2;3,4\n")
    assert raised.value.errors == {
        "separator": "The cells could be separated by comma and semicolon. Choose one."
    }
    assert read(b"a,b;c,d\n1,2;3,4\n", separator=";")[1] == [["1,2", "3,4"]]


@pytest.mark.parametrize("line", ["sep=;\r\n", "SEP=;\n", '"sep=;"\n'])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_line_that_says_the_separator_is_no_row(line: str, encoding: str) -> None:
    table, rows = read((line + "tax;a,b\n1;2,5\n").encode(encoding))
    assert (table.names, rows) == (["tax", "a,b"], [["1", "2,5"]])
    assert (table.layout.header, table.cells.row) == (
        1,
        2,
    )  # as spreadsheets count, which hide that line


@pytest.mark.parametrize("title", ["Tax survey 2024\n", "Tax survey 2024;;\n;;\n", "A\nB\nC;;\n"])
def test_titles_above_the_names_are_left_out_and_counted(title: str) -> None:
    table, rows = read((title + "id;tax;x\n1;0;2\n").encode())
    assert (table.names, rows) == (["id", "tax", "x"], [["1", "0", "2"]])
    assert table.layout.header == title.count("\n") + 1


def test_which_row_has_the_names_can_be_said() -> None:
    text = b"Title\na;b\n1;2\n"
    assert read(text, header=2)[0].names == ["a", "b"]
    assert read(text)[0].layout.header == 1  # nothing tells, so it is the first one
    with pytest.raises(Invalid) as raised:
        read(text, header=9)
    assert list(raised.value.errors) == ["header"]
    with pytest.raises(Broken, match="Row 2 must have the names") as broken:
        read(b"a;b\n;\n1;2\n", header=2)
    assert broken.value.row == 2
