"""Files from anywhere, read in a process of their own that has little memory, little time and nothing to steal.

A few kilobytes can become gigabytes in a program that reads workbooks. So a file goes to a fresh Python without
Django, settings or open files, which first counts what is in it, then calls the reader, and answers in JSON.
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
START = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from surveys.site.files.untrusted import answer"
START += "; answer(*sys.argv[1:])"
OLE = b"\xd0\xcf\x11\xe0"  # how .xls begins, which may hold a packed file and is none
PIECE = 2**16
OTHER = 50_000  # tags in a part that holds neither cells nor their texts, as the styles: each becomes a large object
PLAIN = {
    zipfile.ZIP_STORED,
    zipfile.ZIP_DEFLATED,
}  # what workbooks use; unpacking the others knows no bounds
STRANGE = re.compile(
    rb"""^\W{0,9}<\?xml[^>]{0,99}\sencoding\s*=\s*["'](?!utf-?(?:8|16))""", re.IGNORECASE
)
TOO_LARGE = "Reading this file takes too much memory or time. Does it contain more than it shows?"
DAMAGED = "The file is damaged, or not what its name says. We can’t read its sheets and cells."
COPY = "Copy the cells you need to a new workbook and upload that."
BUSY = "We are reading other files at the moment. Try again in a minute."


@dataclass(frozen=True)
class Limits:
    """What a file, and the process that reads it, may take. Each kind of file has its own."""

    size: int = 5_000_000  # bytes, as it comes
    unpacked: int = 20_000_000  # bytes of all its parts
    parts: int = 500  # none of a kind of file that is no packed one: its reader sees it as it is
    tags: int = 300_000  # in the parts with cells and their texts: four for an ordinary cell
    memory: int = 400_000_000  # bytes of address space
    seconds: int = 5  # of CPU; twice as long on the clock
    result: int = 10_000_000  # bytes of what is read, as JSON


class WithText(NamedTuple):
    """What a reader returns whose file becomes a long text: this crosses to the parent as it is, and not as JSON."""

    about: Any
    text: bytes


FORMS = Limits()
# What readers load takes address space ahead, some of it for each thread, and now and then more than there is.
FRUGAL = {
    "OPENBLAS_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "1",
}
_turn = threading.Semaphore(1)  # one child for each worker: a small server has memory for few


def read_in_child(
    reader: Callable[..., Any], data: bytes, limits: Limits = FORMS, **options: Any
) -> Any:
    """Run a reader on untrusted bytes in a limited child process and return its result.

    The reader is a function at the top of a module that imports no Django; what is slow to import it imports itself.
    It raises Unreadable for what a person should know. What it returns takes memory here, where no limit holds, so a
    reader of what may be long counts before it returns, by a limit among its options. Raises site.errors.Unreadable
    for that, and for every file that is too large, a trap or broken.
    """
    if len(data) > limits.size:
        raise Unreadable(too_large_message(limits.size))
    if not _turn.acquire(timeout=limits.seconds):
        raise Unreadable(BUSY)
    try:
        return _heard(
            _run_child(f"{reader.__module__}:{reader.__qualname__}", data, limits, options)
        )
    finally:
        _turn.release()


def _run_child(name: str, data: bytes, limits: Limits, options: dict[str, Any]) -> bytes:
    """Run the child process and return its output."""
    given = (json.dumps(asdict(limits)), json.dumps(options))
    command = [sys.executable, "-I", "-B", "-X", "utf8", "-c", START, name, *given]
    piped = {
        "stdout": subprocess.PIPE,
        "stderr": subprocess.DEVNULL,
        "cwd": "/",
        "timeout": 2 * limits.seconds,
    }
    try:
        run = subprocess.run(command, input=data, env=FRUGAL, check=False, **piped)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise Unreadable(TOO_LARGE) from None
    if run.returncode < 0:  # stopped by a limit
        raise Unreadable(TOO_LARGE)
    if run.returncode:
        logger.error(
            "A process that reads files for %s ended with %s. Is everything installed?",
            name,
            run.returncode,
        )
        raise Unreadable(DAMAGED)
    return run.stdout


def _heard(told: bytes) -> Any:
    length = told.index(b"\n")  # JSON has none
    answer = json.loads(told[:length])
    if "wrong" in answer:
        raise Unreadable(*answer["wrong"])
    if answer["has_text"]:
        return WithText(answer["read"], told[length + 1 :])
    return answer["read"]


