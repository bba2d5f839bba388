"""Child processes of tests. One that ends otherwise than it should shows its exit code and all that it said."""

import subprocess
from collections.abc import Sequence
from pathlib import Path


def run(
    command: Sequence[object], *, code: int = 0, **options: object
) -> subprocess.CompletedProcess[str]:
    """To its end, which has to be that code."""
    done = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, check=False, **options
    )
    expect_exit_code(done.args, done.returncode, code, stdout=done.stdout, stderr=done.stderr)
    return done


def expect_exit_code(
    command: Sequence[object], ended: int | None, code: int | None = 0, **streams: str
) -> None:
    """Fail unless it ended with that code; None stands for a process that is running."""
    if ended != code:
        told = "".join(f"\n--- {name}\n{text}" for name, text in streams.items())
        raise AssertionError(
            f"{' '.join(map(str, command))}\nended with {ended} instead of {code}{told}"
        )


def expect_running(process: subprocess.Popen, log: Path) -> None:
    """log: the file of both its streams."""
    if (ended := process.poll()) is not None:
        expect_exit_code(process.args, ended, None, log=log.read_text(errors="replace"))
