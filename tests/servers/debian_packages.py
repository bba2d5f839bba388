"""Programs that tests need, installed as packages of Debian if possible."""

import os
import shutil
import subprocess

from tests.servers import subprocesses


def install(*packages: str) -> None:
    """Install packages of Debian, if this process runs as root and the system has apt-get.

    If the installation fails, its output is printed. The caller sees from the missing program that
    it is not installed.
    """
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    # The programs must not ask questions, which nobody would answer.
    options = {
        "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        "stdin": subprocess.DEVNULL,
    }
    update_command = ["apt-get", "update", "-qq"]
    install_command = ["apt-get", "install", "--yes", "-qq", "--no-install-recommends", *packages]
    print("Installing", *packages, "...", flush=True)
    try:
        subprocesses.run(update_command, **options)
        subprocesses.run(install_command, **options)
    # run() raises this error, with the output of the command, if its exit code is not 0.
    except AssertionError as error:
        print(error)
