"""Read untrusted files in a child process with little memory, little time and nothing to steal.

A few kilobytes can become gigabytes in a program that reads workbooks. So a file is sent to a new
Python process without Django, settings or open files. This process first checks how much is in the
file, then calls the reader, and writes the result as JSON. A reader is a function that gets the
bytes of a file and returns what is in the file.

`read_in_child` is called in the process of the site. `run_reader`, and what it calls, run in the
child process.
"""

import importlib
import io
import json
import logging
import os
import re
import subprocess
import sys
import threading
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from surveys.site.errors import Unreadable
from surveys.site.files.sizes import too_large_message

logger = logging.getLogger(__name__)
ROOT = Path(__file__).resolve().parents[3]
CHILD_PROGRAM = (
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
    "from surveys.site.files.untrusted import run_reader; run_reader(*sys.argv[1:])"
)

# The first bytes of .xls files. Such a file is no archive, but may contain one.
OLE = b"\xd0\xcf\x11\xe0"

# The number of bytes that are unpacked in one step.
PIECE_BYTES = 2**16

# The most tags in a part that holds neither cells nor their texts, such as the styles: a reader
# makes a large object of each tag.
MOST_OTHER_TAGS = 50_000

# The compression methods that workbooks use. Unpacking the other ones takes unlimited memory.
USUAL_COMPRESSION = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}

# The start of an XML file that declares an encoding other than UTF-8 and UTF-16. The search for
# declarations of entities would not recognize them in such a file.
NON_UNICODE_XML = re.compile(
    rb"""^\W{0,9}<\?xml[^>]{0,99}\sencoding\s*=\s*["'](?!utf-?(?:8|16))""", re.IGNORECASE
)
TOO_LARGE_MESSAGE = (
    "Reading this file takes too much memory or time. Does it contain more than it shows?"
)
DAMAGED_MESSAGE = (
    "The file is damaged, or not what its name says. We can’t read its sheets and cells."
)
COPY_CELLS_ADVICE = "Copy the cells you need to a new workbook and upload that."
BUSY_MESSAGE = "We are reading other files at the moment. Try again in a minute."


@dataclass(frozen=True)
class Limits:
    """The most that a file, and the process that reads it, may take.

    A workbook (.xlsx) is an archive of files, most of them XML. They are its parts. `unpacked`,
    `parts` and `tags` hold only for archives.

    size: the bytes of the file, before unpacking.
    unpacked: the bytes of all its parts together, after unpacking.
    parts: the number of its parts; 0 for a kind of file that is no archive, whose reader gets it
        unchecked.
    tags: the XML tags in the parts with cells and their texts, opening and closing ones. An
        ordinary cell has four. Each other part may have MOST_OTHER_TAGS.
    memory: the bytes of address space of the process.
    seconds: the seconds of processor time. The process may run twice as long by the clock.
    result: the bytes of the result as JSON. The text of a WithText does not count.
    """

    size: int = 5_000_000
    unpacked: int = 20_000_000
    parts: int = 500
    tags: int = 300_000
    memory: int = 400_000_000
    seconds: int = 5
    result: int = 10_000_000


class WithText(NamedTuple):
    """The result of a reader that converts a file to a long text.

    about: what the reader says about the text, sent to the parent process as JSON.
    text: the text, which is sent as it is.
    """

    about: Any
    text: bytes


DEFAULT_LIMITS = Limits()

# The libraries of the readers reserve address space, some of it for each thread, and sometimes more
# than the limit allows.
CHILD_ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "1",
}

# Each worker has one child process at a time, because a small server has memory for few.
_turn = threading.Semaphore(1)


def read_in_child(
    reader: Callable[..., Any], data: bytes, limits: Limits = DEFAULT_LIMITS, **options: Any
) -> Any:
    """Run a reader on an untrusted file in a limited child process, and return its result.

    Raises site.errors.Unreadable if the file is too large, damaged or dangerous, if the reader
    raises it, or if another file is still being read.

    The result takes memory in this process, where no limit holds. So a reader whose result can be
    long counts before it returns, up to a limit among its options.

    reader: a function at the top level of a module that does not import Django. It is called as
        `reader(data, **options)` and returns a WithText, or data that JSON can hold. It imports
        slow libraries itself, and raises Unreadable with messages for people.
    data: the file.
    options: further arguments of the reader, which JSON can hold.
    """
    if len(data) > limits.size:
        raise Unreadable(too_large_message(limits.size))
    if not _turn.acquire(timeout=limits.seconds):
        raise Unreadable(BUSY_MESSAGE)
    try:
        name = f"{reader.__module__}:{reader.__qualname__}"
        return _parse_output(_run_child(name, data, limits, options))
    finally:
        _turn.release()


