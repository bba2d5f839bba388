"""Cut a release: the version without its .dev0, its changes under its name, and the hashes of all that respondents'
pages are made of.

make release      # before the commit and the tag, which stay a person's to make
"""

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from surveys.site.page_sources import sources_list  # noqa: E402 (the program lies beside this folder)
from surveys.site.version import VERSION  # noqa: E402

RELEASE = VERSION.removesuffix(".dev0")
TODAY = datetime.now(UTC).date()


def refusal() -> str:
    """Why there can be no such release now; empty where there can."""
    command = ["git", "tag", "--list", f"v{RELEASE}"]
    tag = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603 (no input in it)
    if tag.stdout:
        return (
            f"v{RELEASE} is tagged. Begin the next version: write it with .dev0 into "
            "pyproject.toml and CITATION.cff."
        )
    sections = re.findall(r"(?m)^## (\S+)", (ROOT / "CHANGELOG.md").read_text()).count
    if sections("Unreleased") + sections(f"{RELEASE},") != 1:
        return f"CHANGELOG.md needs one heading, “## Unreleased” or “## {RELEASE}, <day>”, with all changes under it."
    return ""


def write(name: str, pattern: str, text: str) -> None:
    """In place of what stands in a file; the same again where it is there already."""
    file = ROOT / name
    file.write_text(re.sub(rf"(?m)^{pattern}\n", f"{text}\n", file.read_text(), count=1))


def cut() -> None:
    write("pyproject.toml", "version = .*", f'version = "{RELEASE}"')
    write(
        "CITATION.cff",
        "version: .*(\ndate-released: .*)?",
        f"version: {RELEASE}\ndate-released: {TODAY}",
    )
    write("CHANGELOG.md", "## Unreleased", f"## {RELEASE}, {TODAY.day} {TODAY:%B %Y}")
    (ROOT / "releases").mkdir(exist_ok=True)
    (ROOT / f"releases/{RELEASE}.sha256").write_text(sources_list())


if __name__ == "__main__":
    if reason := refusal():
        sys.exit(reason)
    cut()
    sys.stdout.write(f"{RELEASE}\n")
