"""The process behind tests/servers/commands.py. It loads everything, and forks for each program.

Orders come as JSON, one in each line, and are answered with JSON:

    ["fork", arguments, environment, [path for stdout, path for stderr], largest file or null]
        starts a program and is answered with its process id
    ["poll", process id]
        is answered with the exit code of the program, or null while it runs

A forked process has all that was loaded here, in no time, and shares nothing that changes afterwards.
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


def poll(pid: int) -> int | None:
    """Return the exit code of a program, or None while it runs.

    The exit code of a program can be read only once. It is negative if a signal ended the program:
    the number of the signal.
    """
    ended_pid, status = os.waitpid(pid, os.WNOHANG)
    if ended_pid == 0:
        return None
    return os.waitstatus_to_exitcode(status)


def fork(
    arguments: list[str], environment: Environment, paths: list[str], largest_file: int | None
) -> int:
    """Start a program in a child process, and return its process id.

    arguments: the name of the program, manage.py or gunicorn, and its arguments.
    paths: the files for stdout and stderr.
    largest_file: the bytes beyond which no file can grow, or None for no limit.
    """
    # Both processes go on from here. The number is 0 in the child, which does not return.
    child = os.fork()
    if child == 0:
        _run_child(arguments, environment, paths, largest_file)
    return child


def _run_child(
    arguments: list[str], environment: Environment, paths: list[str], largest_file: int | None
) -> NoReturn:
    """Run a program in this process, and end the process with its exit code.

    The parameters are those of fork().
    """
    # The exit code if the program raises an error.
    code = 1
    try:
        # The process leads a process group, by which it can be ended with its own children.
        os.setsid()
        _redirect_streams(paths)
        if largest_file is not None:
            # With the signal ignored, writing beyond the limit raises an error.
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
        take_over_environment(environment)
        sys.argv = arguments
        run_program(arguments[0])
        code = 0
    except SystemExit as end:
        # As in Python itself, None means success, and a text means failure.
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        # The process must not return to the loop below, or run what the parent does at its end.
        os._exit(code)


def _redirect_streams(paths: list[str]) -> None:
    """Make stdin empty, and append stdout and stderr to these files, which may be the same file.

    paths: the files for stdout and stderr. They are created if they do not exist.
    """
    # The descriptor 0 is stdin, on which the orders come. 1 is stdout, and 2 is stderr.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, path in enumerate(paths, start=1):
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.dup2(file, number)
    # Nothing that was printed is lost if the process is killed.
    sys.stdout.reconfigure(write_through=True)


def take_over_environment(environment: Environment) -> None:
    """Make this process as if it had started with these environment variables.

    Settings and connections are read from them again.
    """
    from django.apps import apps
    from django.conf import settings
    from django.db import connections
    from django.utils.functional import empty

    os.environ.clear()
    os.environ.update(environment)
    # The time in `minute` is shared by the processes of one site only, so it begins anew. The
    # settings read the environment when their module is loaded.
    for name in ("surveys.site.minute", "config.settings"):
        importlib.reload(sys.modules[name])
    # `settings` and `connections` are single objects that all modules have imported already. So
    # they are not replaced, but emptied: Django fills them when they are next used.
    settings._wrapped = empty
    connections.__dict__.clear()
    connections.__init__()
    # This sets up the logs. Django does not load the apps again, so the app of the core is told
    # again that it is loaded: it gives the database of this site its file permissions.
    django.setup()
    apps.get_app_config("surveys").ready()


def run_program(name: str) -> None:
    """Run gunicorn, which does not return, or manage.py, with the arguments in sys.argv.

    name: "gunicorn" or "manage.py".
    """
    from django.core.management import execute_from_command_line
    from django.db import connections
    from gunicorn.app.wsgiapp import run

    if name == "gunicorn":
        run(prog=name)
    execute_from_command_line(sys.argv)
    # The process ends without cleaning up, so the database server is told here.
    connections.close_all()


def load_modules() -> None:
    """Load what commands and servers need, so that no forked process has to load it."""
    from django.contrib.auth.hashers import PBKDF2PasswordHasher

    django.setup()
    for name in ("config.urls", "gunicorn.app.wsgiapp", "gunicorn.workers.gthread", "psycopg"):
        importlib.import_module(name)
    # Otherwise each password takes half a second. The passwords of tests protect nothing.
    PBKDF2PasswordHasher.iterations = 1


# The name of an order -> the function that executes it.
ORDERS = {"fork": fork, "poll": poll}

if __name__ == "__main__":
    # The root of the project comes first, so that its modules are found before all others.
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    load_modules()
    for line in sys.stdin:
        name, *details = json.loads(line)
        execute = ORDERS[name]
        answer = execute(*details)
        print(json.dumps(answer), flush=True)
