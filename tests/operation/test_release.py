"""A release is cut by one command, and a stranger checks a site against it, with the commands of docs/checking.md."""

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.version import Version

from surveys.site.page_sources import sources_list
from surveys.site.version import VERSION
from tests.faults.conftest import MAKE, Site, migrated_file
from tests.operation.test_dependencies import pinned
from tests.servers import subprocesses

ROOT = Path(__file__).resolve().parents[2]
RELEASE = VERSION.removesuffix(".dev0")
KEPT = sorted((ROOT / "releases").glob("*.sha256"))
MOST_WORDS = 600
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "var", "build", "__pycache__", ".*_cache", "tests", "bench", "releases"
)
CONNECTION = (
    "date",
    "server",
    "via",
    "connection",
    "keep-alive",
    "content-length",
    "transfer-encoding",
)  # see the page


def commands() -> list[list[str]]:
    """What docs/checking.md lets a stranger type, block by block."""
    blocks = re.findall(r"(?m)(?:^ {4}.+\n)+", (ROOT / "docs/checking.md").read_text())
    return [[line.strip() for line in block.splitlines()] for block in blocks]


def changes() -> dict[str, str]:
    """What CHANGELOG.md says of each version."""
    _, *parts = re.split(r"(?m)^## (.*)\n", (ROOT / "CHANGELOG.md").read_text())
    return dict(zip(parts[::2], parts[1::2], strict=True))


def test_what_was_cut_is_what_lies_here() -> None:
    """Between releases there is nothing to compare with: the version says so."""
    own = ROOT / f"releases/{RELEASE}.sha256"
    if VERSION != RELEASE:
        assert not own.exists(), (
            f"{RELEASE} is released: begin the next version, as CONTRIBUTING.md says."
        )
        return
    assert own.read_text() == sources_list(), (
        "Run `make release` again or, if it is tagged, begin the next version."
    )
    bill = json.loads(own.with_suffix(".cdx.json").read_text())
    assert bill["metadata"]["component"]["version"] == VERSION
    assert {each["name"].lower().replace("_", "-") for each in bill["components"]} == pinned()


def test_every_release_left_a_database_and_is_older() -> None:
    for file in KEPT:
        assert (ROOT / "tests/releases" / file.stem / "sqlite/database.sql").exists(), file.stem
        assert Version(file.stem) <= Version(VERSION)


def test_the_changes_of_a_version_are_read_in_three_minutes() -> None:
    first, *_ = changes()
    assert first == "Unreleased" if VERSION != RELEASE else first.startswith(f"{RELEASE}, ")
    for version, text in changes().items():
        assert len(text.split()) <= MOST_WORDS, version


class Stranger:
    """Somebody with a shell, a repository with a release, and the address of a site that runs it."""

    def __init__(self, folder: Path, site: Site, slug: str) -> None:
        self.folder = self.at = folder
        self.places = {
            "<the repository>": str(folder / "origin"),
            "https://survey.example.org": f"http://127.0.0.1:{site.port}",
            "VERSION": RELEASE,
            "SLUG": slug,
            "make ": "make -s -o .venv/runtime -o .venv/development ",  # an environment that is installed already
        }
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "GIT_CONFIG_GLOBAL": os.devnull,
        }

    def type(self, *lines: str, code: int = 0) -> str:
        text = "\n".join(lines)
        for place, value in self.places.items():
            text = text.replace(place, value)
        run = subprocesses.run(
            ["bash", "-ec", f"{text}\necho\npwd"], code=code, cwd=self.at, env=self.environment
        )
        if code:
            return run.stderr
        *printed, at = run.stdout.splitlines()
        self.at = Path(at)
        if not (self.at / ".venv").exists() and (self.at / "Makefile").exists():
            (self.at / ".venv").symlink_to(Path(sys.prefix))
        return "\n".join(printed).strip()

    def git(self, *words: str) -> str:
        return self.type(f"git -c user.name=A -c user.email=a@example.org {' '.join(words)}")


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stranger]:
    folder = tmp_path_factory.mktemp("stranger")
    shutil.copytree(ROOT, folder / "origin", ignore=LEFT_OUT, symlinks=True)
    site = Site(folder, migrated_file(folder))
    slug, _ = site.shell(MAKE.format(name="ada")).split()
    site.start()
    yield Stranger(folder, site, slug)
    site.kill()


def test_a_release_is_cut_by_one_command(stranger: Stranger) -> None:
    """Again too, as long as there is no tag; never after it."""
    stranger.type("cd origin && git init --quiet --initial-branch main")
    stranger.type("echo .venv > .git/info/exclude")
    file = stranger.at / "pyproject.toml"
    file.write_text(file.read_text().replace(f'"{VERSION}"', f'"{RELEASE}.dev0"'))
    (stranger.at / "CHANGELOG.md").write_text(
        "# Changelog\n\n## Unreleased\n\n* One change\n\n## 0.1.0, a day\n"
    )
    for _ in range(2):
        assert f"Candor {RELEASE} is cut" in stranger.type("make release")
    assert f'version = "{RELEASE}"\n' in file.read_text()
    assert re.search(
        rf"(?m)^version: {RELEASE}\ndate-released: \d{{4}}-\d\d-\d\d$",
        (stranger.at / "CITATION.cff").read_text(),
    )
    assert re.search(
        rf"(?m)^## {RELEASE}, \d+ [A-Z][a-z]+ \d{{4}}$", (stranger.at / "CHANGELOG.md").read_text()
    )
    assert (stranger.at / f"releases/{RELEASE}.sha256").read_text() == sources_list()
    assert json.loads((stranger.at / f"releases/{RELEASE}.cdx.json").read_text())["components"]
    stranger.git(
        "add --all && git -c user.name=A -c user.email=a@example.org commit --quiet --message Release"
    )
    stranger.git(f'tag --annotate v{RELEASE} --message "Candor {RELEASE}"')
    assert f"v{RELEASE} is tagged." in stranger.type("make release", code=2)
    stranger.at = stranger.folder


def test_the_commands_of_the_page_check_a_site(stranger: Stranger) -> None:
    """A page that is that of the release, its headers, and the list that `/trust/` names."""
    fetch, compare, headers, build = commands()
    assert stranger.type(*fetch) == ""
    *made, handed_out = stranger.type(*compare).splitlines()
    assert [line.split()[1] for line in made] == ["open", "closed"]
    assert f"{handed_out.split()[0]}  open" in made
    expected = stranger.type(*headers).splitlines()
    status, *came = [line for line in (stranger.at / "headers").read_text().splitlines() if line]
    assert status.startswith("HTTP/1.1 200")
    assert {line for line in came if line.split(":")[0].lower() not in CONNECTION} == set(expected)
    listed_hash, program = (line.split()[0] for line in stranger.type(*build).splitlines())
    trust = stranger.type("curl -s https://survey.example.org/trust/SLUG/")
    assert listed_hash in trust
    assert program in trust
    assert f"# {program}  respondent/page.js\n" in sources_list()
    assert stranger.type("git rev-parse HEAD") == stranger.type(f"git rev-list -n 1 v{RELEASE}")


def test_a_changed_file_of_the_release_is_named(stranger: Stranger) -> None:
    fetch, *_ = commands()
    file = stranger.at / "static/respondent/odds.js"
    file.write_text(file.read_text() + "// more\n")
    assert "static/respondent/odds.js: FAILED" in stranger.type(f"{fetch[1]} 2>/dev/null || true")
