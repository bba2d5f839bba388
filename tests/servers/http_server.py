"""HTTP servers that tests run in a thread."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The seconds within which a server notices that it is to end. Python's default is half a second, by
# which each test would take longer.
POLL_SECONDS = 0.02


@contextmanager
def run_http_server(
    handler: type[BaseHTTPRequestHandler], address: str = "127.0.0.1", port: int = 0
) -> Iterator[ThreadingHTTPServer]:
    """Answer requests with a handler until the block ends (a context manager).

    handler: the class whose methods answer, such as do_GET().
    port: 0 for any free port, which is then the `server_port` of the server.
    """
    with ThreadingHTTPServer((address, port), handler) as server:
        # A daemon does not keep the tests from ending.
        threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
