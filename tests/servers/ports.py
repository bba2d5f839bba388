"""Ports for the servers of the tests."""

import random
import socket

# No system takes a port in this range for its end of a connection that it opens.
OURS = range(20_000, 30_000)


def find_free_port() -> int:
    """Return a port on which no program listens. Raises RuntimeError if 100 ports are in use."""
    for port in random.SystemRandom().sample(OURS, 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError(f"There is no free port among {OURS.start} to {OURS.stop - 1}.")
