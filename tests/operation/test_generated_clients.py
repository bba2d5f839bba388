"""Clients that others' generators make of the API's schema drive a survey from its draft to its report."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.conftest import Site, migrated_file, serving
from tests.javascript.node import find
from tests.servers import subprocesses

pytestmark = [pytest.mark.long, pytest.mark.once]
HERE = Path(__file__).parent / "generated"
TOKEN = (
    "from tests.factories.surveys import create_researcher; from surveys.accounts.tokens import issue_token; "
    "print(issue_token(create_researcher('ada'), 'x', ['write', 'reports']))"
)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    yield from serving(Site(tmp_path, migrated_file(tmp_path)))


@pytest.fixture
def asked(site: Site, tmp_path: Path) -> list[str]:
    """The address of a running site, and a token; its schema lies beside."""
    site.manage("spectacular", "--format", "openapi-json", "--file", str(tmp_path / "schema.json"))
    token = site.shell(TOKEN).strip()
    site.start()
    return [f"http://127.0.0.1:{site.port}", token]


def installed(command: list[object], folder: Path) -> None:
    """Skips the test, with the reason, where it cannot be."""
    try:
        subprocesses.run(command, cwd=folder, timeout=600)
    except (AssertionError, subprocess.TimeoutExpired) as wrong:
        pytest.skip(f"cannot be installed here: {wrong}")


def test_the_client_of_openapi_python_client(asked: list[str], tmp_path: Path) -> None:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    generate = ["openapi-python-client", "generate", "--path", "schema.json", "--meta", "none"]
    made = subprocesses.run(
        [*generate, "--output-path", "candor_api"], cwd=tmp_path, env=environment
    )
    assert "will be omitted from generated client" not in made.stdout + made.stderr  # of an answer
    shutil.copy(HERE / "drive.py", tmp_path)
    seen(json.loads(subprocesses.run([sys.executable, "drive.py", *asked], cwd=tmp_path).stdout))


def test_the_types_of_openapi_typescript(asked: list[str], tmp_path: Path) -> None:
    node, npm = find(), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("there is no Node with npm")
    for file in ("package.json", "drive.ts"):
        shutil.copy(HERE / file, tmp_path)
    installed([npm, "install", "--no-audit", "--no-fund"], tmp_path)
    tools = tmp_path / "node_modules" / ".bin"
    subprocesses.run(
        [tools / "openapi-typescript", "schema.json", "--output", "schema.ts"], cwd=tmp_path
    )
    strict = ["--strict", "--module", "nodenext", "--target", "es2022", "--lib", "es2022,dom"]
    subprocesses.run([tools / "tsc", *strict, "drive.ts"], cwd=tmp_path)
    seen(json.loads(subprocesses.run([node, "drive.js", *asked], cwd=tmp_path).stdout))


def seen(told: dict) -> None:
    assert (told["status"], told["n"], told["questions"]) == ("closed", 40, ["tax"])
    assert told["refused"]["status"] == 422
    assert "title" in told["refused"]["errors"]
