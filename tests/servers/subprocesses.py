"""Child processes of tests. One that ends unexpectedly shows its exit code and all its output."""

import subprocess
from collections.abc import Sequence
from pathlib import Path


def run(
    command: Sequence[object], *, code: int = 0, **options: object
) -> subprocess.CompletedProcess[str]:
    """Run a command until it ends. The test fails if the exit code is not `code`.

    options: further options of subprocess.run().
    """
    arguments = [str(argument) for argument in command]
    process = subprocess.run(arguments, capture_output=True, text=True, check=False, **options)
    expect_exit_code(
        process.args, process.returncode, code, stdout=process.stdout, stderr=process.stderr
    )
    return process


def expect_exit_code(
    command: Sequence[object], ended: int | None, code: int | None = 0, **streams: str
) -> None:
    """Fail unless a process ended with the expected exit code.

    command: the arguments of the process, for the message.
    ended: the exit code, or None if the process still runs.
    code: the expected exit code, or None if the process should still run.
    streams: what the process printed, by stream, for the message.
    """
    if ended == code:
        return
    output = "".join(f"\n--- {name}\n{text}" for name, text in streams.items())
    command_line = " ".join(str(argument) for argument in command)
    raise AssertionError(f"{command_line}\nended with {ended} instead of {code}{output}")


def expect_running(process: subprocess.Popen, log: Path) -> None:
    """Fail if a process has ended; `log` is the file with its output."""
    ended = process.poll()
    if ended is not None:
        expect_exit_code(process.args, ended, None, log=log.read_text(errors="replace"))
