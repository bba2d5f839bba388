"""A process that dies leaves no memory on a disk, and a dump of the database is readable by nobody else."""

import os
import re
import resource
from pathlib import Path

import httpx
import pytest
import yaml

from tests.faults.conftest import Site, migrated_file, serving
from tests.servers import subprocesses

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
DEPLOYMENT = (ROOT / "docs/deployment.md").read_text()


@pytest.fixture
def site(tmp_path: Path):
    yield from serving(Site(tmp_path, migrated_file(tmp_path)))


def core_limits(process: int) -> list[str]:
    """Return the soft and the hard limit on the size of a core file."""
    limits = Path(f"/proc/{process}/limits").read_text()
    return re.search(r"Max core file size\s+(\S+)\s+(\S+)", limits).groups()


@pytest.mark.skipif(
    not Path("/proc/self/limits").exists(), reason="only Linux tells the limits of a process"
)
def test_no_process_of_the_site_writes_a_core_file(site: Site) -> None:
    """20. Wherever it is started, and whatever that allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
    try:
        site.start()
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, (soft, hard))
    assert (
        httpx.get(f"http://127.0.0.1:{site.port}/healthz", timeout=60).status_code == 200
    )  # so a worker is there
    workers = Path(f"/proc/{site.server.pid}/task/{site.server.pid}/children").read_text().split()
    assert workers
    for process in (site.server.pid, *map(int, workers)):
        assert core_limits(process) == ("0", "0")


def test_no_command_of_the_operator_writes_a_core_file(tmp_path: Path) -> None:
    """With a stand-in for the program that changes the account."""
    runuser = tmp_path / "runuser"
    runuser.write_text("#!/bin/sh\nulimit -c\numask\n")
    runuser.chmod(0o755)
    script = (
        (ROOT / "docs/deploy/candor").read_text().replace("/etc/candor/environment", "/dev/null")
    )
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    printed = subprocesses.run(["sh", "-c", script], env=environment).stdout.split()
    assert printed == ["0", "0077"]


@pytest.mark.parametrize("service", COMPOSE["services"])
def test_no_container_writes_a_core_file(service: str) -> None:
    assert COMPOSE["services"][service]["ulimits"] == {"core": 0}


def test_every_documented_command_that_writes_a_dump_first_sets_a_safe_umask() -> None:
    """`candor backup` sets its own."""
    blocks = re.findall(r"(?m)(?:^    .+\n)+", DEPLOYMENT)
    writing = [block for block in blocks if re.search(r"pg_dump.* > |iterdump.* > ", block)]
    assert writing
    for block in writing:
        before, _, _ = block.partition(" > ")
        assert re.search(r"(?m)^    (# )?umask 077\b", before), block
