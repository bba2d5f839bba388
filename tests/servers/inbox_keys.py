"""Inbox keys for copies of a migrated database: each copy needs a key of its own."""

import sqlite3
import uuid
from pathlib import Path

import psycopg
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey


def draw_inbox_key(database: str, folder: Path) -> None:
    """Replace the inbox key of a database in which nothing waits, without starting a program.

    database: the address of the database, as DATABASE_URL has it.
    folder: the folder of private keys, which is created.
    """
    private_key = X25519PrivateKey.generate()
    key = uuid.uuid4()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = folder / key.hex
    file.touch(mode=0o600)
    file.write_bytes(private_key.private_bytes_raw())
    public = private_key.public_key().public_bytes_raw()

    insert = "INSERT INTO surveys_inboxkey (id, public, is_current) VALUES ({}, {}, {})"
    if database.startswith("sqlite"):
        connection = sqlite3.connect(database.removeprefix("sqlite:///"))
        values = (key.hex, public, True)
        mark = "?"
    else:
        connection = psycopg.connect(database)
        values = (key, public, True)
        mark = "%s"
    try:
        connection.execute("DELETE FROM surveys_inboxkey")
        connection.execute(insert.format(mark, mark, mark), values)
        connection.commit()
    finally:
        connection.close()
