"""Child processes of tests. One that ends unexpectedly shows its exit code and all its output."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn


def run(
    command: Sequence[object], *, code: int = 0, **options: object
) -> subprocess.CompletedProcess[str]:
    """Run a command until it ends. The test fails if the exit code is not `code`.

    The result has what the command printed, as text.

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
    if ended != code:
        fail_with_output(command, ended, code, **streams)


def fail_with_output(
    command: Sequence[object], ended: int | None, expected: object, **streams: str
) -> NoReturn:
    """Fail with a message that has the exit code of a process and all its output.

    command: the arguments of the process.
    ended: the exit code, or None if the process still runs.
    expected: the exit code, or a word for what should have happened.
    streams: what the process printed, by stream.
    """
    output = "".join(f"\n--- {name}\n{text}" for name, text in streams.items())
    command_line = " ".join(str(argument) for argument in command)
    raise AssertionError(f"{command_line}\nended with {ended} instead of {expected}{output}")


def expect_running(process: subprocess.Popen, log: Path) -> None:
    """Fail if a process has ended; `log` is the file with its output, for the message."""
    ended = process.poll()
    if ended is not None:
        output = log.read_text(errors="replace")
        fail_with_output(process.args, ended, "running on", log=output)
