"""Child processes of tests: one that fails shows its exit code and all that it said."""

import ast
import re
import sys
from pathlib import Path

import pytest

from tests.helpers.source_files import all_test_files
from tests.servers import subprocesses
from tests.servers.commands import ENVIRONMENT_OF_LOADER, Commands

ROOT = Path(__file__).resolve().parents[2]
SAYING_BOTH = "import sys; print('to the one'); print('to the other', file=sys.stderr); sys.exit(3)"
# They start programs before there are any tests, for people who look on, or ask only whether they can be started.
OWN = {"subprocesses.py", "postgres.py", "chromium.py", "node.py", "fake_programs.py"}


def assert_shows_all(shown: str, code: int) -> None:
    assert f"ended with {code} instead of 0" in shown
    assert re.search("stdout\nto the one\n.*stderr\nto the other\n", shown, re.DOTALL)


def test_a_program_that_fails_shows_how_it_ended_and_both_streams() -> None:
    with pytest.raises(AssertionError) as failure:
        subprocesses.run([sys.executable, "-c", SAYING_BOTH])
    assert_shows_all(str(failure.value), 3)
    assert subprocesses.run([sys.executable, "-c", SAYING_BOTH], code=3).stdout == "to the one\n"


def test_a_command_that_fails_shows_how_it_ended_and_both_streams() -> None:
    commands = Commands(ENVIRONMENT_OF_LOADER)
    failing = ("shell", "--no-imports", "-c", SAYING_BOTH)
    with pytest.raises(AssertionError) as failure:
        commands.run(*failing)
    assert_shows_all(str(failure.value), 3)
    with pytest.raises(AssertionError) as failure:
        commands.start("manage.py", *failing).finish()
    assert_shows_all(str(failure.value), 3)


def test_a_server_that_ends_shows_how_it_ended_and_its_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    server = Commands(ENVIRONMENT_OF_LOADER).start("gunicorn", "nowhere.at_all", log=log)
    server.wait()
    with pytest.raises(
        AssertionError, match=r"(?s)gunicorn nowhere\.at_all\nended with 1 .*No module named"
    ):
        subprocesses.expect_running(server, log)


def test_a_loader_that_has_ended_shows_what_it_said() -> None:
    commands = Commands(
        ENVIRONMENT_OF_LOADER, launcher=(sys.executable, "-c", "import sys; sys.exit('gone')")
    )
    with pytest.raises(AssertionError, match=r"(?s)ended with 1 .*stderr\ngone"):
        commands.run("version")


def hides(node: ast.AST) -> bool:
    """Whether a program is run to its end outside tests/servers/subprocesses.py, or its code is asserted by itself."""
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) in {
            f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output")
        }
    return isinstance(node, ast.Assert) and bool(
        re.search(r"\.(returncode|wait\(\)|poll\(\))", ast.unparse(node))
    )


def test_no_test_hides_what_a_child_said() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{each.lineno}"
        for file in all_test_files()
        if file.name not in OWN
        for each in ast.walk(ast.parse(file.read_text()))
        if hides(each)
    ]
    assert not found, f"use tests/servers/subprocesses.py: {', '.join(found)}"
