"""What is installed comes with its hashes wherever we say how to install, and its licences are named."""

import json
import re
from importlib.metadata import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLACES = ("*.md", "docs/*.md", "Makefile", "Containerfile", "docs/deploy/*", ".ci/*")
INSTALLING = [
    str(file.relative_to(ROOT))
    for place in PLACES
    for file in sorted(ROOT.glob(place))
    if file.is_file()
]
COPYLEFT = re.compile(r"(GPL|MPL|EPL|Mozilla|Affero|General Public)", re.IGNORECASE)
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[a-z,]+\])?==(\S+)", re.MULTILINE)


def pins(name: str) -> dict[str, str]:
    return {
        re.sub(r"[-_.]+", "-", pin).lower(): version
        for pin, version in PIN.findall((ROOT / name).read_text())
    }


def test_there_are_places_that_install() -> None:
    assert {"Makefile", "Containerfile", "docs/deployment.md", "README.md"} <= {*INSTALLING}


@pytest.mark.parametrize("file", INSTALLING)
def test_whoever_installs_asks_for_hashes(file: str) -> None:
    for line in (ROOT / file).read_text().splitlines():
        if "pip install" in line and "requirement" in line:
            assert "--require-hashes" in line


@pytest.mark.parametrize("file", ["requirements", "requirements-dev"])
def test_what_we_chose_is_in_the_list_that_was_made_of_it(file: str) -> None:
    chosen, listed = pins(f"{file}.in"), pins(f"{file}.txt")
    assert chosen.items() <= listed.items()
    assert len(listed) > len(chosen) > 5


def test_tests_and_site_install_the_same_versions() -> None:
    assert pins("requirements.txt").items() <= pins("requirements-dev.txt").items()


@pytest.mark.parametrize(("path", "count"), [("provider", 40), ("browser/old_chromium", 20)])
def test_packages_of_npm_that_tests_use_are_pinned_with_hashes(path: str, count: int) -> None:
    folder = ROOT / "tests" / path
    (chosen,) = json.loads((folder / "package.json").read_text())["dependencies"].items()
    packages = json.loads((folder / "package-lock.json").read_text())["packages"]
    assert packages[""]["dependencies"] == dict([chosen])
    assert packages[f"node_modules/{chosen[0]}"]["version"] == chosen[1]
    installed = [each for place, each in packages.items() if place]
    assert len(installed) == count
    assert all(each["integrity"].startswith("sha512-") for each in installed)


def test_licences_that_ask_for_more_than_a_notice_are_named() -> None:
    """MIT, BSD, Apache and their like need no mention of their own."""
    demanding = {name for name in pins("requirements.txt") if COPYLEFT.search(_licence(name))}
    assert demanding == {"certifi", "psycopg", "psycopg-binary"}
    text = (ROOT / "SECURITY.md").read_text()
    assert not [name for name in demanding if name not in text]


def _licence(name: str) -> str:
    about = metadata(name)
    said = about.get_all("Classifier") or []
    first = (about.get("License") or "").partition("\n")[0]
    return " ".join(
        [
            about.get("License-Expression") or first,
            *(one for one in said if one.startswith("License")),
        ]
    )
