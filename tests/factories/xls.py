"""Workbooks in the format before .xlsx: BIFF8 in an OLE2 compound document, with texts only."""

import struct

SECTOR = 512
# Streams that are shorter than this would have to be stored in another way.
SHORTEST_STREAM = 4096
# Entries of the table of sectors: a free one, the last one of a chain, and the table itself.
NONE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD

# Kinds of BIFF records.
BOF = 0x809
EOF = 0x0A
BOUNDSHEET = 0x85
LABEL = 0x204
# The kinds of substreams that a BOF record begins.
GLOBALS = 5
WORKSHEET = 0x10


def build_xls(sheets: dict[str, list[list]], behind: bytes = b"") -> bytes:
    """Return a workbook with these sheets, as rows of cells by name. None is an empty cell.

    behind: bytes at the end of the file, such as an embedded workbook in the new format.
    """
    book = _workbook_stream(sheets)
    sectors = -(-len(book) // SECTOR)
    book = book.ljust(max(SHORTEST_STREAM, sectors * SECTOR), b"\0")
    length = len(book) // SECTOR

    # The first sector is the table, the second one the directory, the rest the workbook.
    entries = [FAT, END, *range(3, length + 2), END]
    free_entries = [NONE] * (SECTOR // 4 - len(entries))
    table = struct.pack(f"<{SECTOR // 4}I", *entries, *free_entries)
    root_entry = _directory_entry("Root Entry", kind=5, child=1, start=END, size=0)
    book_entry = _directory_entry("Workbook", kind=2, child=NONE, start=2, size=len(book))
    free_entry = _directory_entry("", kind=0, child=NONE, start=0, size=0)
    directory = root_entry + book_entry + free_entry * 2
    return _file_header() + table + directory + book + behind


def _file_header() -> bytes:
    """Return the first 512 bytes of the file, which say where its parts are."""
    signature = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    versions = [0x3E, 3, 0xFFFE, 9, 6]
    # One sector of the table, the directory in sector 1, and no other tables.
    locations = [1, 1, 0, SHORTEST_STREAM, END, 0, END, 0, 0]
    sectors_of_table = [NONE] * 108
    header = signature + b"\0" * 16
    header += struct.pack("<5H", *versions) + b"\0" * 10
    header += struct.pack("<9I", *locations)
    header += struct.pack("<108I", *sectors_of_table)
    return header


def _directory_entry(name: str, *, kind: int, child: int, start: int, size: int) -> bytes:
    """Return an entry of the directory; `start` is the number of its first sector."""
    text = name.encode("utf-16-le") + b"\0\0" if name else b""
    links = [NONE, NONE, child]
    location = [start, size, 0]
    entry = text.ljust(64, b"\0") + struct.pack("<H", len(text))
    entry += struct.pack("<BB", kind, 1)
    entry += struct.pack("<3I", *links) + b"\0" * 36
    entry += struct.pack("<3I", *location)
    return entry


def _record(kind: int, data: bytes) -> bytes:
    """Return a BIFF record: its kind, its length and its data."""
    return struct.pack("<HH", kind, len(data)) + data


def _text(text: str, length: str = "<H") -> bytes:
    """Return a text after its length; `length` is the format of the length for struct.pack()."""
    return struct.pack(length, len(text)) + b"\1" + text.encode("utf-16-le")


def _bof(substream: int) -> bytes:
    """Return the record that begins a substream."""
    fields = [0x600, substream, 0, 0]
    return _record(BOF, struct.pack("<4HII", *fields, 0, 6))


def _workbook_stream(sheets: dict[str, list[list]]) -> bytes:
    """Return the stream of the workbook: the list of its sheets, then the sheets."""
    opening = _bof(GLOBALS)
    closing = _record(EOF, b"")
    names = [_text(name, "<B") for name in sheets]
    contents = [_sheet(rows) for rows in sheets.values()]

    # The list names the position of each sheet. It has 10 more bytes for a sheet than the name.
    list_length = sum(10 + len(name) for name in names)
    position = len(opening) + list_length + len(closing)
    sheet_list = b""
    for name, content in zip(names, contents, strict=True):
        sheet_list += _record(BOUNDSHEET, struct.pack("<IBB", position, 0, 0) + name)
        position += len(content)
    return opening + sheet_list + closing + b"".join(contents)


def _sheet(rows: list[list]) -> bytes:
    """Return the stream of a sheet, with a record for each cell that is not empty."""
    sheet = _bof(WORKSHEET)
    for row_index, cells in enumerate(rows):
        for column_index, cell in enumerate(cells):
            if cell is not None:
                position = struct.pack("<HHH", row_index, column_index, 0)
                sheet += _record(LABEL, position + _text(str(cell)))
    return sheet + _record(EOF, b"")
