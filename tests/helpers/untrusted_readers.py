"""Readers of files for the tests of surveys.site.files.untrusted: they run in its child processes, without Django."""

import atexit
import os
import sys
from typing import Any

from surveys.site.errors import Unreadable


def read_cells(data: bytes) -> list[list[Any]]:
    import io

    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    return [list(row) for row in book.worksheets[0].iter_rows(values_only=True)]


def describe_surroundings(data: bytes) -> dict[str, Any]:
    open_files = (
        sorted(int(name) for name in os.listdir("/proc/self/fd"))
        if os.path.isdir("/proc/self/fd")
        else []
    )
    django = [name for name in sys.modules if name.partition(".")[0] in ("django", "config")]
    return {
        "variables": sorted(os.environ),
        "files": open_files,
        "django": django,
        "folder": os.getcwd(),
    }


def print_warning(data: bytes) -> str:
    print("WARNING *** this is odd")
    return "read"


def refuse_file(data: bytes) -> None:
    raise Unreadable("Row 3: no.", "Row 4: neither.")


def raise_key_error(data: bytes) -> None:
    raise KeyError("x")


def exhaust_memory(data: bytes) -> int:
    return len(bytearray(2_000_000_000))


def loop_forever(data: bytes) -> None:
    while True:
        pass


def sleep_a_minute(data: bytes) -> None:
    import time

    time.sleep(60)


def write_large_file(data: bytes) -> None:
    import tempfile

    with tempfile.TemporaryFile() as file:
        file.write(b"x" * 100_000)


def return_long_text(data: bytes) -> str:
    return "x" * 1_000_000


def abort_process(data: bytes) -> None:
    os.abort()


def import_missing_module(data: bytes) -> None:
    import no_such_module  # type: ignore  # noqa: F401


def abort_at_exit(data: bytes) -> str:
    atexit.register(os.abort)
    return "read"
