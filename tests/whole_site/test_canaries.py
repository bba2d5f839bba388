"""The search of a sweep finds a canary however it is written, and in whatever kind of place it is."""

import base64
import json
import quopri
import sqlite3
import subprocess
import sys
import urllib.parse
import uuid
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path

import psycopg
import pytest

from tests.servers import subprocesses
from tests.servers.postgres import Postgres, create_quiet_server
from tests.whole_site.sweep.canaries import CHUNK, KINDS, Canaries
from tests.whole_site.sweep.places import (
    Place,
    backup_content,
    can_read_memory,
    files_below,
    files_of_postgres,
    files_of_sqlite,
    memory_of,
)

TEXT = "Zoë’s 12=3 canaries"
KEY = uuid.UUID("6f1c2f0e-8a53-4c0e-9f6e-3b1d5a7c9e21")
BYTES = bytes(range(245, 256)) + b"\\\x00\x01 ="

# How programs write a text or bytes. None of these uses the encodings of the search.
Writer = Callable[[bytes], bytes]
WRITERS: dict[str, Writer] = {
    "as it is": lambda value: value,
    "hexadecimal": lambda value: value.hex().encode(),
    "hexadecimal in capitals": lambda value: value.hex().upper().encode(),
    "base64": base64.b64encode,
    "base64, second place": lambda value: base64.b64encode(b"!" + value + b"??"),
    "base64, third place": lambda value: base64.b64encode(b"!!" + value + b"?"),
    "base64url": base64.urlsafe_b64encode,
    "base64url, second place": lambda value: base64.urlsafe_b64encode(b"\xff" + value + b"?"),
    "base64url, third place": lambda value: base64.urlsafe_b64encode(b"\xff\xff" + value),
    "percent": lambda value: urllib.parse.quote(value, safe="").encode(),
    "form": lambda value: urllib.parse.urlencode({"field": value}).encode(),
}
TEXT_WRITERS: dict[str, Writer] = {
    "utf-16-le": lambda value: value.decode().encode("utf-16-le"),
    "utf-16-be": lambda value: value.decode().encode("utf-16-be"),
    "json": lambda value: json.dumps({"field": [value.decode()]}).encode(),
    "quoted-printable": quopri.encodestring,
}


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    server = create_quiet_server()
    yield server
    server.remove()


def planted(value: bytes) -> Canaries:
    """Return canaries of which this value is one among many."""
    canaries = Canaries()
    for number in range(100):
        canaries.plant("name", f"Zoë Canary {number:010}")
    canaries.plant("survey text", value)
    return canaries


def is_found(canaries: Canaries, data: bytes) -> bool:
    return {canary.kind for canary in canaries.search(data)} == {"survey text"}


@pytest.mark.parametrize("value", [TEXT.encode(), KEY.bytes, BYTES], ids=["text", "key", "bytes"])
@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS)
def test_canary_is_found_in_each_encoding(writer: Writer, value: bytes) -> None:
    assert is_found(planted(value), b"before " + writer(value) + b" after")


@pytest.mark.parametrize("writer", TEXT_WRITERS.values(), ids=TEXT_WRITERS)
def test_text_is_found_in_each_encoding_of_texts(writer: Writer) -> None:
    value = TEXT.encode()

    written = writer(value)

    assert value not in written
    assert is_found(planted(value), b"before " + written + b" after")


def test_text_is_found_in_a_mail() -> None:
    message = EmailMessage()
    message.set_content(f"Dear {TEXT},\nplease answer.", cte="quoted-printable")

    assert is_found(planted(TEXT.encode()), bytes(message))


def test_key_is_found_with_dashes() -> None:
    assert is_found(planted(KEY.bytes), f'"key": "{KEY}"'.encode())


def test_bytes_are_found_as_postgresql_escapes_them(server: Postgres) -> None:
    with psycopg.connect(server.url) as connection:
        query = "SELECT encode(%s::bytea, 'escape')"
        (written,) = connection.execute(query, [BYTES]).fetchone()

    assert is_found(planted(BYTES), written.encode())


@pytest.mark.parametrize("place", [0, 1, CHUNK - 9, CHUNK - 1, CHUNK, 2 * CHUNK + 1])
def test_canary_is_found_at_any_place(place: int) -> None:
    value = TEXT.encode()

    assert is_found(planted(value), bytes(place) + value)


