"""Read untrusted files in a child process with little memory, little time and nothing to steal.

A few kilobytes can become gigabytes in a program that reads workbooks. So a file is sent to a new
Python process without Django, settings or open files. This process first checks how much is in the
file, then calls the reader, and writes the result as JSON.
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
    """Run a reader on untrusted bytes in a limited child process and return its result.

    Raises site.errors.Unreadable if the file is too large, damaged or dangerous, if the reader
    raises it, or if another file is still being read.

    The result takes memory in this process, where no limit holds. So a reader whose result can be
    long counts before it returns, up to a limit among its options.

    reader: a function at the top level of a module that does not import Django. It imports slow
        libraries itself, and raises Unreadable with messages for people.
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
    """Run a reader in a new Python process and return what the process writes.

    Raises Unreadable if a limit stops the process, or if it fails.

    name: the module and the name of the reader, with a colon between them.
    data: the file, which the process reads from its standard input.
    options: further arguments of the reader, which JSON can hold.
    """
    # The process starts without the environment of this one and without the user's site packages.
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
    if run.returncode:
        logger.error(
            "A process that reads files for %s ended with %s. Is everything installed?",
            name,
            run.returncode,
        )
        raise Unreadable(DAMAGED_MESSAGE)
    return run.stdout


def _parse_output(output: bytes) -> Any:
    """Return the reader's result from the output of the child process. Raises Unreadable.

    The output is a line of JSON, and the text of a result that has one.
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

    This runs in the child process, within limits that it cannot widen again.

    name: the module and the name of the reader, with a colon between them.
    limits_json: the fields of Limits.
    options_json: further arguments of the reader.
    """
    limits = Limits(**json.loads(limits_json))

    # Libraries print warnings to standard output, where the result must stand alone: xlrd does so.
    output = os.dup(1)
    os.dup2(2, 1)
    _limit_resources(limits)

    text = b""
    try:
        module, _, function = name.partition(":")
        reader = getattr(importlib.import_module(module), function)
        content = read_checked(reader, sys.stdin.buffer.read(), limits, **json.loads(options_json))
        has_text = isinstance(content, WithText)
        if has_text:
            content, text = content

        # A long text may be repeated in a million cells, so the characters are counted before they
        # are written. A character has up to four bytes, or six if it is escaped, so the bytes are
        # counted as well.
        if _count_characters(content) > limits.result:
            raise MemoryError
        message = _as_json({"read": content, "has_text": has_text})
        if len(message) > limits.result:
            raise MemoryError
    except Unreadable as error:
        message = _as_json({"wrong": error.lines})
        text = b""
    except (MemoryError, RecursionError):
        message = _as_json({"wrong": [TOO_LARGE_MESSAGE]})
        text = b""

    with os.fdopen(output, "wb") as out:
        out.write(message + b"\n")
        out.write(text)
    # The process ends without cleaning up: a thread of a reader could make it fail at that.
    os._exit(0)


def _limit_resources(limits: Limits) -> None:
    """Limit the memory, processor time and files of this process, for good."""
    import resource  # noqa: PLC0415 (Windows does not have this module)

    values = {
        resource.RLIMIT_AS: limits.memory,
        resource.RLIMIT_CPU: limits.seconds,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for kind, value in values.items():
        resource.setrlimit(kind, (value, value))


def _as_json(content: dict[str, Any]) -> bytes:
    """Return a message of the child process as one line of JSON."""
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
    """Run a reader in this process, after checking the parts of an archive.

    Raises Unreadable, also for every unexpected error of the reader. Only MemoryError,
    RecursionError and ImportError stay what they are.

    options: further arguments of the reader.
    """
    if limits.parts and not data.startswith(OLE) and zipfile.is_zipfile(io.BytesIO(data)):
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
        if len(parts) > limits.parts or any(
            part.compress_type not in USUAL_COMPRESSION for part in parts
        ):
            raise Unreadable(
                f"The file has more than {limits.parts} parts, or is packed in an unusual way."
            )

        length = 0
        tags = 0
        for part in parts:
            holds_cells = "worksheets/" in part.filename or "sharedStrings" in part.filename
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

    Raises Unreadable if the part has more bytes or tags than its limits, or is XML that defines
    entities or is in another encoding than UTF-8 and UTF-16. The part is unpacked piece by piece,
    and no further than its limits.
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
            # A declaration may be split between two pieces. In UTF-16 every second byte
            # of these words is NUL, so they are found if the NUL bytes are left out.
            window = (last_bytes + piece).replace(b"\0", b"")
            if b"<!DOCTYPE" in window or b"<!ENTITY" in window:
                raise Unreadable(
                    "The file defines its own entities, which no spreadsheet program does."
                )
            # The words have up to 9 characters, which are 18 bytes in UTF-16.
            last_bytes = piece[-32:]
    return _PartSize(length, tags)
