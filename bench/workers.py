"""Processor seconds until a site answers, started or after its workers were killed, and its memory.

    python -m bench.workers [address of an empty PostgreSQL, else SQLite]

The master and two workers of four threads. Memory is proportional: what two processes share counts half for each.
"""

import os
import re
import signal
import sys
import time
from pathlib import Path

from bench.serving import Server, ask, processor_seconds, workers

REQUESTS = 300
PAGES = ("/", "/login/", "/try/", "/api/v1/surveys/")


def megabytes(process: int) -> float:
    return (
        int(re.search(r"(?m)^Pss:\s+(\d+)", Path(f"/proc/{process}/smaps_rollup").read_text())[1])
        / 1024
    )


def main(database: str | None) -> None:
    server = Server("config.wsgi", database)
    server.manage("migrate", "--verbosity", "0")
    server.manage("collectstatic", "--no-input", "--verbosity", "0")
    server.start()
    try:
        master = server.process.pid
        every = [master, *workers(master)]
        print(
            f"until the first answer   {sum(map(processor_seconds, every)):8.2f} s of processor time"
        )
        for number in range(REQUESTS):
            ask(server.port, "GET", PAGES[number % len(PAGES)])
        every = [master, *workers(master)]
        print(
            f"master and two workers   {sum(map(megabytes, every)):8.0f} MB after {REQUESTS} requests"
        )
        before = processor_seconds(master)
        for worker in every[1:]:
            os.kill(worker, signal.SIGKILL)
        _until_answered(server.port)
        after = processor_seconds(master) - before + sum(map(processor_seconds, workers(master)))
        print(f"after both were killed   {after:8.2f} s of processor time until the next answer")
    finally:
        server.stop()


def _until_answered(port: int) -> None:
    for _ in range(3000):
        try:
            ask(port, "GET", "/login/")
            return
        except OSError:
            time.sleep(0.01)
    raise RuntimeError("no worker came back")


if __name__ == "__main__":
    main(*sys.argv[1:] or [None])
