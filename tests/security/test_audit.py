"""The audit of what we install: known vulnerabilities fail it, an unreachable service is said to be one.

pip-audit itself asks a service of ours on the loopback, which answers as the real one does.
"""

import importlib.util
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.servers import ports

ROOT = Path(__file__).resolve().parents[2]
_spec = importlib.util.spec_from_file_location("audit", ROOT / ".ci/audit.py")
audit = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(audit)

KNOWN = {
    "id": "PYSEC-2020-1",
    "details": "Something bad.",
    "affected": [
        {
            "package": {"name": "oldlib", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "2.0"}]}],
        }
    ],
}


class Service(BaseHTTPRequestHandler):
    """Knows one vulnerability, of oldlib before 2.0."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        is_bad = asked["package"]["name"] == "oldlib" and asked["version"] == "1.0"
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"vulns": [KNOWN]} if is_bad else {}).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def service() -> Iterator[list[str]]:
    with HTTPServer(("127.0.0.1", 0), Service) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield ["-s", "osv", "--osv-url", f"http://127.0.0.1:{server.server_port}/v1/query"]
        server.shutdown()


@pytest.fixture
def pinned(tmp_path: Path):
    def write(text: str) -> Path:
        (tmp_path / "more.txt").write_text(
            f"idna==3.20 \\\n    --hash=sha256:{'0' * 64}\n    # via something\n"
        )
        (tmp_path / "requirements.txt").write_text(f"-r more.txt\n{text}\n")
        return tmp_path / "requirements.txt"

    return write


def test_everything_is_pinned_and_installed_as_pinned() -> None:
    assert audit.wrong_pins(audit.REQUIREMENTS) == []
    assert audit.conflicts() == []


def test_a_known_vulnerability_fails(
    service: list[str], pinned, capsys: pytest.CaptureFixture
) -> None:
    assert audit.main(service, pinned("oldlib==1.0")) == 1
    assert "oldlib 1.0: PYSEC-2020-1, fixed in 2.0" in capsys.readouterr().out


def test_none_known_is_said_with_how_many_were_asked_for(service: list[str], pinned) -> None:
    assert audit.ask(pinned("oldlib==2.0"), service) == (
        [],
        "Audited: 2 packages, 0 known vulnerabilities.",
    )


def test_a_service_that_cannot_be_reached_is_said_and_fails_nothing(pinned) -> None:
    nobody = ["-s", "osv", "--osv-url", f"http://127.0.0.1:{ports.find_free_port()}/v1/query"]
    found, said = audit.ask(pinned("oldlib==1.0"), nobody)
    assert found == []
    assert said.startswith("NOT AUDITED")


@pytest.mark.parametrize(
    "line", ["oldlib", "oldlib>=1.0", "oldlib==1.*", "oldlib @ https://example.org/x.whl", "-e ."]
)
def test_what_is_not_pinned_exactly_is_found(pinned, line: str) -> None:
    assert f"{line} is not pinned as name==version" in audit.wrong_pins(pinned(line))


def test_what_has_no_hash_is_found(pinned) -> None:
    assert "attrs==26.1.0 has no hash" in audit.wrong_pins(pinned("attrs==26.1.0"))
    assert "idna==3.20 has no hash" not in audit.wrong_pins(pinned(""))


def test_what_is_installed_otherwise_is_found(pinned) -> None:
    wrong = audit.wrong_pins(pinned("Django==1.0\nnothing-of-the-kind==1.0"))
    assert any(line.startswith("django is pinned to 1.0 and installed as 5") for line in wrong)
    assert "nothing-of-the-kind is pinned to 1.0 and installed as missing" in wrong
    assert "pytest is installed and not pinned" in wrong


def test_ci_audits() -> None:
    assert "make audit" in (ROOT / ".ci/run").read_text()
