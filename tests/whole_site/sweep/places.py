"""Places where a machine keeps bytes: files, the relations of PostgreSQL, backups, memory."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import psycopg

from tests.servers import subprocesses
from tests.servers.postgres import Postgres

# The file of each relation of a database, and its name. An index carries the name of its table, and
# a table of long values (TOAST) that of the table that they belong to.
_RELATIONS = """
    SELECT pg_relation_filepath(c.oid), CASE
        WHEN owner.relname IS NOT NULL THEN owner.relname || ' (long values)'
        WHEN indexed.relname IS NOT NULL THEN indexed.relname || ' (index)'
        ELSE c.relname END
    FROM pg_class c
    LEFT JOIN pg_index i ON i.indexrelid = c.oid
    LEFT JOIN pg_class indexed ON indexed.oid = i.indrelid
    LEFT JOIN pg_class owner ON owner.reltoastrelid IN (c.oid, i.indrelid)
    WHERE pg_relation_filepath(c.oid) IS NOT NULL
"""
# A large relation has several files, and each may have a map of its free space.
_RELATION_SUFFIX = re.compile(r"(_fsm|_vm|_init)?(\.\d+)?$")


class Place(NamedTuple):
    """A place and its bytes. Several places, such as the files of a relation, may share a name."""

    name: str
    data: bytes


def files_below(
    folder: Path, name: str, names_by_file: Mapping[str, str] | None = None
) -> Iterator[Place]:
    """Yield each file of a folder and of its folders as a place with this name.

    A file that is deleted meanwhile is left out.

    names_by_file: other names for files that are called like this.
    """
    names_by_file = names_by_file or {}
    for parent, _, files in os.walk(folder):
        for file in files:
            path = Path(parent, file)
            # Sockets cannot be read.
            if path.is_file():
                try:
                    yield Place(name=names_by_file.get(file, name), data=path.read_bytes())
                except FileNotFoundError:
                    continue


def files_of_sqlite(database: Path) -> Iterator[Place]:
    """Yield the file of SQLite, its write-ahead log, and the index of that."""
    for path in sorted(database.parent.glob(f"{database.name}*")):
        name = "SQLite's file" + path.name.removeprefix(database.name)
        yield Place(name=name, data=path.read_bytes())


def files_of_postgres(server: Postgres, database: str) -> Iterator[Place]:
    """Yield all files of a PostgreSQL server, after a checkpoint, and its log.

    A file of a relation has the name of the relation, and any other file that of its folder. A
    file of the database that belongs to no relation is called “no relation”.

    database: the address of the database whose relations are named.
    """
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        relation_by_file = dict(connection.execute(_RELATIONS).fetchall())
        query = "SELECT oid FROM pg_database WHERE datname = current_database()"
        (database_oid,) = connection.execute(query).fetchone()

    for parent, _, files in os.walk(server.data):
        for file in files:
            path = Path(parent, file)
            relative = str(path.relative_to(server.data))
            name = relation_by_file.get(_RELATION_SUFFIX.sub("", relative))
            if name is None:
                name = _folder_name(relative, database_oid)
            try:
                yield Place(name=name, data=path.read_bytes())
            except FileNotFoundError:
                continue
    yield Place(name="PostgreSQL's log", data=(server.folder / "log").read_bytes())


def _folder_name(relative: str, database_oid: int) -> str:
    """Return the name of a file of PostgreSQL that belongs to no relation of the database.

    relative: the path of the file in PostgreSQL's folder.
    """
    if relative.startswith(f"base/{database_oid}/"):
        return "no relation"
    if relative.startswith("base/"):
        return "another database"
    return relative.partition("/")[0]


def backup_content(backup: Path, programs: Path | None) -> bytes:
    """Return the bytes of a backup; for a dump of PostgreSQL, the text that a restore runs.

    programs: the folder of the programs of PostgreSQL, or None for a copy of SQLite's file.
    """
    if programs is None:
        return backup.read_bytes()
    return subprocesses.run([programs / "pg_restore", "--file", "-", backup]).stdout.encode()


def can_read_memory(process: int) -> bool:
    """Return whether this process may read the memory of another one."""
    try:
        return any(_memory_regions(process))
    except OSError:
        return False


def memory_of(process: int, name: str) -> Iterator[Place]:
    """Yield the private memory that a process can write to, region by region, as one place.

    It can be read on Linux only, and often only by root.
    """
    for data in _memory_regions(process):
        yield Place(name=name, data=data)


def _memory_regions(process: int) -> Iterator[bytes]:
    """Yield the bytes of each private, writable region of the memory of a process."""
    maps = Path(f"/proc/{process}/maps").read_text()
    with open(f"/proc/{process}/mem", "rb", 0) as memory:
        for line in maps.splitlines():
            start, end, mode = re.match(r"([0-9a-f]+)-([0-9a-f]+) (\S+)", line).groups()
            if mode != "rw-p":
                continue
            try:
                memory.seek(int(start, 16))
                yield memory.read(int(end, 16) - int(start, 16))
            except (OSError, OverflowError):
                # The region is gone, or is one of the kernel's own.
                continue
