"""The recipes for the API run from top to bottom on a served site, each in its own language."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.code_blocks import DOCS, program
from tests.faults.conftest import Site, migrated_file, serving
from tests.javascript import node
from tests.servers import subprocesses
from tests.servers.r import RSCRIPT, needs_r

MAKE = """
from surveys.authoring.drafts.drafts import save_question
from surveys.fieldwork.responses.closing import close_survey
from surveys.accounts.tokens import issue_token
from tests.factories.surveys import publish_survey
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import create_draft, create_researcher

survey = create_draft(create_researcher({name!r}), title="Work")
save_question(survey=survey, key="tax", kind="yes-no", text="Tax?", design="two-coin")
save_question(survey=survey, key="sector", kind="background", text="Where?", choices=["Public", "Private"])
made = publish_survey(survey)
add_invented_responses(made, 2000)
close_survey(made.survey)
print(issue_token(survey.owner, "recipes"))
"""
LEFT = """
from surveys.models import Response, Survey
made = Survey.objects.get(owner__username={name!r}, title="Work and taxes")
print(made.status, Response.objects.filter(instrument__survey=made).count())
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("recipes")
    site = Site(folder, migrated_file(folder))
    site.start()
    yield from serving(site)


def run(site: Site, folder: Path, language: str, *command: str) -> str:
    """As a researcher of their own, with a closed survey that has 2,000 responses."""
    environment = os.environ | {
        "CANDOR_ADDRESS": f"http://127.0.0.1:{site.port}",
        "no_proxy": "127.0.0.1",
    }
    environment |= {
        "CANDOR_TOKEN": site.shell(MAKE.format(name=language)),
        "PYTHONPATH": str(DOCS.parent),
    }
    (folder / command[-1]).write_text(program(f"recipes/{language}.md", language))
    asked = {"cwd": folder, "env": environment, "timeout": 300}
    done = subprocesses.run(command, **asked)
    return done.stdout


def left(site: Site, language: str) -> str:
    """The state of the survey that the program has made, and how many responses came to it."""
    return site.shell(LEFT.format(name=language))


def test_python(site: Site, tmp_path: Path) -> None:
    assert "tax Yes" in run(site, tmp_path, "python", sys.executable, "recipe.py")
    assert left(site, "python") == "closed 1"
    assert len((tmp_path / "responses.csv").read_text().splitlines()) == 2001


def test_javascript(site: Site, tmp_path: Path) -> None:
    found = node.find()
    if found is None:
        pytest.skip("no Node 20 or newer: `make test` installs one from a wheel")
    (tmp_path / "static").symlink_to(DOCS.parent / "static")
    assert "tax Yes" in run(site, tmp_path, "javascript", found, "recipe.mjs")
    assert left(site, "javascript") == "closed 1"
    assert len((tmp_path / "responses.csv").read_text().splitlines()) == 2001


@needs_r
def test_r(site: Site, tmp_path: Path) -> None:
    (tmp_path / "recipe.R").write_text(program("recipes/r.md", "r"))
    look = "invisible(parse('recipe.R')); cat(requireNamespace('httr2', quietly = TRUE))"
    looked = subprocesses.run([RSCRIPT, "-e", look], cwd=tmp_path)
    if "FALSE" in looked.stdout:
        pytest.skip(
            "R can read the program; it is not run, since the package httr2 is not installed"
        )
    assert re.search("tax +Yes", run(site, tmp_path, "r", RSCRIPT, "recipe.R"))
    assert left(site, "r") == "closed 0"
