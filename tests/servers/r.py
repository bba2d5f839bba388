"""R, which computes the numbers of the product independently from exported files.

Run as a module, this installs R. If R cannot be installed, the tests that need it are skipped and
say so.
"""

import shutil

import pytest

from tests.servers import debian_packages

RSCRIPT = shutil.which("Rscript")
needs_r = pytest.mark.skipif(
    RSCRIPT is None, reason="R is not installed: python -m tests.servers.r"
)

if __name__ == "__main__":
    # The package of Debian with R itself, without documentation and recommended libraries.
    if RSCRIPT is None:
        debian_packages.install("r-base-core")
    print("R:", shutil.which("Rscript") or "none to be had; the tests that need it skip")
