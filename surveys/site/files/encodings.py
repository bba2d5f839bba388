"""Bytes in the encoding of a file <-> text in UTF-8, which is what everything behind reads."""

import codecs

from surveys import extensions

UTF_8 = "utf-8"
# No encodings of text, but they stand where a file's encoding is said. Features add others.
WORKBOOK, PARQUET = "xlsx", "parquet"
# What is read, and how people call it. Statistics programs and spreadsheets write the first ones.
ENCODINGS = {
    UTF_8: "UTF-8",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16, high bytes first",
    "windows-1252": "Windows-1252, Western European",
    "windows-1250": "Windows-1250, Central European",
    "windows-1251": "Windows-1251, Cyrillic",
    "windows-1253": "Windows-1253, Greek",
    "windows-1254": "Windows-1254, Turkish",
    "windows-1256": "Windows-1256, Arabic",
    WORKBOOK: "Workbook (.xlsx)",
    PARQUET: "Parquet",
}
MARKS = {codecs.BOM_UTF8: UTF_8, codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
FALLBACK = "windows-1252"


class Unreadable(ValueError):
    """Bytes that the encoding does not have. before: what stands in front of them, in UTF-8."""

    def __init__(self, before: bytes) -> None:
        super().__init__()
        self.before = before


def encoding_titles() -> dict[str, str]:
    """Return how people call each encoding and format in which a file can come."""
    return ENCODINGS | {each.key: each.title for each in extensions.table_formats}


def is_text(encoding: str) -> bool:
    """Return whether a file in this encoding, or format, is text."""
    return encoding not in (WORKBOOK, PARQUET, *(each.key for each in extensions.table_formats))


def normalize_encoding(name: str) -> str:
    """Return an encoding's key in ENCODINGS, "utf-16" if only a byte order mark tells more, or an
    empty string.
    """
    plain = name.strip().casefold().replace("_", "-")
    known = {
        "utf8": UTF_8,
        "utf-8-sig": UTF_8,
        "utf16": "utf-16",
        "latin-1": FALLBACK,
        "iso-8859-1": FALLBACK,
    }
    plain = known.get(plain, plain.replace("cp125", "windows-125"))
    return plain if plain in encoding_titles() or plain == "utf-16" else ""


def guess_encoding(start: bytes, said: str = "") -> str:
    """Return the encoding of a file: the one that was stated, or what its first bytes suggest.

    What is text in UTF-8 is hardly ever meant as anything else. Windows-1252 is what is left: a wrong guess can spoil
    letters, and then a label is not found; it can make no answer of another.
    """
    if said in encoding_titles():
        return said
    marked = next((name for mark, name in MARKS.items() if start.startswith(mark)), "")
    if marked:
        return marked
    if said == "utf-16" or b"\0" in start[:4096]:
        return "utf-16-be" if start[:1] == b"\0" else "utf-16-le"
    try:
        codecs.utf_8_decode(start, "strict", False)  # a letter may be cut in two at the end
    except UnicodeDecodeError:
        return FALLBACK
    return UTF_8


def without_mark(data: bytes) -> bytes:
    return data.removeprefix(next((mark for mark in MARKS if data.startswith(mark)), b""))


def to_utf_8(encoding: str, data: bytes, *, last: bool) -> tuple[bytes, bytes]:
    """The text, and bytes at the end that are half a letter. Raises Unreadable. UTF-8 is checked later."""
    if encoding == UTF_8 or not is_text(encoding):
        return data, b""
    try:
        if encoding.startswith("utf-16"):
            decode = codecs.utf_16_le_decode if encoding.endswith("le") else codecs.utf_16_be_decode
            text, used = decode(data, "strict", last)
            return text.encode(), data[used:]
        return data.decode(encoding).encode(), b""
    except UnicodeDecodeError as wrong:
        raise Unreadable(data[: wrong.start].decode(encoding).encode()) from None


def from_utf_8(encoding: str, text: bytes) -> bytes:
    return text if encoding == UTF_8 or not is_text(encoding) else text.decode().encode(encoding)
