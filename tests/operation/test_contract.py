"""The API and its schema, as programs of others see them: schemathesis with all its checks, and a generated client."""

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

from tests import children
from tests.browser.conftest import Site, prepared

SECONDS = int(os.environ.get("FUZZED_SECONDS", "300"))
ROOT = Path(__file__).resolve().parents[2]
CONFIG = Path(__file__).with_name("schemathesis.toml")
MAKE = """
import json
from django.contrib.auth import get_user_model
from surveys.fieldwork.responses.closing import close_survey
from surveys.accounts.tokens import issue_token
from surveys.fieldwork.lifecycle import prepare
from tests import making
from tests.filling import fill
owner = get_user_model().objects.create_user("programs")
draft = making.draft(owner)
making.yes_no(draft)
opened, closed = making.published(owner), making.published(owner)
for instrument in (opened, closed):
    fill(instrument, 300)
close_survey(closed.survey, owner)
filling = making.draft(owner, import_only=True)
making.yes_no(filling)
prepare(filling)
slugs = {"DRAFT": draft.slug, "OPEN": opened.survey.slug, "CLOSED": closed.survey.slug, "FILLING": filling.slug}
print(json.dumps(slugs | {"SHA256": opened.sha256, "TOKEN": issue_token(owner, "programs")}))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = prepared(tmp_path_factory.mktemp("contract"))
    site.environment |= {"API_RATE": "100000/minute", "SUBMISSION_RATE": "0"}
    # A process of its own: the rate is read once, when the framework is loaded, so that no fork can have another.
    server = [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{site.port}", "--threads", "8"]
    with (site.folder / "server.log").open("w") as log:
        running = subprocess.Popen(server, cwd=ROOT, env=site.environment, stdout=log, stderr=log)
    for _ in range(300):
        try:
            urllib.request.urlopen(f"{site.url}/login/", timeout=5)
            break
        except OSError:
            children.require_running(running, site.folder / "server.log")
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
    options = ("--header", f"Authorization: Bearer {made['TOKEN']}", "--max-time", str(SECONDS), "--max-failures", "20")
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run", schema, *options]
    done = children.run(command, cwd=tmp_path, env=os.environ | made)
    assert int(re.search(r"(\d+) generated", done.stdout)[1]) > 300  # where other tests keep the machine busy


USE = """
import json, sys
from candor_api_client import AuthenticatedClient
from candor_api_client.api.surveys import (
    surveys_create, surveys_imports_create, surveys_list, surveys_publish_create, surveys_report_retrieve,
)
from candor_api_client.models import Begin, PublishPeople, SurveyInput
import candor_client  # ours, which has another name
url, token, filled, filling = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=token, raise_on_unexpected_status=True)
question = {"key": "tax", "kind": "yes-no", "text": "Have you ever evaded taxes?", "design": "warner"}
question["parameters"] = {"p": "3/4"}
asked = SurveyInput.from_dict({"title": "Taxes", "contact": "Ada", "questions": [question]})
made = surveys_create.sync(client=client, body=asked)
opened = surveys_publish_create.sync(made.slug, client=client, body=PublishPeople())
listed = surveys_list.sync(client=client, page_size=2)
report = surveys_report_retrieve.sync(filled, client=client, confidence=0.9)
begun = surveys_imports_create.sync(filling, client=client, body=Begin(mapping=None))
found = [opened.status, len(listed.results), report.n, report.questions[0].choices[1].estimate, begun.state]
print(json.dumps(found, default=str))
"""


@pytest.mark.long
def test_a_generated_client_writes_publishes_lists_and_reads(site: Site, made: dict[str, str], tmp_path: Path) -> None:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    schema = tmp_path / "schema.json"
    site.manage("spectacular", "--format", "openapi-json", "--file", str(schema))
    generate = ["openapi-python-client", "generate", "--path", schema, "--meta", "none"]
    children.run(generate, cwd=tmp_path, env=environment)
    assert json.loads(schema.read_text())["info"]["title"] == "Candor API"  # which names the package
    arguments = [site.url, made["TOKEN"], made["OPEN"], made["FILLING"]]
    environment |= {"PYTHONPATH": f"{tmp_path}:{ROOT}"}
    used = children.run(
        [sys.executable, "-c", USE, *arguments],
        cwd=tmp_path,
        env=environment,
    )
    status, listed, n, estimate, state = json.loads(used.stdout)
    assert (status, listed, n, state) == ("open", 2, 300, "taking")
    assert isinstance(estimate, float)
