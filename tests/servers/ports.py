"""Ports for the servers of the tests."""

import random
import socket

OURS = range(
    20_000, 30_000
)  # from here up to there no system takes the other end of its own connections


def find_free_port() -> int:
    """Return a port that nobody listens on, and reserve it."""
    for port in random.SystemRandom().sample(OURS, 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError(f"There is no free port among {OURS.start} to {OURS.stop - 1}.")
