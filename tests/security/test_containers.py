"""The examples for containers: built and asked where an engine runs, else tried step by step."""

import json
import os
import re
import shlex
import shutil
import sys
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from django.core.management import get_commands, load_command_class

from surveys.operation.probes import PROBES
from tests.servers import subprocesses

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
                shutil.copytree(
                    ROOT / name, into / name, ignore=shutil.ignore_patterns("__pycache__")
                )
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
    environment = {
        "PATH": os.environ["PATH"],
        "STATIC_ROOT": str(tmp_path / "collected"),
    } | settings
    command = [sys.executable, "-B", "-c", SERVE]
    done = subprocesses.run(command, cwd=tmp_path, env=environment)
    assert int(done.stdout) > 5


def engine() -> str:
    """A program that can build here, nothing where none can."""
    for program in filter(shutil.which, ("docker", "podman")):
        with suppress(AssertionError):
            subprocesses.run([program, "info"], timeout=60)
            return program
    return ""


def test_the_image_is_built_and_answers() -> None:
    program = engine()
    if not program:
        pytest.skip(
            "no engine for containers runs here; the other tests try each step of the Containerfile"
        )
    subprocesses.run(
        [program, "build", "--file", "Containerfile", "--tag", "candor-test", "."], cwd=ROOT
    )
    settings = [
        f"--env={line}"
        for line in ("SECRET_KEY=" + "x" * 60, "DATABASE_URL=sqlite:////tmp/c.sqlite3", "HTTPS=0")
    ]
    ask = "from urllib.request import urlopen; print(urlopen('http://127.0.0.1:8000/healthz').read().decode())"
    serve = 'gunicorn config.wsgi --bind 127.0.0.1:8000 --daemon && sleep 5 && python -c "$0"'
    command = [
        program,
        "run",
        "--rm",
        "--read-only",
        "--tmpfs=/tmp",
        *settings,
        "candor-test",
        "sh",
        "-c",
        serve,
        ask,
    ]
    assert subprocesses.run(command).stdout.strip().endswith("ok")


def test_every_step_is_one_that_builders_know_and_every_command_can_be_read() -> None:
    steps = re.findall(r"^([A-Z]+) (.+)$", FILE, re.MULTILINE)
    assert {name for name, _ in steps} <= {
        "FROM",
        "ENV",
        "WORKDIR",
        "COPY",
        "RUN",
        "USER",
        "EXPOSE",
        "CMD",
    }
    assert steps[0][0] == "FROM"
    for _, command in (step for step in steps if step[0] == "RUN"):
        subprocesses.run(["bash", "-n", "-c", command])
    pinned = re.findall(r"--requirement (\S+)", FILE)
    assert pinned == ["requirements.txt"]
    assert "--require-hashes" in FILE


def test_the_image_holds_no_secret_and_is_not_roots() -> None:
    assert "COPY . " not in FILE
    assert not [line for line in FILE.splitlines() if line.startswith("ENV") and "SECRET" in line]
    assert FILE.index("\nUSER candor") < FILE.index("\nCMD")
    started = json.loads(re.search(r"^CMD (\[.+\])$", FILE, re.MULTILINE)[1])
    assert started[:4] == ["python", "-m", "gunicorn", "config.wsgi"]


@pytest.mark.parametrize("service", OURS)
def test_every_service_of_ours_has_the_same_settings_and_few_rights(service: str) -> None:
    found = OURS[service]
    assert found["environment"].items() <= SERVICES["web"]["environment"].items()
    assert (found["read_only"], found["cap_drop"]) == (True, ["ALL"])
    known = (ROOT / "config/settings.py").read_text()
    assert not [name for name in found["environment"] if f'"{name}"' not in known]
    command = re.search(r"manage\.py,? (\w+)", " ".join(found.get("command", [])))
    assert command is None or command[1] in get_commands()


def test_only_the_timers_have_the_private_keys_of_the_inbox() -> None:
    """A web node encrypts with the public key of the database. It could not seal, and asks nobody for a private key."""
    folder = re.search(r"install --directory --owner candor (\S+)", FILE)[1]
    mount = f"state:/opt/candor/{folder}"
    assert SERVICES["web"]["environment"]["INBOX_KEYS"] == "elsewhere"
    assert "volumes" not in SERVICES["web"]
    for service in ("migrate", "seal", "deliver"):
        assert SERVICES[service]["volumes"] == [mount]
        assert "INBOX_KEYS" not in SERVICES[service]["environment"]
    assert "state" in COMPOSE["volumes"]


def test_every_documented_command_asks_a_service_for_what_it_can_do() -> None:
    """No engine runs them here: services and options are looked up, and the file of the settings is complete."""
    section = (ROOT / "docs/deployment.md").read_text().partition("\n## In containers\n")[2]
    typed = [
        shlex.split(line) for line in re.findall(r"(?m)^    docker compose exec (.+)$", section)
    ]
    assert {words[0] for words in typed} == {"web", "seal", "database"}
    for service, program, *words in typed:
        assert service in SERVICES
        if program == "python":
            script, name, *options = words
            assert script == "manage.py"
            command = load_command_class(get_commands()[name], name)
            command.create_parser(script, name).parse_args(options)
    written = set(re.findall(r"`([A-Z_]+)`", section))
    needed = set(re.findall(r"\$\{(\w+):\?\}", (ROOT / "compose.yaml").read_text()))
    assert written == needed


def test_two_nodes_and_one_sealer_and_nothing_open_to_the_network() -> None:
    assert SERVICES["web"]["deploy"]["replicas"] == 2
    assert {"seal", "deliver", "migrate", "database"} < SERVICES.keys()
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert ports == ["127.0.0.1:8000-8001:8000"]
    asked = re.search(r"8000/(\w+)", SERVICES["web"]["healthcheck"]["test"][-1])
    assert asked[1] in PROBES


def test_secrets_come_from_outside_and_are_not_committed() -> None:
    environment = SERVICES["web"]["environment"]
    assert [environment[name] for name in ("SECRET_KEY", "METRICS_TOKEN")] == [
        "${SECRET_KEY:?}",
        "${METRICS_TOKEN:-}",
    ]
    assert ".env" in (ROOT / ".gitignore").read_text().splitlines()
