"""The statistics and the client as distributions of their own: built, installed where nothing of the clone is, used."""

import doctest
import os
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from surveys.site.version import VERSION
from tests.servers import subprocesses

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {"mechanisms": "candor_mechanisms", "candor_client": "candor_client"}
EXAMPLES = """
import doctest, importlib.metadata, sys
import candor_client, mechanisms
for module in (candor_client, mechanisms):
    assert module.__file__.startswith(sys.prefix), module.__file__
found = doctest.testfile(sys.argv[1], module_relative=False)
print(found.failed, found.attempted, *map(importlib.metadata.version, ("candor-mechanisms", "candor-client")))
"""


def test_the_examples_of_the_readme_say_what_comes_out() -> None:
    found = doctest.testfile(str(ROOT / "mechanisms" / "README.md"), module_relative=False)
    assert (found.failed, found.attempted > 10) == (0, True)


def run(*command: object, **options: object) -> str:
    return subprocesses.run(command, **options).stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """As `make packages` builds them: first the sources, then the wheel from these alone."""
    out = tmp_path_factory.mktemp("packages")
    for folder in FOLDERS:
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, ROOT / folder)
    return sorted(out.glob("*.whl"))


@pytest.mark.long
def test_both_wheels_hold_the_package_its_types_and_licence_and_nothing_else(
    wheels: list[Path],
) -> None:
    assert [wheel.name for wheel in wheels] == [
        f"{name}-{VERSION}-py3-none-any.whl" for name in sorted(FOLDERS.values())
    ]
    for wheel in wheels:
        names = zipfile.ZipFile(wheel).namelist()
        (top,) = {name.split("/")[0] for name in names if ".dist-info/" not in name}
        files = [*(ROOT / top).rglob("*.py"), *(ROOT / top).rglob("*.pyi")]
        sources = {f"{top}/{file.relative_to(ROOT / top)}" for file in files}
        assert {name for name in names if name.startswith(f"{top}/")} == {
            *sources,
            f"{top}/py.typed",
        }
        assert any(name.endswith("licenses/LICENSE") for name in names)


@pytest.mark.long
def test_both_install_without_the_clone_and_the_network_and_the_examples_run(
    wheels: list[Path], tmp_path: Path
) -> None:
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "fresh")
    python = tmp_path / "fresh" / "bin" / "python"
    run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--no-index",
        "--no-deps",
        *wheels,
    )
    others = {
        **os.environ,
        "PYTHONPATH": sysconfig.get_path("purelib"),
    }  # NumPy, SciPy, pandas and httpx
    readme = ROOT / "mechanisms" / "README.md"
    assert run(python, "-c", EXAMPLES, readme, cwd=tmp_path, env=others).split() == [
        "0",
        "19",
        VERSION,
        VERSION,
    ]
