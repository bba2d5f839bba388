"""The units of docs/deploy: all services are fenced in alike, and systemd understands them where it is there."""

import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.servers import subprocesses

DEPLOY = Path(__file__).resolve().parents[2] / "docs/deploy"
OURS = [file for file in sorted(DEPLOY.glob("*.service")) if "@" not in file.name]
# What a service does, and how much room it has for that.
OWN = {
    "Type",
    "ExecStart",
    "Restart",
    "OOMPolicy",
    "SuccessExitStatus",
    "MemoryMax",
    "ReadWritePaths",
}


def settings(file: Path) -> dict[str, str]:
    return dict(
        re.findall(
            r"(?m)^(\w+)=(.*)$",
            file.read_text().partition("[Service]")[2].partition("[Install]")[0],
        )
    )


def test_all_services_are_fenced_in_alike() -> None:
    fences = [
        {name: said for name, said in settings(file).items() if name not in OWN} for file in OURS
    ]
    assert len(fences) == 4
    assert all(fence == fences[0] for fence in fences)
    assert {
        "NoNewPrivileges",
        "ProtectSystem",
        "ProtectHome",
        "PrivateTmp",
        "UMask",
        "LimitCORE",
        "MemorySwapMax",
    } <= fences[0].keys()


@pytest.mark.parametrize("file", OURS, ids=lambda file: file.name)
def test_a_service_has_bounds_writes_to_its_folders_and_is_missed(file: Path) -> None:
    found = settings(file)
    assert found["User"] == "candor"
    assert found["MemoryMax"]
    assert set(found["ReadWritePaths"].split()) <= {"/opt/candor/var", "/var/backups/candor"}
    assert "OnFailure=candor-failed@%n.service" in file.read_text()


@pytest.mark.parametrize("file", OURS, ids=lambda file: file.name)
def test_stopping_a_service_raises_no_alarm(file: Path) -> None:
    """`systemctl stop` ends a command with SIGTERM, which systemd counts as a failure unless it is told otherwise.

    The server ends by itself.
    """
    is_command = settings(file).get("Type") == "oneshot"
    assert settings(file).get("SuccessExitStatus") == ("SIGTERM" if is_command else None)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    for file in (*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")):
        text = file.read_text().replace("/opt/candor/.venv/bin/python", sys.executable)
        (tmp_path / file.name).write_text(text)
    names = [str(path).replace("@", "@x") for path in tmp_path.iterdir()]
    run = subprocesses.run(["systemd-analyze", "verify", *names])
    assert [line for line in run.stderr.splitlines() if "candor" in line] == []
