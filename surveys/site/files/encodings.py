"""Convert between the encoding of a file and UTF-8, in which the rest of the program reads it."""

import codecs

from surveys import extensions

UTF_8 = "utf-8"

# These formats are not encodings, but are stated in place of the encoding. Features add others.
WORKBOOK = "xlsx"
PARQUET = "parquet"

# The title of each encoding and format. The first ones are those that statistics programs and
# spreadsheets write.
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
    WORKBOOK: "Workbook (.xlsx, .xls, .ods)",
    PARQUET: "Parquet",
}
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: UTF_8,
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}

# The encoding of a file that is not valid UTF-8 and has no sign of UTF-16.
FALLBACK_ENCODING = "windows-1252"


class Unreadable(ValueError):
    """An attempt to decode bytes that the encoding of a file does not have.

    readable: the text before these bytes, in UTF-8.
    """

    def __init__(self, readable: bytes) -> None:
        super().__init__()
        self.readable = readable


def encoding_titles() -> dict[str, str]:
    """Return the titles of the encodings and formats in which a file can come, by their keys.

    A key is "utf-8" or "xlsx", for example, and its title is what people choose on a page.
    """
    feature_formats = {
        table_format.key: table_format.title for table_format in extensions.table_formats
    }
    return ENCODINGS | feature_formats


def is_text(encoding: str) -> bool:
    """Return whether a file is text in an encoding, and not a workbook or in another format.

    encoding: a key of `encoding_titles`. The formats among them are workbooks, Parquet files and
        those that features add.
    """
    feature_formats = [table_format.key for table_format in extensions.table_formats]
    return encoding not in (WORKBOOK, PARQUET, *feature_formats)


def normalize_encoding(name: str) -> str:
    """Return the key in `encoding_titles` of an encoding or format, or "" if it is unknown.

    For UTF-16 without an order of its bytes this is "utf-16", which is no key. `guess_encoding`
    then finds the order in the file.

    name: the encoding as a person or a program writes it, such as "UTF_8", "Latin-1" or "cp1252".
    """
    plain_name = name.strip().casefold().replace("_", "-")
    # Windows-1252 has all the letters of Latin-1, as the same bytes.
    usual_names = {
        "utf8": UTF_8,
        "utf-8-sig": UTF_8,
        "utf16": "utf-16",
        "latin-1": FALLBACK_ENCODING,
        "iso-8859-1": FALLBACK_ENCODING,
    }
    # Python calls the encodings of Windows "cp1250" to "cp1258".
    windows_name = plain_name.replace("cp125", "windows-125")
    key = usual_names.get(plain_name, windows_name)
    if key in encoding_titles() or key == "utf-16":
        return key
    return ""


def guess_encoding(start: bytes, stated: str = "") -> str:
    """Return the encoding of a file: the one that was stated, or what its first bytes suggest.

    This is a key of `encoding_titles`. Bytes that are valid UTF-8 are hardly ever meant as anything
    else. All others are taken for Windows-1252. If this is wrong, letters can be spoiled, and then
    a label is not recognized; no answer can become another one.

    start: the bytes at the start of the file.
    stated: the encoding that the sender states, "utf-16" without the order of its bytes, or "". An
        unknown one is ignored.
    """
    if stated in encoding_titles():
        return stated
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if start.startswith(mark):
            return encoding
    # Half of the bytes of Latin letters in UTF-16 are 0, and texts in other encodings have no 0. If
    # high bytes come first, the first byte is 0.
    if stated == "utf-16" or b"\0" in start[:4096]:
        return "utf-16-be" if start[:1] == b"\0" else "utf-16-le"
    try:
        # The decoder ignores a character that is cut in two at the end.
        codecs.utf_8_decode(start, "strict", False)
    except UnicodeDecodeError:
        return FALLBACK_ENCODING
    return UTF_8


def without_mark(data: bytes) -> bytes:
    """Return the data without the byte order mark at its start, if it has one."""
    for mark in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.removeprefix(mark)
    return data


def to_utf_8(encoding: str, data: bytes, *, last: bool) -> tuple[bytes, bytes]:
    """Return a part of a file as text in UTF-8, and the bytes of half a character at its end.

    Raises Unreadable if the encoding does not have these bytes. Data in UTF-8 is returned
    unchanged, and checked when it is split into cells. So is the text of a format such as a
    workbook, which was already converted to UTF-8.

    encoding: the encoding of the data, a key of `encoding_titles`.
    last: nothing follows, so that half a character is an error.
    """
    if encoding == UTF_8 or not is_text(encoding):
        return data, b""
    try:
        if encoding.startswith("utf-16"):
            decode = codecs.utf_16_le_decode if encoding.endswith("le") else codecs.utf_16_be_decode
            text, used = decode(data, "strict", last)
            return text.encode(), data[used:]
        # In all other encodings a character is one byte, so none is cut in two.
        return data.decode(encoding).encode(), b""
    except UnicodeDecodeError as error:
        readable = data[: error.start].decode(encoding)
        raise Unreadable(readable.encode()) from None


def from_utf_8(encoding: str, text: bytes) -> bytes:
    """Return a text that is in UTF-8 in another encoding. This is the opposite of `to_utf_8`.

    For a format such as a workbook, which has no encoding, the text is returned unchanged.

    encoding: the encoding of the result, a key of `encoding_titles`.
    """
    if encoding == UTF_8 or not is_text(encoding):
        return text
    return text.decode().encode(encoding)
