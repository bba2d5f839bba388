"""A browser is found where there is one; where there is none, the tests of pages fail instead of passing unseen."""

import os
import re
import subprocess
import sys

import pytest

from tests.browser import chromium
from tests.browser.conftest import ROOT
from tests.servers import subprocesses

NOWHERE = {"CHROMIUM": "/nowhere/chromium"}


def run(*module: str) -> subprocess.CompletedProcess:
    """In a process that is told of a browser which is not there, and fails."""
    outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", *module]
    return subprocesses.run(command, code=1, cwd=ROOT, env=outside | NOWHERE)


def test_without_a_browser_the_tests_fail_and_say_so() -> None:
    done = run(
        "pytest",
        "-p",
        "no:cacheprovider",
        "tests/browser/test_respondent.py",
        "-k",
        "yes_stands_before_no",
    )
    assert "There is no Chromium for the browser tests" in done.stdout
    assert re.search(r"\b1 error\b", done.stdout)
    assert "skipped" not in done.stdout


def test_a_wrong_name_is_told_before_anything_is_installed() -> None:
    done = run("tests.browser.chromium")
    assert done.stderr.startswith("CHROMIUM is /nowhere/chromium, and no program is there.")
    assert done.stdout == ""


def test_the_chosen_browser_goes_before_the_usual_names(monkeypatch: pytest.MonkeyPatch) -> None:
    found = chromium.find()
    assert os.access(found, os.X_OK)
    monkeypatch.setenv("CHROMIUM", sys.executable)
    assert chromium.find() == sys.executable
    monkeypatch.setenv("CHROMIUM", found)
    monkeypatch.setenv("PATH", "")
    assert chromium.find() == found
