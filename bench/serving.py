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
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Server:
    """gunicorn with one application on a database of its own, as in production."""

    def __init__(
        self, application: str, database: str | None = None, workers: int = 2, threads: int = 4
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="candor-bench-"))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.environment = os.environ | {
            "API_RATE": "1000000/minute",  # what is measured asks as fast as it can
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "TICKET_KEY": secrets.token_urlsafe(50),
            "HTTPS": "0",
            "DATABASE_URL": database or f"sqlite:///{self.folder / 'bench.sqlite3'}",
            "VAR": str(self.folder),
            "STATIC_ROOT": str(self.folder / "static"),
            "PYTHONPATH": str(ROOT),
        }
        self.command = [
            sys.executable,
            "-m",
            "gunicorn",
            application,
            "--bind",
            f"127.0.0.1:{self.port}",
        ]
        self.command += [
            "--workers",
            str(workers),
            "--threads",
            str(threads),
            "--log-level",
            "error",
        ]

    def manage(self, *arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(  # noqa: S603
            command, cwd=ROOT, env=self.environment, check=True, capture_output=True, text=True
        ).stdout.strip()

    def start(self, path: str = "/nowhere") -> None:
        """Until that path is answered, whatever with."""
        self.process = subprocess.Popen(  # noqa: S603
            self.command, cwd=ROOT, env=self.environment, stdout=subprocess.DEVNULL
        )
        for _ in range(600):
            try:
                ask(self.port, "GET", path)
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the server did not start")

    def first(self, method: str, path: str, body: bytes = b"") -> float:
        """The seconds that the first request takes after a start, but for those for a static file."""
        self.end()
        self.start("/static/css/api.css")
        start = time.perf_counter()
        ask(self.port, method, path, body)
        return time.perf_counter() - start

    def processor(self) -> float:
        """Seconds of the processor that the master and its workers have taken."""
        master = self.process.pid
        return sum(map(processor_seconds, [master, *workers(master)]))

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()

    def stop(self) -> None:
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)


def processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def workers(master: int) -> list[int]:
    return list(map(int, Path(f"/proc/{master}/task/{master}/children").read_text().split()))


def ask(port: int, method: str, path: str, body: bytes = b"") -> int:
    """One request on a connection of its own, as through nginx; returns the status."""
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", port)) as raw:
        raw.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = b""
        while part := raw.recv(65_536):
            answer += part
    if not answer:
        raise ConnectionError("hung up")
    return int(answer[9:12])


def press(
    port: int,
    path: str,
    body: Callable[[], bytes],
    seconds: float,
    clients: int,
    *,
    expected: int = 201,
) -> list[float]:
    """POST fresh bodies from several clients for some seconds; returns the seconds that each request took. expected:
    how each is answered.
    """
    times: list[float] = []
    end = time.perf_counter() + seconds

    def client() -> None:
        while (start := time.perf_counter()) < end:
            status = ask(port, "POST", path, body())
            times.append(time.perf_counter() - start)
            if status != expected:
                raise RuntimeError(f"answered {status}")

    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


def corrected(times: list[float]) -> list[float]:
    """With those that would have waited as well, had each client sent evenly (coordinated omission, as wrk has it): a
    request that takes longer than one usually does stands for all that its client did not send meanwhile.
    """
    usual = sum(times) / len(times)
    return [late for each in times for late in (each, *_behind(each, usual))]


def _behind(took: float, usual: float) -> Iterator[float]:
    while (took := took - usual) > usual:
        yield took