def answer(name: str, given: str, options: str) -> None:
    """Write what was asked for, in the child process, within limits that it cannot widen again."""
    import resource  # noqa: PLC0415 (which Windows lacks)

    limits = Limits(**json.loads(given))
    mine = os.dup(1)
    os.dup2(2, 1)  # xlrd prints what it finds odd
    most = {
        resource.RLIMIT_AS: limits.memory,
        resource.RLIMIT_CPU: limits.seconds,
        resource.RLIMIT_FSIZE: 0,  # it writes no file
        resource.RLIMIT_CORE: 0,
    }
    for what, value in most.items():
        resource.setrlimit(what, (value, value))
    try:
        module, _, function = name.partition(":")
        reader = getattr(importlib.import_module(module), function)
        content, text = (
            read_checked(reader, sys.stdin.buffer.read(), limits, **json.loads(options)),
            b"",
        )
        if has_text := isinstance(content, WithText):
            content, text = content
        if _letters(content) > limits.result:  # one long text may stand in a million cells
            raise MemoryError
        told = _as_json({"read": content, "has_text": has_text})
        if (
            len(told) > limits.result
        ):  # a letter has up to four bytes, and up to six where JSON must spell it out
            raise MemoryError
    except Unreadable as error:
        told, text = _as_json({"wrong": error.lines}), b""
    except (MemoryError, RecursionError):
        told, text = _as_json({"wrong": [TOO_LARGE]}), b""
    with os.fdopen(mine, "wb") as out:
        out.write(told + b"\n")
        out.write(text)
    os._exit(
        0
    )  # all is said; a thread that a reader has started can end a program badly that tidies up first


def _as_json(content: dict[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _letters(content: Any) -> int:
    if isinstance(content, dict):
        return sum(len(key) + _letters(value) for key, value in content.items())
    if isinstance(content, (list, tuple)):
        return sum(map(_letters, content))
    return len(content) if isinstance(content, str) else 1


def read_checked(
    reader: Callable[..., Any], data: bytes, limits: Limits = FORMS, **options: Any
) -> Any:
    """Run a reader in this process, after checking the size of the parts."""
    if limits.parts and not data.startswith(OLE) and zipfile.is_zipfile(io.BytesIO(data)):
        check_archive(data, limits)
    try:
        return reader(data, **options)
    except (Unreadable, MemoryError, RecursionError, ImportError):
        raise
    except Exception as error:  # a reader raises whatever its parts raise on a broken file
        raise Unreadable(DAMAGED) from error


def check_archive(data: bytes, limits: Limits) -> None:
    """Raise Unreadable if a compressed file holds more than the limits allow."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            if len(parts) > limits.parts or any(part.compress_type not in PLAIN for part in parts):
                raise Unreadable(
                    f"The file has more than {limits.parts} parts, or is packed in an unusual way."
                )
            length = tags = 0
            for part in parts:
                holds_cells = "worksheets/" in part.filename or "sharedStrings" in part.filename
                room = limits.tags - tags if holds_cells else OTHER
                more, tags_in_part = _measured(archive, part, limits.unpacked - length, room)
                length, tags = length + more, tags + (tags_in_part if holds_cells else 0)
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
        raise Unreadable(DAMAGED) from error


def _measured(
    archive: zipfile.ZipFile, part: zipfile.ZipInfo, most_bytes: int, most_tags: int
) -> tuple[int, int]:
    """Bytes and tags of a part, which is unpacked piece by piece and no further than it may reach."""
    length, tags, before = 0, 0, b""
    with archive.open(part) as opened:
        while piece := opened.read(PIECE):
            if not length and STRANGE.search(piece):
                raise Unreadable(
                    "Part of the file is in an encoding that no spreadsheet program writes."
                )
            length, tags = length + len(piece), tags + piece.count(b"<")
            if length > most_bytes or tags > most_tags:
                raise Unreadable(f"“{part.filename[:60]}” in the file is too large. {COPY}")
            window = (before + piece).replace(b"\0", b"")  # UTF-16 too
            if b"<!DOCTYPE" in window or b"<!ENTITY" in window:
                raise Unreadable(
                    "The file defines its own entities, which no spreadsheet program does."
                )
            before = piece[-32:]
    return length, tags