def test_nothing_is_found_where_no_canary_is() -> None:
    canaries = planted(KEY.bytes)

    cut_off = KEY.bytes[:-1]

    assert canaries.search(b"") == set()
    assert canaries.search("Zoë Canary".encode() * 100) == set()
    assert canaries.search(cut_off + b"?" + cut_off.hex().encode()) == set()


def test_short_value_and_unknown_kind_are_refused() -> None:
    canaries = Canaries()

    with pytest.raises(ValueError, match="too short"):
        canaries.plant(KINDS[0], "1234567")
    with pytest.raises(ValueError, match="no kind"):
        canaries.plant("names", TEXT)


def names_of_places(canaries: Canaries, places: Iterator[Place]) -> set[str]:
    """Return the names of the places that hold the value."""
    return {place.name for place in places if is_found(canaries, place.data)}


def test_canary_is_found_in_files_of_all_folders(tmp_path: Path) -> None:
    (tmp_path / "one" / "two").mkdir(parents=True)
    (tmp_path / "one" / "two" / "file").write_text(TEXT)
    (tmp_path / "empty").touch()

    (tmp_path / "journal").write_text(TEXT)

    places = files_below(tmp_path, "folder", {"journal": "the journal"})

    assert names_of_places(planted(TEXT.encode()), places) == {"folder", "the journal"}


def test_canary_is_found_in_each_file_of_sqlite(tmp_path: Path) -> None:
    canaries = planted(TEXT.encode())
    file = tmp_path / "site.sqlite3"
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("CREATE TABLE canaries (value)")
    connection.execute("INSERT INTO canaries VALUES (?)", [TEXT])

    in_log = names_of_places(canaries, files_of_sqlite(file))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    in_file = names_of_places(canaries, files_of_sqlite(file))
    connection.close()

    assert in_log == {"SQLite's file-wal"}
    assert in_file == {"SQLite's file"}


def test_canary_is_found_in_each_place_of_postgresql(server: Postgres, tmp_path: Path) -> None:
    """Also in a deleted row, in statistics, in the log and in a dump."""
    canaries = planted(TEXT.encode())
    database = server.fresh_database()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE TABLE canaries (value text PRIMARY KEY, long text, dead text)")
        connection.execute("ALTER TABLE canaries ALTER COLUMN long SET STORAGE EXTERNAL")
        connection.execute("CREATE TABLE gone (value text)")
        long_text = "." * 5000 + TEXT
        connection.execute("INSERT INTO canaries VALUES (%s, %s)", [TEXT, long_text])
        # Of one value there are no statistics.
        connection.execute("INSERT INTO canaries VALUES ('another'), ('yet another')")
        connection.execute("INSERT INTO gone VALUES (%s)", [TEXT])
        connection.execute("ANALYZE canaries")
        connection.execute("DELETE FROM gone")
        connection.execute(f"DO $$ BEGIN RAISE LOG '{TEXT}'; END $$")
    dump = tmp_path / "canaries.dump"
    command = [server.bin / "pg_dump", "--format", "custom", "--file", dump, database]
    subprocesses.run(command)

    names = names_of_places(canaries, files_of_postgres(server, database))

    assert names == {
        "canaries",
        "canaries (index)",
        "canaries (long values)",
        "gone",
        "pg_statistic",
        "pg_wal",
        "PostgreSQL's log",
    }
    assert not is_found(canaries, dump.read_bytes())
    assert is_found(canaries, backup_content(dump, server.bin))


def test_file_of_another_database_is_no_relation_of_this_one(server: Postgres) -> None:
    this_one, other = server.fresh_database(), server.fresh_database()
    with psycopg.connect(other, autocommit=True) as connection:
        connection.execute("CREATE TABLE canaries AS SELECT %s AS value", [KEY])

    places = files_of_postgres(server, this_one)

    assert names_of_places(planted(KEY.bytes), places) == {"another database", "pg_wal"}


def test_canary_is_found_in_the_memory_of_a_process() -> None:
    value = KEY.hex.encode()
    program = "import sys; value = sys.stdin.buffer.readline(); print(flush=True); sys.stdin.read()"
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        process.stdin.write(value + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        if not can_read_memory(process.pid):
            pytest.skip("this account cannot read the memory of a process")
        names = names_of_places(planted(value), memory_of(process.pid, "memory"))
    finally:
        process.communicate()

    assert names == {"memory"}
