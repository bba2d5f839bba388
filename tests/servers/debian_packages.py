"""Programs that tests need, as packages of Debian: brought where they can be, by root on a system that has them."""

import os
import shutil
import subprocess

from tests.servers import subprocesses


def install(*packages: str) -> None:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    quiet = {
        "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        "stdin": subprocess.DEVNULL,
    }  # it asks nothing
    print("Installing", *packages, "...", flush=True)
    try:
        subprocesses.run(["apt-get", "update", "-qq"], **quiet)
        subprocesses.run(
            ["apt-get", "install", "--yes", "-qq", "--no-install-recommends", *packages], **quiet
        )
    except AssertionError as error:
        print(error)
