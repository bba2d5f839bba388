"""The examples for containers, as far as they can be tried without an engine."""

import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands

from surveys.operation.probes import PROBES
from tests import children

ROOT = Path(__file__).resolve().parents[2]
FILE = (ROOT / "Containerfile").read_text()
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "candor"}


def copied(into: Path) -> None:
    for line in re.findall(r"^COPY (.+)$", FILE, re.MULTILINE):
        *names, _ = line.split()
        for name in names:
            if name.endswith("/"):
                shutil.copytree(ROOT / name, into / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, into / name)


SERVE = """
import config.wsgi, config.urls
from django.core.management import call_command
call_command("collectstatic", interactive=False, verbosity=0)
from surveys.site.page_program import PAGE, program
from surveys.site.script_integrity import WORKSPACE, scripts
assert program(PAGE)
print(len(scripts(WORKSPACE)))
"""


def test_what_is_copied_collects_its_files_and_serves(tmp_path: Path) -> None:
    """In a folder that holds what the image holds, with what the image is built with."""
    copied(tmp_path)
    (step,) = re.findall(r"^RUN (.+ python manage.py collectstatic .+)$", FILE, re.MULTILINE)
    settings = dict(word.split("=", 1) for word in step.partition(" python")[0].split())
    environment = {"PATH": os.environ["PATH"], "STATIC_ROOT": str(tmp_path / "collected")} | settings
    command = [sys.executable, "-B", "-c", SERVE]
    done = children.run(command, cwd=tmp_path, env=environment)
    assert int(done.stdout) > 5


def test_the_image_holds_no_secret_and_is_not_roots() -> None:
    assert "COPY . " not in FILE
    assert not [line for line in FILE.splitlines() if line.startswith("ENV") and "SECRET" in line]
    assert FILE.index("\nUSER candor") < FILE.index("\nCMD")
    started = json.loads(re.search(r"^CMD (\[.+\])$", FILE, re.MULTILINE)[1])
    assert started[:4] == ["python", "-m", "gunicorn", "config.wsgi"]


@pytest.mark.parametrize("service", OURS)
def test_every_service_of_ours_has_the_same_settings_and_few_rights(service: str) -> None:
    found = OURS[service]
    assert found["environment"] == SERVICES["web"]["environment"]
    assert (found["read_only"], found["cap_drop"]) == (True, ["ALL"])
    known = (ROOT / "config/settings.py").read_text()
    assert not [name for name in found["environment"] if f'"{name}"' not in known]
    command = re.search(r"manage\.py,? (\w+)", " ".join(found.get("command", [])))
    assert command is None or command[1] in get_commands()


def test_two_nodes_and_one_sealer_and_nothing_open_to_the_network() -> None:
    assert SERVICES["web"]["deploy"]["replicas"] == 2
    assert {"seal", "deliver", "migrate", "database"} < SERVICES.keys()
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert ports == ["127.0.0.1:8000-8001:8000"]
    asked = re.search(r"8000/(\w+)", SERVICES["web"]["healthcheck"]["test"][-1])
    assert asked[1] in PROBES


def test_secrets_come_from_outside_and_are_not_committed() -> None:
    environment = SERVICES["web"]["environment"]
    assert [environment[name] for name in ("SECRET_KEY", "METRICS_TOKEN")] == ["${SECRET_KEY:?}", "${METRICS_TOKEN:-}"]
    assert ".env" in (ROOT / ".gitignore").read_text().splitlines()
