"""One version, and everywhere the same: on the command line, in the API, in the workspace and in what one cites."""

import os
import re
import shutil
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from django.test import Client

from tests.factories.surveys import create_researcher
from tests.servers import subprocesses

ROOT = Path(__file__).resolve().parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


@pytest.mark.parametrize("asked", ["--version", "version"])
def test_the_command_line_says_it_without_any_setting(asked: str) -> None:
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("SECRET_KEY", "DATABASE_URL")
    }
    command = [sys.executable, "manage.py", asked]
    done = subprocesses.run(command, cwd=ROOT, env=environment)
    assert done.stdout == f"Candor {VERSION}\n"


@pytest.mark.django_db
def test_the_api_says_it(client: Client) -> None:
    assert client.get("/api/v1/schema/?format=json").json()["info"]["version"] == VERSION


@pytest.mark.django_db
def test_the_workspace_says_it_to_those_who_are_logged_in(client: Client) -> None:
    assert VERSION not in client.get("/").content.decode()
    client.force_login(create_researcher())
    assert f"<li>Candor {VERSION}</li>" in client.get("/surveys/").content.decode()


def test_what_one_cites_is_this() -> None:
    """The keys that the Citation File Format 1.2 requires, and those of ours that could grow old."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors"} <= cited.keys()
    assert (cited["cff-version"], str(cited["version"]), cited["license"]) == (
        "1.2.0",
        VERSION,
        "MIT",
    )
    assert all(author.keys() & {"name", "family-names"} for author in cited["authors"])


@pytest.mark.parametrize("page", ["deployment.md", "upgrading.md"])
def test_the_commit_that_stands_for_a_tag_is_that_version(page: str) -> None:
    """A copy may have come without tags."""
    version, commit = "0.2.0", "e9756673c9a8bc6eeaa6980bd7e1272edaf93bf4"
    text = (ROOT / "docs" / page).read_text()
    assert f"git checkout v{version}" in text
    assert re.findall(r"\b[0-9a-f]{40}\b", text) == [commit]
    git = shutil.which("git")
    if git is None:
        pytest.skip("git is not installed")
    show = [git, "show", f"{commit}:pyproject.toml"]
    try:
        project = subprocesses.run(show, cwd=ROOT)
    except AssertionError:
        pytest.skip("this copy of the program has no history")
    assert tomllib.loads(project.stdout)["project"]["version"] == version
