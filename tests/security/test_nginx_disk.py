"""nginx as documented writes nothing of what is sent or downloaded to its disk."""

import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.security.nginx import DOCUMENTED, PROGRAM, Front, directives, running
from tests.servers.http_server import run_http_server

needs_nginx = pytest.mark.skipif(
    PROGRAM is None, reason="nginx is not installed; its file is read all the same"
)

ROWS = 26_000_000  # bytes of a download
PAGE = 900_000  # bytes of a page, more than any has
PIECE = 50_000  # bytes that Candor sends at once
# The largest body that each location lets through, less a little.
BODIES = [
    ("/api/v1/surveys/x/responses/", 131_000),
    ("/surveys/x/invite/", 2_097_000),
    ("/api/v1/surveys/x/imports/", 2_097_000),
    ("/login/", 2_097_000),
    ("/surveys/import/", 6_291_000),
    ("/api/v1/xlsform/", 6_291_000),
]


class Candor(BaseHTTPRequestHandler):
    """Takes what is sent, and gives a file or a page."""

    def do_POST(self) -> None:
        length = self.headers["Content-Length"]
        if length is None:
            self._read_chunks()
        else:
            self.rfile.read(int(length))
        self.send_response(201)
        self.end_headers()

    def _read_chunks(self) -> None:
        while size := int(self.rfile.readline(), 16):
            self.rfile.read(size + 2)

    def do_GET(self) -> None:
        size = ROWS if self.path.endswith(".csv") else PAGE
        self.send_response(200)
        self.send_header("Content-Length", str(size))
        self.end_headers()
        for start in range(0, size, PIECE):
            self.wfile.write(bytes(min(PIECE, size - start)))
            self.server.sent += PIECE
        self.server.handed_over.set()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def candor() -> Iterator[ThreadingHTTPServer]:
    with run_http_server(Candor) as server:
        server.sent = 0
        server.handed_over = threading.Event()
        yield server


def changes(front: Front) -> list[int]:
    """Return when nginx last made or deleted a file in each of its temporary folders."""
    return [(front.folder / name).stat().st_mtime_ns for name in ("body", "proxy")]


def without(directive: str) -> Callable[[str], str]:
    """Return an edit that removes a directive everywhere."""
    return lambda text: re.sub(rf"(?m)^ *{directive} .*\n", "", text)


def kilobytes(size: str) -> int:
    return int(size[:-1]) * {"k": 1, "m": 1024}[size[-1]]


def test_each_location_keeps_in_memory_what_it_lets_through() -> None:
    """And a little more: where a length is not said before, the lengths of the pieces lie in the buffer too."""
    lines = directives(DOCUMENTED.read_text())
    sizes = {
        around: kilobytes(words[1]) for around, words in lines if words[0] == "client_max_body_size"
    }
    buffers = {
        around: kilobytes(words[1])
        for around, words in lines
        if words[0] == "client_body_buffer_size"
    }
    assert len(sizes) == 4
    assert buffers.keys() == sizes.keys()
    assert all(buffers[around] > 1.05 * size for around, size in sizes.items())


@needs_nginx
def test_a_body_never_touches_the_disk(candor: ThreadingHTTPServer, tmp_path: Path) -> None:
    """20. Neither answers nor lists of people nor files, whether their length is said before or not."""
    with running(tmp_path, candor.server_port) as front, front.client() as client:
        before = changes(front)
        for path, size in BODIES:
            assert client.post(path, content=bytes(size)).status_code == 201
            assert changes(front) == before, path
            pieces = (bytes(1000) for _ in range(size // 1000))
            assert client.post(path, content=pieces).status_code == 201
            assert changes(front) == before, path


@needs_nginx
def test_a_body_that_touched_the_disk_would_be_seen(
    candor: ThreadingHTTPServer, tmp_path: Path
) -> None:
    edit = without("client_body_buffer_size")
    with running(tmp_path, candor.server_port, edit=edit) as front, front.client() as client:
        before = changes(front)
        assert client.post("/surveys/x/invite/", content=bytes(65_000)).status_code == 201
        assert changes(front) != before


class Download(NamedTuple):
    """Whether nginx took all before its reader read on, how many bytes the reader got, and what the disk saw of it."""

    was_taken_at_once: bool
    size: int
    touched_the_disk: bool


def wait_for_candor(candor: ThreadingHTTPServer, patience: float) -> None:
    """Wait until Candor has handed over all, or nothing more for so many seconds."""
    sent = -1
    while candor.sent > sent and not candor.handed_over.is_set():
        sent = candor.sent
        candor.handed_over.wait(patience)


def download(
    candor: ThreadingHTTPServer,
    folder: Path,
    path: str,
    patience: float,
    edit: Callable[[str], str] = str,
) -> Download:
    """Fetch a file as somebody who reads on only when nginx takes no more."""
    with running(folder, candor.server_port, edit=edit) as front, front.client() as client:
        before = changes(front)
        with client.stream("GET", path) as answer:
            wait_for_candor(candor, patience)
            was_taken_at_once = candor.handed_over.is_set()
            size = sum(map(len, answer.iter_bytes()))
        return Download(was_taken_at_once, size, changes(front) != before)


@needs_nginx
def test_a_download_never_touches_the_disk(candor: ThreadingHTTPServer, tmp_path: Path) -> None:
    """20. Candor waits for the reader instead. A reader who reads on early, as on a slow machine, sees the same."""
    result = download(candor, tmp_path, "/api/v1/surveys/x/responses.csv", patience=1)
    assert result == Download(was_taken_at_once=False, size=ROWS, touched_the_disk=False)


@needs_nginx
def test_a_download_that_touched_the_disk_would_be_seen(
    candor: ThreadingHTTPServer, tmp_path: Path
) -> None:
    edit = without("proxy_max_temp_file_size")
    result = download(candor, tmp_path, "/api/v1/surveys/x/responses.csv", patience=60, edit=edit)
    assert result == Download(was_taken_at_once=True, size=ROWS, touched_the_disk=True)


@needs_nginx
def test_a_page_leaves_candor_at_once_however_slow_its_reader_is(
    candor: ThreadingHTTPServer, tmp_path: Path
) -> None:
    """Or many slow telephones would hold every thread of the site."""
    result = download(candor, tmp_path, "/s/x/", patience=60)
    assert result == Download(was_taken_at_once=True, size=PAGE, touched_the_disk=False)
