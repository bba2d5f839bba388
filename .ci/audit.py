"""Is everything that we install pinned with its hashes, installed as pinned, and free of known vulnerabilities?

    python .ci/audit.py [options of pip-audit]

Ends with 1 where a vulnerability is known, where a requirement is not pinned exactly or has no hash, or where
something else is installed. Where no service can be asked it says so and ends well: whether a build succeeds must not
hang on that.
"""

import json
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distributions, version
from pathlib import Path
from tempfile import NamedTemporaryFile

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENTS = ROOT / "requirements-dev.txt"  # holds those of the site too
PIN = re.compile(r"([A-Za-z0-9._-]+)(\[[a-z,]+\])?==([A-Za-z0-9.+!-]+)")
HASH = re.compile(r"\s+--hash=sha256:[0-9a-f]{64}")
TOOLS = {"pip", "setuptools", "wheel"}  # what a virtual environment brings along
PATIENCE = 120  # seconds; a build must not wait longer for somebody else


def lines(file: Path) -> list[str]:
    """The requirements in a file and in those that it names, each in one line with its hashes, without comments."""
    found = []
    for line in file.read_text().replace("\\\n", "").splitlines():
        text = line.partition("#")[0].strip()
        if text.startswith("-r "):
            found += lines(file.parent / text[3:].strip())
        elif text:
            found.append(text)
    return found


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def bare(line: str) -> str:
    """A requirement without its hashes."""
    return HASH.sub("", line)


def wrong_pins(file: Path) -> list[str]:
    """What is not pinned to one version, has no hash, is not installed as pinned, or installed without being pinned."""
    pins = {line: PIN.fullmatch(bare(line)) for line in lines(file)}
    wrong = [
        f"{bare(line)} is not pinned as name==version" for line, pin in pins.items() if pin is None
    ]
    wrong += [f"{line} has no hash" for line, pin in pins.items() if pin and not HASH.search(line)]
    wanted = {canonical(pin[1]): pin[3] for pin in pins.values() if pin}
    for name, number in wanted.items():
        try:
            found = version(name)
        except PackageNotFoundError:
            found = "missing"
        if found != number:
            wrong.append(f"{name} is pinned to {number} and installed as {found}")
    installed = {canonical(each.metadata["Name"]) for each in distributions()}
    return wrong + [
        f"{name} is installed and not pinned" for name in sorted(installed - wanted.keys() - TOOLS)
    ]


def conflicts() -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", "pip", "check"], capture_output=True, text=True, check=False
    )
    return done.stdout.splitlines() if done.returncode else []


def ask(file: Path, options: list[str]) -> tuple[list[str], str]:
    """Known vulnerabilities, one a line, and a sentence about what was looked up."""
    try:
        asked = json.loads(_run([bare(line) for line in lines(file)], options))["dependencies"]
    except (subprocess.TimeoutExpired, ValueError):
        return [], "NOT AUDITED: no vulnerability service could be reached from here."
    known = [each for each in asked if "skip_reason" not in each]
    if not known:  # pip-audit itself would call this "no known vulnerabilities"
        return (
            [],
            "NOT AUDITED: what answers for the vulnerability service knows none of the packages.",
        )
    found = [
        f"{each['name']} {each['version']}: {vuln['id']}, fixed in {', '.join(vuln['fix_versions']) or 'no version'}"
        for each in known
        for vuln in each["vulns"]
    ]
    rest = f" Unknown to the service: {len(asked) - len(known)}." if len(known) < len(asked) else ""
    return found, f"Audited: {len(known)} packages, {len(found)} known vulnerabilities.{rest}"


def _run(requirements: list[str], options: list[str]) -> str:
    """What pip-audit prints. It gets them in one file, because it does not follow a file to others."""
    command = [sys.executable, "-m", "pip_audit", "--no-deps", "--disable-pip", "--format", "json"]
    with NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(requirements))
        file.flush()
        command += ["--progress-spinner", "off", "--requirement", file.name, *options]
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    return done.stdout


def main(options: list[str], file: Path = REQUIREMENTS) -> int:
    wrong = wrong_pins(file) + conflicts()
    vulnerabilities, said = ask(file, options)
    print(
        "\n".join(
            [
                *wrong,
                *vulnerabilities,
                f"{len(lines(file))} requirements, {len(wrong)} wrong.",
                said,
            ]
        )
    )
    return 1 if wrong or vulnerabilities else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
