"""Readers of files for the tests of surveys.site.files.untrusted.

They run in its child processes, without Django. Most of them misbehave in one way. Each gets the
bytes of a file as `data`, which most of them ignore.
"""

import atexit
import io
import os
import sys
import tempfile
import time
from typing import Any

from surveys.site.errors import Unreadable


def read_cells(data: bytes) -> list[list[Any]]:
    """Return the cells of the first sheet of a workbook, as a good reader does."""
    # This library is slow to import, and no other reader needs it.
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    return [list(row) for row in book.worksheets[0].iter_rows(values_only=True)]


def describe_surroundings(data: bytes) -> dict[str, Any]:
    """Return what the child process can reach.

    That is its environment variables, open files (by their numbers, and only on Linux), modules of
    Django and of its settings, and folder.
    """
    open_files = []
    if os.path.isdir("/proc/self/fd"):
        open_files = sorted(int(name) for name in os.listdir("/proc/self/fd"))
    # The packages `django` and `config` with all their modules. `config` has the settings.
    django = [name for name in sys.modules if name.partition(".")[0] in ("django", "config")]
    return {
        "variables": sorted(os.environ),
        "files": open_files,
        "django": django,
        "folder": os.getcwd(),
    }


def print_warning(data: bytes) -> str:
    """Print a text, which must not be mistaken for the answer."""
    print("WARNING *** this is odd")
    return "read"


def refuse_file(data: bytes) -> None:
    """Raise Unreadable with two lines, as for a file with mistakes."""
    raise Unreadable("Row 3: no.", "Row 4: neither.")


def raise_key_error(data: bytes) -> None:
    """Raise KeyError, as a library may do for a damaged file."""
    raise KeyError("x")


def exhaust_memory(data: bytes) -> int:
    """Fill two gigabytes of memory, five times as much as the process may have."""
    return len(bytearray(2_000_000_000))


def loop_forever(data: bytes) -> None:
    """Use processor time without an end."""
    while True:
        pass


def sleep_a_minute(data: bytes) -> None:
    """Take a long time without using the processor, so that only a limit by the clock ends it."""
    time.sleep(60)


def write_large_file(data: bytes) -> None:
    """Write 100,000 bytes into a temporary file, although the process may write no file."""
    with tempfile.TemporaryFile() as file:
        file.write(b"x" * 100_000)


def return_long_text(data: bytes) -> str:
    """Return an answer of a million bytes, more than the test allows."""
    return "x" * 1_000_000


def abort_process(data: bytes) -> None:
    """End the process with a signal, as a crash does."""
    os.abort()


def import_missing_module(data: bytes) -> None:
    """Import a module that does not exist, as if the site were not completely installed."""
    import no_such_module  # type: ignore  # noqa: F401


def abort_at_exit(data: bytes) -> str:
    """Return an answer, and end the process with a signal afterwards."""
    atexit.register(os.abort)
    return "read"
