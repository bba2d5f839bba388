"""The commands of the pages about files, as they stand there: root’s, and those that speak to the API with curl.

tests/operation/test_documented.py runs those of the deployment, test_batches.py of the statistical packages runs those
of the cluster, tests/operation/test_generated_clients.py what writes clients. Nothing here reaches s3://.
"""

import io
import json
import os
import re
import sys
from collections.abc import Iterator

import pyarrow.parquet as pq
import pytest

from features.response_import.tests.test_import_docs import QUESTIONS
from tests.docs.code_blocks import DOCS, program
from tests.faults.conftest import Site, migrated_file, serving
from tests.servers import subprocesses

MAKE = f"""
from surveys.authoring.drafts.drafts import create_survey, save_question
from surveys.accounts.tokens import issue_token
from surveys.fieldwork import lifecycle
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import create_published, create_researcher

ada = create_researcher("ada")
paper = create_survey(owner=ada, title="By telephone", import_only=True)
for question in {QUESTIONS[0]!r}:
    save_question(survey=paper, **question)
lifecycle.lock_questions(paper)
screen = create_published(ada)
add_invented_responses(screen, 30)
print(paper.slug, screen.survey.slug, issue_token(ada, "commands"))
"""
COUNT = "from surveys.models import Instrument; print(Instrument.objects.get(survey__slug={slug!r}).tally.get('n', 0))"


def typed(page: str, *beginnings: str) -> list[str]:
    """Lines of a page that are typed and begin so, without the mark of root’s; each beginning is there."""
    lines = re.findall(r"(?m)^    (?:# )?(\S.*)$", (DOCS / page).read_text())
    commands = [line for line in lines if line.startswith(beginnings)]
    assert all(any(line.startswith(start) for line in commands) for start in beginnings)
    return commands


class Shell:
    """In a folder with the files of the pages. `candor` is manage.py with the site’s environment."""

    def __init__(self, site: Site) -> None:
        self.site, self.folder = site, site.folder
        self.paper, self.screen, token = site.shell(MAKE).split()
        (self.folder / "candor").write_text(
            f'#!/bin/sh\nexec {sys.executable} {DOCS.parent}/manage.py "$@"\n'
        )
        (self.folder / "candor").chmod(0o755)
        self.environment = site.environment | {
            "PATH": f"{self.folder}:{os.environ['PATH']}",
            "CANDOR_ADDRESS": f"http://127.0.0.1:{site.port}",
            "CANDOR_TOKEN": token,
            "no_proxy": "127.0.0.1",
        }
        (self.folder / "responses.csv").write_text(
            program("importing.md", "csv").partition("Cannabis")[0]
        )
        (self.folder / "mapping.json").write_text(
            re.search(r"```json\n(.*?)```", IMPORTING, re.DOTALL)[1]
        )
        (self.folder / "form.csv").write_text(program("xlsform.md", "csv"))

    def run(self, *lines: str) -> str:
        script = "\n".join(("set -e", *lines))
        return subprocesses.run(
            ["bash", "-c", script], cwd=self.folder, env=self.environment
        ).stdout

    def count(self) -> int:
        """Responses in the survey that takes files."""
        return int(self.site.shell(COUNT.format(slug=self.paper)))


IMPORTING = (DOCS / "importing.md").read_text()


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    folder = tmp_path_factory.mktemp("commands")
    site = Site(folder, migrated_file(folder))
    site.start()
    for _ in serving(site):
        yield Shell(site)


def test_responses_leave_by_root_s_command(shell: Shell) -> None:
    (command,) = typed("exporting.md", "candor")
    content = shell.run(
        command.replace("SLUG", shell.screen).replace("> responses", "> taken"), "cat taken.csv"
    )
    assert len(content.splitlines()) == 31


def test_so_does_the_file_that_is_counted_elsewhere(shell: Shell) -> None:
    (command,) = typed("many-responses.md", "candor")
    assert shell.run(command.replace("SLUG", shell.screen)) == ""
    assert pq.read_table(io.BytesIO((shell.folder / "site-a.parquet").read_bytes())).num_rows == 30
    shell.run("cp site-a.parquet site-b.parquet")
    here = f"PYTHONPATH={DOCS.parent} {sys.executable}"
    alone, together = typed("many-responses.md", "python -m mechanisms.batches site-")
    assert "30" in shell.run(alone.replace("python", here, 1))
    assert json.loads(shell.run(together.replace("python", here, 1)))["n"] == 60


def test_a_form_becomes_a_draft(shell: Shell) -> None:
    (command,) = typed("xlsform.md", "candor")
    assert "The draft “Work and money” has 5 questions" in shell.run(
        command.replace(".xlsx", ".csv")
    )


def test_responses_come_in_by_root_s_command(shell: Shell) -> None:
    before = shell.count()
    (command,) = typed("importing.md", "candor")
    assert "3 responses imported into “By telephone”." in shell.run(
        command.replace("SLUG", shell.paper)
    )
    assert shell.count() == before + 3


def test_responses_come_in_through_the_api(shell: Shell) -> None:
    """What is begun answers with its ID, which a person would copy into the lines that follow."""
    before = shell.count()
    define, where, begin, *others = typed(
        "importing.md", "ask()", "imports=", "ask --json", "split", "ask"
    )
    where = where.replace("SLUG", shell.paper)
    begun = shell.run(define, where, begin)
    (number,) = re.findall(r'"id": ?"([0-9a-f-]{36})"', begun)
    assert shell.count() == before
    said = shell.run(define, where, *(line.replace("/ID/", f"/{number}/") for line in others))
    assert '"preview":{"n":3' in said.replace(" ", "")
    assert shell.count() == before + 3
