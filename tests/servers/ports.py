"""Ports for the servers of the tests."""

import random
import socket

# No system takes a port in this range for its end of a connection that it opens. So a port that is
# free now is not taken by chance before a server listens on it.
PORTS = range(20_000, 30_000)


def find_free_port() -> int:
    """Return a port on which no program listens. Raises RuntimeError if 100 ports are in use.

    The port is picked at random, since other processes look for a port at the same time. Their
    random numbers would be the same if a test has set the seed, but not those of the system.
    """
    for port in random.SystemRandom().sample(PORTS, 100):
        with socket.socket() as probe:
            # A port whose last connection has just ended is free, too.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError(f"There is no free port among {PORTS.start} to {PORTS.stop - 1}.")
