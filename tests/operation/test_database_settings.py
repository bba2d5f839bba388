"""What DATABASE_URL says about the connection is heard."""

import json
import os
import shlex
import subprocess
import sys

import pytest
from django.conf import settings

from tests.servers import subprocesses

ASK = "import json; from config.settings import DATABASES; print(json.dumps(DATABASES['default']['OPTIONS']))"


def options(address: str) -> dict:
    command = [sys.executable, "-c", ASK]
    environment = os.environ | {"DATABASE_URL": address, "SECRET_KEY": "x"}
    return json.loads(subprocesses.run(command, cwd=settings.BASE_DIR, env=environment).stdout)


def test_the_examples_secret_is_refused() -> None:
    example = (settings.BASE_DIR / "docs/deploy/environment").read_text()
    line = next(line for line in example.splitlines() if line.startswith("SECRET_KEY="))
    (secret,) = shlex.split(line.removeprefix("SECRET_KEY="))
    assert "SECRET_KEY is still the example’s" in refused(SECRET_KEY=secret)


def test_a_ticket_key_that_can_be_guessed_is_refused() -> None:
    """One of several too."""
    assert "TICKET_KEY can be guessed" in refused(TICKET_KEY=f"{'a' * 50},short")


def refused(**environment: str) -> str:
    """Why nothing starts with this in the environment."""
    command = [sys.executable, "-c", "import config.settings"]
    return subprocesses.run(
        command, code=1, cwd=settings.BASE_DIR, env=os.environ | environment
    ).stderr


def test_postgres_prepares_statements() -> None:
    found = options("postgres://candor@db.example/candor")
    assert found["server_side_binding"] is True
    assert found["prepare_threshold"] == 5


def test_the_address_can_ask_for_encryption() -> None:
    found = options("postgres://candor@db.example/candor?sslmode=require")
    assert found["sslmode"] == "require"
    assert found["connect_timeout"]


@pytest.mark.parametrize(
    "pooler", ["prepare_threshold=None", "prepare_threshold=none", "server_side_binding=0"]
)
def test_behind_a_pooler_nothing_is_kept_on_a_connection_and_values_stay_out_of_statements(
    pooler: str,
) -> None:
    """The last is how it was documented before: PostgreSQL logged the values of statements that failed."""
    address = f"postgres://candor@db.example/candor?sslmode=require&{pooler}"
    connection = options(address)
    assert (connection["prepare_threshold"], connection["server_side_binding"]) == (None, True)
    assert connection["sslmode"] == "require"
    run = setting("DATABASES['default']['DISABLE_SERVER_SIDE_CURSORS']", DATABASE_URL=address)
    assert run.stdout.strip() == "True"


def setting(name: str, code: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a setting is in a process of its own, started elsewhere than in the program's folder."""
    command = [sys.executable, "-c", f"from config.settings import *; print({name})"]
    away = {
        **os.environ,
        "SECRET_KEY": "x",
        "PYTHONPATH": str(settings.BASE_DIR),
        "DATABASE_URL": "",
        "DEBUG": "0",
    }
    return subprocesses.run(command, code=code, cwd="/", env=away | environment)


def test_no_database_is_taken_that_nobody_asked_for() -> None:
    """A command without the service's environment would work on an empty file, and say that all went well."""
    run = setting("DATABASES", code=1)
    assert (
        f"or for a file to sqlite:///{settings.BASE_DIR}/var/candor.sqlite3"
        in run.stderr.splitlines()[-1]
    )
    assert "candor.sqlite3" in setting("DATABASES", DEBUG="1").stdout


def test_a_file_is_the_same_one_wherever_a_command_is_started() -> None:
    run = setting("DATABASES['default']['NAME']", DATABASE_URL="sqlite:///var/candor.sqlite3")
    assert run.stdout.strip() == str(settings.BASE_DIR / "var/candor.sqlite3")
