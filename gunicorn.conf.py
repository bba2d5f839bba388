"""How gunicorn serves Candor, wherever it is started from this folder. Options on the command line win."""

from config import minute  # noqa: F401 (workers share what is loaded before they part)

accesslog = None  # nobody's visit is written down
loglevel = "error"  # its warnings name the address of whoever sent a malformed request
threads = 4
control_socket_disable = True  # it is one file per user, so two sites would take it from each other


def when_ready(server):
    print("Candor answers at", ", ".join(map(str, server.LISTENERS)), flush=True)
