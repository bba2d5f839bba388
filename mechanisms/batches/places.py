"""Where files lie: on this machine by their paths, anywhere else by what fsspec knows, such as s3://study/part-1.parquet."""

import glob
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

from mechanisms.batches.questions import Unusable


def is_remote(name: str) -> bool:
    return "://" in name


def open_file(name: str) -> IO[bytes] | Any:
    """Open a local or remote file for reading.

    Raises OSError if the file does not exist.
    """
    return _of(name)[0].open(_of(name)[1], "rb") if is_remote(name) else Path(name).open("rb")


def size_of(name: str) -> int:
    """In bytes; 0 where nobody says."""
    try:
        return (
            int(_of(name)[0].size(_of(name)[1]) or 0)
            if is_remote(name)
            else Path(name).stat().st_size
        )
    except OSError:
        return 0


def expand_patterns(names: Iterable[str]) -> list[str]:
    """Return the names of the files; patterns are expanded. Raises Unusable.

    A pattern is a name with an asterisk that no shell has expanded. Unusable is raised if no file
    matches a pattern.
    """
    every: list[str] = []
    for name in names:
        if "*" not in name:
            every.append(name)
            continue
        if is_remote(name):
            system, path = _of(name)
            matches = [system.unstrip_protocol(each) for each in sorted(system.glob(path))]
        else:
            matches = sorted(glob.glob(name))
        if not matches:
            raise Unusable(f"No file is called {name}.")
        every += matches
    return every


def _of(name: str) -> tuple[Any, str]:
    """The file system, and the path in it."""
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415 (an extra)
    except ImportError as wrong:
        raise Unusable(f'{name} is far away: pip install "candor-mechanisms[batches]".') from wrong
    try:
        system, path = url_to_fs(name)
    except (
        ImportError,
        ValueError,
    ) as wrong:  # of a kind that needs a package more, or that nobody knows
        raise Unusable(f"{name} cannot be opened: {wrong}") from wrong
    return system, path
