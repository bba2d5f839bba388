"""The API and its schema, as programs of others see them: schemathesis with all its checks."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import Site, prepared
from tests.servers import subprocesses

SECONDS = int(os.environ.get("FUZZED_SECONDS", "300"))
ROOT = Path(__file__).resolve().parents[2]
CONFIG = Path(__file__).with_name("schemathesis.toml")
MAKE = """
import json
from django.contrib.auth import get_user_model
from surveys.fieldwork.responses.closing import close_survey
from surveys.accounts.tokens import issue_token
from surveys.fieldwork.lifecycle import lock_questions
from tests.factories import surveys
from tests.factories.many_responses import add_invented_responses
owner = get_user_model().objects.create_user("programs")
draft = surveys.create_draft(owner)
surveys.add_yes_no(draft)
opened, closed = surveys.create_published(owner), surveys.create_published(owner)
for instrument in (opened, closed):
    add_invented_responses(instrument, 300)
close_survey(closed.survey, owner)
filling = surveys.create_draft(owner, import_only=True)
surveys.add_yes_no(filling)
lock_questions(filling)
slugs = {"DRAFT": draft.slug, "OPEN": opened.survey.slug, "CLOSED": closed.survey.slug, "FILLING": filling.slug}
print(json.dumps(slugs | {"SHA256": opened.sha256, "TOKEN": issue_token(owner, "programs")}))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = prepared(tmp_path_factory.mktemp("contract"))
    site.environment |= {"API_RATE": "100000/minute", "SUBMISSION_RATE": "0"}
    # A process of its own: the rate is read once, when the framework is loaded, so that no fork can have another.
    server = [
        sys.executable,
        "-m",
        "gunicorn",
        "config.wsgi",
        "--bind",
        f"127.0.0.1:{site.port}",
        "--threads",
        "8",
    ]
    server += [
        "--limit-request-line",
        "0",
    ]  # else an address that is too long never comes to the API
    with (site.folder / "server.log").open("w") as log:
        running = subprocess.Popen(server, cwd=ROOT, env=site.environment, stdout=log, stderr=log)
    for _ in range(300):
        try:
            urllib.request.urlopen(f"{site.url}/login/", timeout=5)
            break
        except OSError:
            subprocesses.expect_running(running, site.folder / "server.log")
            time.sleep(0.2)
    yield site
    running.terminate()
    running.wait()


@pytest.fixture(scope="module")
def made(site: Site) -> dict[str, str]:
    return json.loads(site.shell(MAKE))


@pytest.mark.long
def test_schemathesis_finds_nothing(site: Site, made: dict[str, str], tmp_path: Path) -> None:
    schema = f"{site.url}/api/v1/schema/?format=json"
    options = (
        "--header",
        f"Authorization: Bearer {made['TOKEN']}",
        "--max-time",
        str(SECONDS),
        "--max-failures",
        "20",
    )
    options += (
        "--suppress-health-check",
        "filter_too_much",
    )  # of addresses made of the few surveys that there are
    command = [
        sys.executable,
        "-m",
        "schemathesis.cli",
        "--config-file",
        str(CONFIG),
        "run",
        schema,
        *options,
    ]
    done = subprocesses.run(command, cwd=tmp_path, env=os.environ | made)
    assert (
        int(re.search(r"(\d+) generated", done.stdout)[1]) > 300
    )  # where other tests keep the machine busy
