"""nginx behind a load balancer, and in front of containers and several nodes, with the lines of docs/deployment.md.

Other machines are other loopback addresses here, and visitors behind a load balancer are what it says of them.
"""

import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from pathlib import Path

import pytest

from tests.security.nginx import DOCUMENTED, HOST, PROGRAM, Front, running
from tests.servers import ports
from tests.servers.http_server import run_http_server

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="nginx is not installed")

PAGE = DOCUMENTED.parents[1] / "deployment.md"
LOAD_BALANCER = "127.0.0.5"
VISITORS = ("127.0.1.1", "127.0.1.2")
LOGIN, LOGINS = "/login/", 20  # how many may come at once, by the table of the page
ANSWERS, RESPONSES = "/api/v1/surveys/x/responses/", 600


def documented_lines(section: str) -> list[str]:
    """Return the blocks of lines for nginx under a heading of the deployment page."""
    text = re.search(rf"(?ms)^## {section}$(.*?)(?=^## |\Z)", PAGE.read_text())[1]
    blocks = re.findall(r"(?m)(?:^    .+\n)+", text)
    return [block for block in blocks if block.rstrip().endswith((";", "}"))]


def with_lines(lines: str) -> str:
    """Return the documented file with lines in the server that visitors meet."""
    before, start, rest = DOCUMENTED.read_text().partition("    listen 443 ssl")
    lines = lines.replace("10.0.0.5", LOAD_BALANCER)
    return before + lines + start + rest


def with_upstream(lines: str) -> str:
    """Return the documented file with lines in the place of its list of nodes."""
    text, times = re.subn(r"(?s)upstream candor \{.*?\}\n", lines, DOCUMENTED.read_text())
    assert times == 1
    return text


class Node(BaseHTTPRequestHandler):
    """A node of Candor, which takes everything."""

    def do_POST(self) -> None:
        self.server.headers.append(dict(self.headers))
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(201)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def node(address: str = "127.0.0.1") -> Iterator[ThreadingHTTPServer]:
    with run_http_server(Node, address) as server:
        server.headers = []
        yield server


class Visitor(HTTPConnection):
    """Somebody who sends until nginx says that it is too much."""

    def __init__(
        self,
        port: int,
        *,
        machine: str,
        forwarded: str = "",
        greeting: bytes = b"",
        tls: bool = True,
    ) -> None:
        super().__init__("127.0.0.1", port, timeout=60, source_address=(machine, 0))
        self.forwarded, self.greeting, self.tls = forwarded, greeting, tls

    def connect(self) -> None:
        self.sock = socket.create_connection(
            (self.host, self.port), source_address=self.source_address
        )
        self.sock.setsockopt(
            socket.IPPROTO_TCP, socket.TCP_NODELAY, 1
        )  # else each body waits for the headers' receipt
        self.sock.sendall(self.greeting)
        if self.tls:
            trusting = ssl.create_default_context()
            trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
            self.sock = trusting.wrap_socket(self.sock, server_hostname=HOST)

    def status(self, path: str) -> int:
        headers = {"Host": HOST, "Content-Type": "application/json"}
        if self.forwarded:
            headers["X-Forwarded-For"] = self.forwarded
        self.request("POST", path, b"{}", headers)
        answer = self.getresponse()
        answer.read()
        return answer.status

    def passed(self, path: str, at_most: int = 2000) -> int:
        """Return how many requests passed before the first that did not."""
        for count in range(at_most):
            status = self.status(path)
            if status == 429:
                return count
            assert status == 201
        return at_most


def by_header(front: Front, visitor: str, port: int = 0, **more: object) -> Visitor:
    """A visitor behind a load balancer. What visitors themselves claim to be stands before what it adds."""
    return Visitor(
        port or front.https, machine=LOAD_BALANCER, forwarded=f"203.0.113.7, {visitor}", **more
    )


def by_proxy_protocol(front: Front, visitor: str) -> Visitor:
    greeting = f"PROXY TCP4 {visitor} 127.0.0.1 40000 443\r\n".encode()
    return Visitor(front.https, machine=LOAD_BALANCER, greeting=greeting)


def assert_counted_apart(visitors: list[Visitor], path: str = LOGIN, at_once: int = LOGINS) -> None:
    for visitor in visitors:
        assert visitor.passed(path) >= at_once


@pytest.fixture
def candor() -> Iterator[ThreadingHTTPServer]:
    with node() as server:
        yield server


