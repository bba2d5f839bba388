"""Files on this machine, by their paths, and remote files, such as s3://study/part-1.parquet."""

import glob
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any, NamedTuple

from mechanisms.batches.questions import Unusable


class _RemoteFile(NamedTuple):
    """A remote file: its fsspec file system, and its path there."""

    system: Any
    path: str


def is_remote(name: str) -> bool:
    """Return whether a name is an address, such as s3://study/part-1.parquet, and not a path."""
    return "://" in name


def open_file(name: str) -> IO[bytes] | Any:
    """Open a local or remote file for reading.

    Raises OSError if the file does not exist.
    """
    if is_remote(name):
        remote = _remote_file(name)
        return remote.system.open(remote.path, "rb")
    return Path(name).open("rb")


def size_of(name: str) -> int:
    """Return the size of a file in bytes, or 0 if it is unknown."""
    try:
        if is_remote(name):
            remote = _remote_file(name)
            return int(remote.system.size(remote.path) or 0)
        return Path(name).stat().st_size
    except OSError:
        return 0


def expand_patterns(names: Iterable[str]) -> list[str]:
    """Return the names of the files; patterns are expanded. Raises Unusable.

    A pattern is a name with an asterisk that no shell has expanded. Unusable is raised if no file
    matches a pattern.
    """
    all_names: list[str] = []
    for name in names:
        if "*" not in name:
            all_names.append(name)
            continue
        if is_remote(name):
            remote = _remote_file(name)
            paths = sorted(remote.system.glob(remote.path))
            matches = [remote.system.unstrip_protocol(path) for path in paths]
        else:
            matches = sorted(glob.glob(name))
        if not matches:
            raise Unusable(f"No file is called {name}.")
        all_names += matches
    return all_names


def _remote_file(name: str) -> _RemoteFile:
    """Return a remote file. Raises Unusable if nothing installed can open it."""
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise Unusable(f'{name} is far away: pip install "candor-mechanisms[batches]".') from error
    # The kind of address may need one more package, or be unknown.
    try:
        system, path = url_to_fs(name)
    except (ImportError, ValueError) as error:
        raise Unusable(f"{name} cannot be opened: {error}") from error
    return _RemoteFile(system=system, path=path)
