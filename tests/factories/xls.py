"""Workbooks as spreadsheet programs wrote them before .xlsx: BIFF8 in an OLE2 compound document, texts only."""

import struct

SECTOR = 512
NONE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def build_xls(sheets: dict[str, list[list]], behind: bytes = b"") -> bytes:
    """behind: bytes that the file carries as well, such as an embedded workbook of the new kind."""
    book = _book(sheets)
    book += b"\0" * (
        max(4096, -(-len(book) // SECTOR) * SECTOR) - len(book)
    )  # shorter ones stand elsewhere
    length = len(book) // SECTOR
    fat = [FAT, END, *range(3, length + 2), END]
    table = struct.pack(f"<{SECTOR // 4}I", *fat, *[NONE] * (SECTOR // 4 - len(fat)))
    entries = _entry("Root Entry", 5, 1, END, 0) + _entry("Workbook", 2, NONE, 2, len(book))
    directory = entries + _entry("", 0, NONE, 0, 0) * 2
    head = (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
        + b"\0" * 16
        + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6)
        + b"\0" * 10
    )
    head += struct.pack("<IIIIIIIII", 1, 1, 0, 4096, END, 0, END, 0, 0) + struct.pack(
        "<108I", *[NONE] * 108
    )
    return head + table + directory + book + behind


def _entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
    text = name.encode("utf-16-le") + b"\0\0" if name else b""
    links = struct.pack("<BBIII", kind, 1, NONE, NONE, child)
    return (
        text.ljust(64, b"\0")
        + struct.pack("<H", len(text))
        + links
        + b"\0" * 36
        + struct.pack("<III", start, size, 0)
    )


def _record(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def _text(text: str, length: str = "<H") -> bytes:
    return struct.pack(length, len(text)) + b"\1" + text.encode("utf-16-le")


def _book(sheets: dict[str, list[list]]) -> bytes:
    parts = [_sheet(rows) for rows in sheets.values()]
    opening, closing = (
        _record(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 6)),
        _record(0x0A, b""),
    )
    names = [_text(name, "<B") for name in sheets]
    at = len(opening) + len(closing) + sum(10 + len(name) for name in names)
    bound = b""
    for name, part in zip(names, parts, strict=True):
        bound += _record(0x85, struct.pack("<IBB", at, 0, 0) + name)
        at += len(part)
    return opening + bound + closing + b"".join(parts)


def _sheet(rows: list[list]) -> bytes:
    labels = b"".join(
        _record(0x204, struct.pack("<HHH", row, column, 0) + _text(str(cell)))
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
        if cell is not None
    )
    return (
        _record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 6))
        + labels
        + _record(0x0A, b"")
    )