def _run_child(name: str, data: bytes, limits: Limits, options: dict[str, Any]) -> bytes:
    """Run a reader in a new Python process, and return the bytes that the process writes.

    Raises Unreadable if a limit stops the process, or if it fails.

    name: the module and the name of the reader, with a colon between them.
    data: the file, which the process reads from its standard input.
    options: further arguments of the reader, which JSON can hold.
    """
    # The process does not get the environment of this one. It is isolated (-I), so that it loads no
    # modules from the current or the user's folders, and it writes no compiled files (-B).
    arguments = (name, json.dumps(asdict(limits)), json.dumps(options))
    command = [sys.executable, "-I", "-B", "-X", "utf8", "-c", CHILD_PROGRAM, *arguments]
    try:
        run = subprocess.run(  # noqa: S603
            command,
            input=data,
            env=CHILD_ENVIRONMENT,
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            timeout=2 * limits.seconds,
        )
    except subprocess.TimeoutExpired:
        raise Unreadable(TOO_LARGE_MESSAGE) from None

    # A negative code is the number of a signal, by which the system enforces a limit.
    if run.returncode < 0:
        raise Unreadable(TOO_LARGE_MESSAGE)
    # Damaged files do not lead here: the process reports them in its output, and ends with 0.
    if run.returncode:
        logger.error(
            "A process that reads files for %s ended with %s. Is everything installed?",
            name,
            run.returncode,
        )
        raise Unreadable(DAMAGED_MESSAGE)
    return run.stdout


def _parse_output(output: bytes) -> Any:
    """Return the reader's result, which is in the output of the child process.

    Raises Unreadable if the output says that the file cannot be read.

    output: a line of JSON, and behind it the text if the result is a WithText.
    """
    line, _, text = output.partition(b"\n")
    message = json.loads(line)
    if "wrong" in message:
        lines = message["wrong"]
        raise Unreadable(*lines)
    if message["has_text"]:
        return WithText(message["read"], text)
    return message["read"]


def run_reader(name: str, limits_json: str, options_json: str) -> None:
    """Run a reader on standard input, write its result to standard output, and end the process.

    This is the whole program of the child process. `_parse_output` reads what it writes.

    name: the module and the name of the reader, with a colon between them.
    limits_json: the fields of Limits.
    options_json: further arguments of the reader.
    """
    limits = Limits(**json.loads(limits_json))

    # Libraries such as xlrd print warnings to standard output (1), where only the result may be.
    # So what they print goes to standard error (2), and the result to a copy of standard output.
    output = os.dup(1)
    os.dup2(2, 1)
    _limit_resources(limits)

    text = b""
    try:
        message, text = _reader_output(name, limits, options_json)
    except Unreadable as error:
        message = _as_json({"wrong": error.lines})
    except (MemoryError, RecursionError):
        message = _as_json({"wrong": [TOO_LARGE_MESSAGE]})

    with os.fdopen(output, "wb") as out:
        out.write(message + b"\n")
        out.write(text)
    # The process ends without cleaning up: a thread of a reader could make it fail at that.
    os._exit(0)


def _reader_output(name: str, limits: Limits, options_json: str) -> tuple[bytes, bytes]:
    """Run a reader on standard input, and return its result as a line of JSON and a text.

    The text is b"" if the result is no WithText. Raises MemoryError if the result is longer than
    the limit, and all that `read_checked` raises.

    name: the module and the name of the reader, with a colon between them.
    options_json: further arguments of the reader.
    """
    module, _, function = name.partition(":")
    reader = getattr(importlib.import_module(module), function)
    content = read_checked(reader, sys.stdin.buffer.read(), limits, **json.loads(options_json))
    text = b""
    has_text = isinstance(content, WithText)
    if has_text:
        content, text = content

    # A long text may be repeated in a million cells, so the characters are counted before they are
    # written. A character has up to four bytes, or six if it is escaped, so the bytes are counted
    # as well.
    if _count_characters(content) > limits.result:
        raise MemoryError
    message = _as_json({"read": content, "has_text": has_text})
    if len(message) > limits.result:
        raise MemoryError
    return message, text


