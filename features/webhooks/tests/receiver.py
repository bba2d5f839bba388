"""A real HTTP server on the loopback address that takes what webhooks send, or does not."""

import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Receiver:
    """`statuses` are the answers to come, the last of them for good; `taken` is what has come."""

    statuses: list[int] = field(default_factory=lambda: [204])
    answer: Callable[[BaseHTTPRequestHandler], None] | None = None  # instead of a status
    pause: float = 0  # seconds before an answer
    taken: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        with self.lock:
            self.taken.append(
                ({name.lower(): value for name, value in handler.headers.items()}, body)
            )
            status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        time.sleep(self.pause)
        if self.answer:
            self.answer(handler)
            return
        handler.send_response(status)
        if 300 <= status < 400:
            handler.send_header("Location", f"{self.url}elsewhere")
        handler.send_header("Content-Length", "0")
        handler.end_headers()


@contextmanager
def receiving(
    *statuses: int, port: int = 0, tls: ssl.SSLContext | None = None
) -> Iterator[Receiver]:
    receiver = Receiver(list(statuses) or [204])

    class Handler(BaseHTTPRequestHandler):
        do_POST = do_GET = lambda handler: receiver.take(handler)  # noqa: PLW0108 (bound to the handler)

        def log_message(self, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = (
            128  # as real servers have it; the usual five turn away who comes at once
        )
        daemon_threads = True

    server = Server(("127.0.0.1", port), Handler)
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    receiver.url = f"http{'s' if tls else ''}://127.0.0.1:{server.server_port}/hook?key=1"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()


def endless(handler: BaseHTTPRequestHandler) -> None:
    """A body without end."""
    handler.send_response(200)
    handler.end_headers()
    try:
        while True:
            handler.wfile.write(b"x" * 65_536)
    except OSError:
        pass


def trickling(handler: BaseHTTPRequestHandler) -> None:
    """Headers that come byte by byte and never end."""
    try:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while True:
            handler.wfile.write(b"X-A: b\r\n")
            handler.wfile.flush()
            time.sleep(0.05)
    except OSError:
        pass