def test_without_the_lines_everybody_behind_a_load_balancer_is_one_address(
    candor: ThreadingHTTPServer, tmp_path: Path
) -> None:
    """This is what the other tests would see if the lines did nothing."""
    with running(tmp_path, candor.server_port) as front:
        first, second = (by_header(front, visitor) for visitor in VISITORS)
        assert first.passed(LOGIN) >= LOGINS
        assert second.passed(LOGIN, at_most=LOGINS) < LOGINS


@pytest.mark.parametrize(("path", "at_once"), [(LOGIN, LOGINS), (ANSWERS, RESPONSES)])
def test_behind_a_load_balancer_two_visitors_are_counted_apart(
    candor: ThreadingHTTPServer, tmp_path: Path, path: str, at_once: int
) -> None:
    lines, _, _ = documented_lines("Behind a load balancer")
    with running(tmp_path, candor.server_port, edit=lambda _: with_lines(lines)) as front:
        assert_counted_apart([by_header(front, visitor) for visitor in VISITORS], path, at_once)
        assert front.logged() == ""
    heard = set(chain.from_iterable(candor.headers))
    assert heard == {
        "Host",
        "X-Forwarded-Proto",
        "Connection",
        "Content-Length",
        "Accept-Encoding",
        "Content-Type",
    }


def test_nobody_but_the_load_balancer_can_claim_to_be_somebody_else(
    candor: ThreadingHTTPServer, tmp_path: Path
) -> None:
    lines, _, _ = documented_lines("Behind a load balancer")
    with running(tmp_path, candor.server_port, edit=lambda _: with_lines(lines)) as front:
        first = Visitor(front.https, machine="127.0.1.9", forwarded="203.0.113.1")
        second = Visitor(front.https, machine="127.0.1.9", forwarded="203.0.113.2")
        assert first.passed(LOGIN) >= LOGINS
        assert second.passed(LOGIN, at_most=LOGINS) < LOGINS


def test_behind_a_load_balancer_that_ends_tls_pages_are_served_and_visitors_counted_apart(
    candor: ThreadingHTTPServer, tmp_path: Path
) -> None:
    header_lines, plain_line, _ = documented_lines("Behind a load balancer")
    port = ports.find_free_port()
    lines = header_lines + plain_line.replace("10.0.0.6:8080", f"127.0.0.1:{port}")
    with running(tmp_path, candor.server_port, edit=lambda _: with_lines(lines)) as front:
        assert_counted_apart(
            [by_header(front, visitor, port=port, tls=False) for visitor in VISITORS]
        )
    assert {headers["X-Forwarded-Proto"] for headers in candor.headers} == {"https"}


def test_behind_a_load_balancer_that_passes_tls_through_visitors_are_counted_apart(
    candor: ThreadingHTTPServer, tmp_path: Path
) -> None:
    _, _, lines = documented_lines("Behind a load balancer")

    def edit(_: str) -> str:
        return re.sub(r"(listen .*443 ssl http2);", r"\1 proxy_protocol;", with_lines(lines))

    with running(tmp_path, candor.server_port, edit=edit) as front:
        assert_counted_apart([by_proxy_protocol(front, visitor) for visitor in VISITORS])
        assert front.logged() == ""


@pytest.mark.parametrize(
    ("section", "addresses"),
    [
        ("Several nodes", {"10.0.0.21:8000": "127.0.0.21", "10.0.0.22:8000": "127.0.0.22"}),
        ("In containers", {"127.0.0.1:8000": "127.0.0.1", "127.0.0.1:8001": "127.0.0.1"}),
    ],
)
def test_in_front_of_several_processes_visitors_are_counted_apart_and_all_processes_asked(
    tmp_path: Path, section: str, addresses: dict[str, str]
) -> None:
    (lines,) = [block for block in documented_lines(section) if "upstream" in block]
    with ExitStack() as stack:
        nodes = []
        for documented, address in addresses.items():
            server = stack.enter_context(node(address))
            lines = lines.replace(f"{documented};", f"{address}:{server.server_port};")
            nodes.append(server)
        front = stack.enter_context(running(tmp_path, edit=lambda _: with_upstream(lines)))
        assert_counted_apart([Visitor(front.https, machine=visitor) for visitor in VISITORS])
        assert all(server.headers for server in nodes)
        for server in nodes:
            sent_on = set(chain.from_iterable(server.headers))
            assert not sent_on & {"X-Forwarded-For", "X-Real-IP", "Forwarded", "Via"}