def _limit_resources(limits: Limits) -> None:
    """Limit the memory, processor time and files of this process. It cannot undo this."""
    import resource  # noqa: PLC0415 (Windows does not have this module)

    values = {
        resource.RLIMIT_AS: limits.memory,
        resource.RLIMIT_CPU: limits.seconds,
        # It can write to no file, and leaves none with its memory (a core dump) when it crashes.
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for kind, value in values.items():
        # The second value is the hard limit, which a process cannot raise again.
        resource.setrlimit(kind, (value, value))


def _as_json(content: dict[str, Any]) -> bytes:
    """Return a message of the child process as one line of JSON.

    Half of a surrogate pair, which a damaged file can have, is written like any other character.
    """
    return json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _count_characters(content: Any) -> int:
    """Return the number of characters of all texts and keys in nested data.

    A number, a truth value and None count as one character. A list or a dictionary counts only
    what is in it.
    """
    if isinstance(content, dict):
        return sum(len(key) + _count_characters(value) for key, value in content.items())
    if isinstance(content, (list, tuple)):
        return sum(map(_count_characters, content))
    if isinstance(content, str):
        return len(content)
    return 1


def read_checked(
    reader: Callable[..., Any], data: bytes, limits: Limits = DEFAULT_LIMITS, **options: Any
) -> Any:
    """Run a reader on a file in this process, and return its result.

    If the file is an archive, such as a workbook, its parts are checked first. Raises Unreadable,
    also in place of every unexpected error of the reader. Only MemoryError, RecursionError and
    ImportError stay what they are.

    options: further arguments of the reader.
    """
    # Without a limit of parts, the format of the reader is no archive.
    may_be_archive = limits.parts and not data.startswith(OLE)
    if may_be_archive and zipfile.is_zipfile(io.BytesIO(data)):
        check_archive(data, limits)
    try:
        return reader(data, **options)
    except (Unreadable, MemoryError, RecursionError, ImportError):
        raise
    except Exception as error:
        # Libraries raise errors of any kind if a file is damaged.
        raise Unreadable(DAMAGED_MESSAGE) from error


def check_archive(data: bytes, limits: Limits) -> None:
    """Raise Unreadable if an archive is damaged or suspicious, or holds more than the limits allow.

    `_check_parts` and `_measure_part` say what is suspicious.
    """
    try:
        _check_parts(data, limits)
    except Unreadable:
        raise
    # These are the errors that zipfile raises for damaged archives, and for some unusual ones.
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        RuntimeError,
        EOFError,
        OSError,
        ValueError,
        zlib.error,
    ) as error:
        raise Unreadable(DAMAGED_MESSAGE) from error


def _check_parts(data: bytes, limits: Limits) -> None:
    """Raise Unreadable if an archive has too many parts, too large ones, or unusual compression.

    It is also raised if `_measure_part` finds a part that no spreadsheet program writes.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
        is_unusual = any(part.compress_type not in USUAL_COMPRESSION for part in parts)
        if len(parts) > limits.parts or is_unusual:
            raise Unreadable(
                f"The file has more than {limits.parts} parts, or is packed in an unusual way."
            )

        # The bytes of all parts, and the tags of the parts with cells and their texts.
        length = 0
        tags = 0
        for part in parts:
            # These are the names of such parts in each workbook (.xlsx), and the one in .ods files.
            is_sheet = "worksheets/" in part.filename or part.filename == "content.xml"
            holds_cells = is_sheet or "sharedStrings" in part.filename
            most_tags = limits.tags - tags if holds_cells else MOST_OTHER_TAGS
            size = _measure_part(archive, part, limits.unpacked - length, most_tags)
            length += size.length
            if holds_cells:
                tags += size.tags


class _PartSize(NamedTuple):
    """The size of a part of an archive, after unpacking.

    length: the number of bytes.
    tags: the number of tags, counted by their opening brackets.
    """

    length: int
    tags: int


def _measure_part(
    archive: zipfile.ZipFile, part: zipfile.ZipInfo, most_bytes: int, most_tags: int
) -> _PartSize:
    """Return the size of a part of an archive, after unpacking.

    The part is unpacked piece by piece, and no further than its limits. Raises Unreadable if it has
    more bytes or tags than these, or if it is XML in another encoding than UTF-8 and UTF-16. It is
    also raised for XML that defines entities: these are texts that can repeat each other, so that a
    short part becomes a very long one when it is read.

    most_bytes, most_tags: the limits of this part.
    """
    length = 0
    tags = 0
    # The end of the previous piece.
    last_bytes = b""
    with archive.open(part) as opened:
        while piece := opened.read(PIECE_BYTES):
            if not length and NON_UNICODE_XML.search(piece):
                raise Unreadable(
                    "Part of the file is in an encoding that no spreadsheet program writes."
                )
            length += len(piece)
            tags += piece.count(b"<")
            if length > most_bytes or tags > most_tags:
                raise Unreadable(
                    f"“{part.filename[:60]}” in the file is too large. {COPY_CELLS_ADVICE}"
                )
            # A declaration may be split between two pieces, so it is searched in this piece and in
            # the end of the previous one. In UTF-16 every second byte of these words is NUL, so
            # they are found if the NUL bytes are left out.
            window = (last_bytes + piece).replace(b"\0", b"")
            if b"<!DOCTYPE" in window or b"<!ENTITY" in window:
                raise Unreadable(
                    "The file defines its own entities, which no spreadsheet program does."
                )
            # The words have up to 9 characters, which are 18 bytes in UTF-16.
            last_bytes = piece[-32:]
    return _PartSize(length, tags)
