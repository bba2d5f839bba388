"""R, which computes the product's numbers by itself from exported files. Run as a module it installs it.

Where it cannot be installed, the tests that need it skip and say so.
"""

import os
import shutil
import subprocess

import pytest

from tests import children

RSCRIPT = shutil.which("Rscript")
needs_r = pytest.mark.skipif(RSCRIPT is None, reason="R is not installed: python -m tests.r")


def install() -> None:
    """As root where the system has Debian's packages."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    quiet = {"env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"}, "stdin": subprocess.DEVNULL}  # it asks nothing
    try:
        children.run(["apt-get", "update", "-qq"], **quiet)
        children.run(["apt-get", "install", "--yes", "-qq", "--no-install-recommends", "r-base-core"], **quiet)
    except AssertionError as error:
        print(error)


if __name__ == "__main__":
    if RSCRIPT is None:
        print("R for the tests that compute numbers with it: installing r-base-core", flush=True)
        install()
    print("R:", shutil.which("Rscript") or "none to be had; the tests that need it skip")
