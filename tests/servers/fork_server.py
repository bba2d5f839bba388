"""The process behind tests/servers/commands.py: it has loaded what commands and servers need, and forks for each order.

Orders come line by line as JSON: ["fork", arguments, environment, [file for what is printed, for complaints], largest
file or null] is answered with the process id, ["look", process id] with its exit code, null while it runs.
"""

import importlib
import json
import os
import resource
import signal
import sys
import traceback
from pathlib import Path
from typing import NoReturn

import django

Environment = dict[str, str]


def look(pid: int) -> int | None:
    found, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if found else None


def fork(
    arguments: list[str], environment: Environment, out: list[str], largest_file: int | None
) -> int:
    child = os.fork()
    if child == 0:
        _run(arguments, environment, out, largest_file)
    return child


def _run(
    arguments: list[str], environment: Environment, out: list[str], largest_file: int | None
) -> NoReturn:
    code = 1
    try:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for number, path in enumerate(out, 1):
            os.dup2(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), number)
        sys.stdout.reconfigure(write_through=True)  # nothing printed is lost with whoever is killed
        if largest_file is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
        take_over(environment)
        sys.argv = arguments
        program(arguments[0])
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def take_over(environment: Environment) -> None:
    """As if this process had started with that environment: settings and connections are read from it anew."""
    from django.apps import apps
    from django.conf import settings
    from django.db import connections
    from django.utils.functional import empty

    os.environ.clear()
    os.environ.update(environment)
    for name in (
        "surveys.site.minute",
        "config.settings",
    ):  # the first is shared by the processes of one site alone
        importlib.reload(sys.modules[name])
    settings._wrapped = empty
    connections.__dict__.clear()
    connections.__init__()
    django.setup()  # the logs; that everything is loaded already it sees by itself
    apps.get_app_config("surveys").ready()


def program(name: str) -> None:
    from django.core.management import execute_from_command_line
    from django.db import connections
    from gunicorn.app.wsgiapp import run

    if name == "gunicorn":
        run(prog=name)
    execute_from_command_line(sys.argv)
    connections.close_all()


def load() -> None:
    from django.contrib.auth.hashers import PBKDF2PasswordHasher

    django.setup()
    for name in ("config.urls", "gunicorn.app.wsgiapp", "gunicorn.workers.gthread", "psycopg"):
        importlib.import_module(name)
    PBKDF2PasswordHasher.iterations = (
        1  # each password took half a second, and none of these protects anything
    )


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    load()
    for line in sys.stdin:
        order, *details = json.loads(line)
        print(json.dumps({"fork": fork, "look": look}[order](*details)), flush=True)
