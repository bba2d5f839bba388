"""HTTP servers that tests run in a thread."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The seconds within which a server notices that it is to end.
POLL = 0.02


@contextmanager
def run_http_server(
    handler: type[BaseHTTPRequestHandler], address: str = "127.0.0.1", port: int = 0
) -> Iterator[ThreadingHTTPServer]:
    """Answer requests with a handler until the block ends (a context manager).

    port: 0 for any free port, which is then the `server_port` of the server.
    """
    with ThreadingHTTPServer((address, port), handler) as server:
        threading.Thread(target=server.serve_forever, args=(POLL,), daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
