"""Workbooks in the format before .xlsx: BIFF8 in an OLE2 compound document, with texts only.

A compound document is a small file system. It is divided into sectors of 512 bytes, and a file in it,
here the workbook, is a chain of sectors. The first bytes are a header, which is not counted as a
sector. The documents [MS-CFB] and [MS-XLS] of Microsoft describe both formats.
"""

import math
import struct

# Bytes of a sector.
SECTOR = 512
# Entries of four bytes in a sector of the table of sectors.
ENTRIES_OF_TABLE = SECTOR // 4
# Streams that are shorter than this would have to be stored in another way.
SHORTEST_STREAM = 4096
# Entries of the table of sectors: a free one, the last one of a chain, and the table itself. The entry
# of any other sector is the number of the next sector in its chain.
NONE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD

# Kinds of BIFF records: the beginning and the end of a substream, a sheet in the list of sheets, and a
# cell with a text.
BOF = 0x809
EOF = 0x0A
BOUNDSHEET = 0x85
LABEL = 0x204
# The kinds of substreams that a BOF record begins: the list of the sheets, and a sheet.
GLOBALS = 5
WORKSHEET = 0x10


def build_xls(sheets: dict[str, list[list]], behind: bytes = b"") -> bytes:
    """Return a workbook with these sheets, as rows of cells by name. None is an empty cell.

    The workbook can have 126 sectors, since it has only one table of sectors.

    behind: bytes at the end of the file, such as an embedded workbook in the new format.
    """
    book = _workbook_stream(sheets)
    # Zero bytes fill up the last sector.
    sectors = math.ceil(len(book) / SECTOR)
    book = book.ljust(max(SHORTEST_STREAM, sectors * SECTOR), b"\0")
    length = len(book) // SECTOR

    # Sector 0 is the table, sector 1 the directory, and the workbook begins with sector 2. The
    # directory is a chain of one sector, and each sector of the workbook leads to the next one.
    entries = [FAT, END, *range(3, length + 2), END]
    free_entries = [NONE] * (ENTRIES_OF_TABLE - len(entries))
    table = struct.pack(f"<{ENTRIES_OF_TABLE}I", *entries, *free_entries)

    # The kind of an entry is 5 for the root, 2 for a file, and 0 for a free entry. A sector of the
    # directory has four entries.
    root_entry = _directory_entry("Root Entry", kind=5, child=1, start=END, size=0)
    book_entry = _directory_entry("Workbook", kind=2, child=NONE, start=2, size=len(book))
    free_entry = _directory_entry("", kind=0, child=NONE, start=0, size=0)
    directory = root_entry + book_entry + free_entry * 2
    return _file_header() + table + directory + book + behind


def _file_header() -> bytes:
    """Return the first 512 bytes of the file, which say where its parts are."""
    signature = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    # The minor and the major version, the mark of little-endian numbers, and the sizes of a sector
    # and of a short sector as powers of 2: 512 and 64 bytes.
    versions = [0x3E, 3, 0xFFFE, 9, 6]
    # One sector of the table, the directory in sector 1, and no other tables: END is an empty chain.
    locations = [1, 1, 0, SHORTEST_STREAM, END, 0, END, 0, 0]
    # Where further sectors of the table are. The first one is among the locations: the last 0.
    sectors_of_table = [NONE] * 108
    header = signature + b"\0" * 16
    header += struct.pack("<5H", *versions) + b"\0" * 10
    header += struct.pack("<9I", *locations)
    header += struct.pack("<108I", *sectors_of_table)
    return header


def _directory_entry(name: str, *, kind: int, child: int, start: int, size: int) -> bytes:
    """Return an entry of the directory, which has 128 bytes.

    kind: 5 for the root, 2 for a file, and 0 for a free entry.
    child: the number of the entry of the first file in the root; NONE for other entries.
    start: the number of its first sector.
    size: its length in bytes.
    """
    text = name.encode("utf-16-le") + b"\0\0" if name else b""
    # Files are sorted in a tree. A single file has nothing on its left and on its right.
    links = [NONE, NONE, child]
    # The last number is the upper half of the size.
    location = [start, size, 0]
    entry = text.ljust(64, b"\0") + struct.pack("<H", len(text))
    # 1 is black, a colour by which programs balance the tree.
    entry += struct.pack("<BB", kind, 1)
    # The 36 bytes are the id of a class, flags and times, which are all empty.
    entry += struct.pack("<3I", *links) + b"\0" * 36
    entry += struct.pack("<3I", *location)
    return entry


def _record(kind: int, data: bytes) -> bytes:
    """Return a BIFF record: its kind, its length and its data."""
    return struct.pack("<HH", kind, len(data)) + data


def _text(text: str, length: str = "<H") -> bytes:
    """Return a text after its length; `length` is the format of the length for struct.pack()."""
    # The byte 1 says that each character has two bytes.
    return struct.pack(length, len(text)) + b"\1" + text.encode("utf-16-le")


def _bof(substream: int) -> bytes:
    """Return the record that begins a substream, which is GLOBALS or WORKSHEET."""
    # The version of BIFF8, the substream, and the build and the year of a program, left empty. Then
    # come flags, and the oldest version that can read the file.
    fields = [0x600, substream, 0, 0]
    return _record(BOF, struct.pack("<4HII", *fields, 0, 6))


def _workbook_stream(sheets: dict[str, list[list]]) -> bytes:
    """Return the stream of the workbook: the list of its sheets, then the sheets."""
    opening = _bof(GLOBALS)
    closing = _record(EOF, b"")
    names = [_text(name, "<B") for name in sheets]
    contents = [_sheet(rows) for rows in sheets.values()]

    # The list says where each sheet begins. So its length must be known before it is written: each
    # entry has the name, and 10 bytes before it. These are 4 bytes that begin every record, 4 for
    # the position, 1 for the visibility (0: visible) and 1 for the type (0: a worksheet).
    list_length = sum(10 + len(name) for name in names)
    position = len(opening) + list_length + len(closing)
    sheet_list = b""
    for name, content in zip(names, contents, strict=True):
        visibility = 0
        sheet_type = 0
        description = struct.pack("<IBB", position, visibility, sheet_type)
        sheet_list += _record(BOUNDSHEET, description + name)
        position += len(content)
    return opening + sheet_list + closing + b"".join(contents)


def _sheet(rows: list[list]) -> bytes:
    """Return the stream of a sheet, with a record for each cell that is not empty."""
    sheet = _bof(WORKSHEET)
    for row_index, cells in enumerate(rows):
        for column_index, cell in enumerate(cells):
            if cell is not None:
                # The number of a cell's format comes behind its position.
                cell_format = 0
                position = struct.pack("<HHH", row_index, column_index, cell_format)
                sheet += _record(LABEL, position + _text(str(cell)))
    return sheet + _record(EOF, b"")
