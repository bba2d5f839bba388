"""What the measurements share: a real server on a fresh database, and clients that press it."""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Server:
    """gunicorn with one application on a database of its own, as in production."""

    def __init__(self, application: str, database: str | None = None, workers: int = 2, threads: int = 4) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="candor-bench-"))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.environment = os.environ | {
            "API_RATE": "1000000/minute",  # what is measured asks as fast as it can
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "HTTPS": "0",
            "DATABASE_URL": database or f"sqlite:///{self.folder / 'bench.sqlite3'}",
            "STATIC_ROOT": str(self.folder / "static"),
            "PYTHONPATH": str(ROOT),
        }
        self.command = [sys.executable, "-m", "gunicorn", application, "--bind", f"127.0.0.1:{self.port}"]
        self.command += ["--workers", str(workers), "--threads", str(threads), "--log-level", "error"]

    def manage(self, *arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(  # noqa: S603
            command, cwd=ROOT, env=self.environment, check=True, capture_output=True, text=True
        ).stdout.strip()

    def start(self) -> None:
        self.process = subprocess.Popen(  # noqa: S603
            self.command, cwd=ROOT, env=self.environment, stdout=subprocess.DEVNULL
        )
        for _ in range(200):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/nowhere", timeout=2)
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the server did not start")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def press(port: int, path: str, body: Callable[[], bytes], seconds: float, clients: int) -> list[float]:
    """POST fresh bodies from several clients for some seconds; returns the seconds that each request took."""
    times: list[float] = []
    end = time.perf_counter() + seconds

    def client() -> None:
        connection = HTTPConnection("127.0.0.1", port)
        while time.perf_counter() < end:
            content = body()
            start = time.perf_counter()
            connection.request("POST", path, content, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            times.append(time.perf_counter() - start)
            if answer.status != 201:
                raise RuntimeError(f"answered {answer.status}")

    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times
