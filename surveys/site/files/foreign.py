"""Recognize files that are no tables of responses, and say what to do instead of importing them.

Only the first bytes of a file are searched, so nothing here takes memory or time.
"""

import codecs
import re
import zlib

COMPRESSED_MESSAGE = "This is a compressed file. Unpack it and choose the table inside."
HTML_MESSAGE = "This is a web page, not a table. Download the file again."
JSON_MESSAGE = (
    "This is JSON, not a table. Candor reads CSV, workbooks, Parquet, and files of SPSS, Stata and "
    "SAS."
)
QUESTIONS_MESSAGE = (
    "This file holds the questions of a survey, not the answers. Export the responses as CSV."
)
R_MESSAGE = (
    "This is an R data file, which Candor can’t read. Write it with write.csv(x, "
    '"responses.csv", row.names = FALSE).'
)
SAS_MESSAGE = (
    "This is a SAS data set (.sas7bdat), which Candor can’t read. Write a transport file (.xpt), "
    "or save it as CSV."
)

# The first bytes of files of R without compression: of saveRDS (X, A) and of save (RDX, RDA).
R_START = re.compile(rb"RD[XAB][123]\n|X\n\x00\x00|A\n[23]\n\d{6}\n")
GZIP_START = b"\x1f\x8b"
# The first bytes of files that bzip2, xz and 7-Zip compressed. R can write the first two as well.
PACKED_STARTS = (b"BZh", b"\xfd7zXZ\x00", b"7z\xbc\xaf\x27\x1c")
SAS_START = bytes(12) + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\x00\x09\xc7\x31\x8c"

# How many bytes are compared with the start of a format. An expression sees no more than these.
START_BYTES = 400
# How many bytes are searched for the marks of a format of text.
SEARCHED_BYTES = 65_536
HTML_START = re.compile(rb"<!doctype html|<html|<head|<table", re.IGNORECASE)
JSON_START = re.compile(rb'\{\s*("|\})|\[\s*(\{|\[|"|\])')
# LimeSurvey's survey files, the files of Qualtrics, and those of SurveyJS.
LIMESURVEY_MARK = b"<LimeSurveyDocType>"
QUALTRICS_MARKS = (b'"SurveyEntry"', b'"SurveyElements"')
SURVEYJS_MARK = re.compile(rb'"(pages|elements)"\s*:\s*\[')
# The names of the first columns in REDCap's data dictionary.
REDCAP_START = re.compile(rb'"?variable / field name"?[,;\t]"?form name"?', re.IGNORECASE)


def foreign_message(data: bytes) -> str:
    """Return what to say of a file that is no table of responses, or "" for any other file.

    data: the file, or at least its first bytes.
    """
    return _binary_message(data) or _text_message(data)


def _binary_message(data: bytes) -> str:
    """Return what to say of a file of R or SAS, or of a compressed one, or "" for any other."""
    is_compressed = data.startswith((GZIP_START, *PACKED_STARTS))
    if R_START.match(data[:START_BYTES]):
        return R_MESSAGE
    # R compresses its files, unless it is told not to.
    if data.startswith(GZIP_START) and R_START.match(_unpacked_start(data)):
        return R_MESSAGE
    if data.startswith(SAS_START):
        return SAS_MESSAGE
    return COMPRESSED_MESSAGE if is_compressed else ""


def _text_message(data: bytes) -> str:
    """Return what to say of a web page, JSON or questions of a survey, or "" for any other file."""
    # A text in UTF-16 has a NUL byte beside each letter of these formats.
    text = data[:SEARCHED_BYTES].replace(b"\0", b"")
    for mark in (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        text = text.removeprefix(mark)
    start = text.lstrip()[:START_BYTES]
    if HTML_START.match(start):
        return HTML_MESSAGE

    is_limesurvey = start.startswith(b"<") and LIMESURVEY_MARK in text
    if is_limesurvey or REDCAP_START.match(text[:START_BYTES]):
        return QUESTIONS_MESSAGE
    if not JSON_START.match(start):
        return ""
    return QUESTIONS_MESSAGE if _holds_questions(text) else JSON_MESSAGE


def _unpacked_start(data: bytes) -> bytes:
    """Return the first bytes of what gzip compressed, or b"" if they cannot be unpacked."""
    # This many bits of the window say that the data has a header of gzip.
    unpacker = zlib.decompressobj(wbits=31)
    try:
        return unpacker.decompress(data[:1024], 16)
    except zlib.error:
        return b""


def _holds_questions(text: bytes) -> bool:
    """Return whether JSON holds a survey of Qualtrics or SurveyJS."""
    is_qualtrics = all(mark in text for mark in QUALTRICS_MARKS)
    is_object = text.lstrip().startswith(b"{")
    return is_qualtrics or (is_object and SURVEYJS_MARK.search(text) is not None)
