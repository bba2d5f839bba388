"""How gunicorn serves Candor, wherever it is started from this folder. Options on the command line win."""

import gc
import json
import mmap
import os
import resource
import sys
import threading
import time

from django.db import connections

from config.logs import WithoutSecrets, logging_config
from surveys.operation import restarts

preload_app = True  # a worker that died is back at once, and all share the memory of what is loaded
accesslog = None  # nobody's visit is written down
loglevel = "error"  # its warnings name the address of whoever sent a malformed request
threads = 4
control_socket_disable = True  # it is one file per user, so two sites would take it from each other
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a process that dies leaves no answers in a file
# Seconds after which a worker ends, because its memory still holds messages and codes of people long
# after they were deleted. From the first time on it ends as soon as it has nothing else to answer, so
# that hardly a download is cut off; from the second time on in any case.
LIFETIME = 3000
LONGEST_LIFETIME = 3600
as_json = os.environ.get("LOG_FORMAT") == "json"

if as_json:
    logconfig_dict = logging_config("json", "ERROR") | {
        "loggers": {"gunicorn.error": {"level": "ERROR"}}
    }


def say(sentence, level="INFO", to=sys.stdout):
    said = (
        json.dumps({"level": level, "logger": "gunicorn", "message": sentence})
        if as_json
        else sentence
    )
    print(said, file=to, flush=True)


def on_starting(server):
    server.log.error_log.addFilter(
        WithoutSecrets()
    )  # where Django itself fails, gunicorn names the address
    server.retired_workers = 0


def when_ready(server):
    restarts.note()
    say(f"Candor answers at {', '.join(map(str, server.LISTENERS))}")


def on_reload(server):
    say(
        "HUP keeps the program that is loaded. Restart the service to run a new version.",
        "ERROR",
        sys.stderr,
    )


def pre_exec(server):
    """USR2 starts the program again as it was started: as a module, whose own folder must not come first."""
    executable, program, *options = server.START_CTX["args"]
    if program.endswith("__main__.py"):
        server.START_CTX["args"] = [executable, "-m", "gunicorn", *options]


def pre_fork(server, worker):
    if worker.age > server.num_workers:  # it takes the place of another
        note_restart(server)
    # One byte that the worker shares with the master: whether the worker ended because of its age.
    worker.is_retired = mmap.mmap(-1, 1)
    gc.collect()
    gc.freeze()  # else a worker's first collection writes to, and so copies, all that it shares


def note_restart(server):
    """Note that a worker takes the place of another one, unless that one ended because of its age."""
    if server.retired_workers:
        server.retired_workers -= 1
    else:
        restarts.note()


def post_fork(server, worker):
    connections.close_all()  # two processes on one connection would read each other's rows
    worker.started = time.monotonic()
    worker.requests_in_progress = 0
    worker.lock = threading.Lock()


def pre_request(worker, request):
    with worker.lock:
        worker.requests_in_progress += 1


def post_request(worker, request, environ, response):
    """End the worker after its lifetime. The master starts another one in its place.

    What the worker has accepted is answered first.
    """
    with worker.lock:
        worker.requests_in_progress -= 1
        is_last = worker.requests_in_progress == 0
    age = time.monotonic() - worker.started
    if age > LONGEST_LIFETIME or (age > LIFETIME and is_last):
        worker.is_retired[0] = 1
        worker.alive = False


def child_exit(server, worker):
    server.retired_workers += worker.is_retired[0]
    worker.is_retired.close()
