"""A copy of the program in which a toy is added, so that its files can be counted and a program can use it there."""

import filecmp
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.servers import subprocesses

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = (
    "candor_client",
    "config",
    "features",
    "locale",
    "mechanisms",
    "static",
    "surveys",
    "templates",
    "tests",
)
FILES = ("conftest.py", "manage.py", "pyproject.toml")
WITHOUT = ("__pycache__", "releases", "browser", "vectors")


class Tree:
    """folder: an empty one, which becomes the copy. without: names of what is left out of its folders."""

    def __init__(
        self,
        folder: Path,
        folders: Sequence[str] = FOLDERS,
        files: Sequence[str] = FILES,
        without: Sequence[str] = WITHOUT,
    ) -> None:
        self.folder = folder
        for name in folders:
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(*without))
        for file in files:
            shutil.copy(ROOT / file, folder / file)

    def write(self, name: str, text: str) -> None:
        """A file that is new."""
        path = self.folder / name
        assert not path.exists(), name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def put(self, name: str, *, text: str, after: str = "", before: str = "") -> None:
        """A text right behind another one, or right before it, which the file has once."""
        path, there = self.folder / name, after or before
        old = path.read_text()
        assert old.count(there) == 1, f"{name} has {old.count(there)} times: {there}"
        path.write_text(old.replace(there, after + text + before))

    def migrate(self, name: str) -> None:
        """Make the migration of what has changed in the models."""
        self.run("manage.py", "makemigrations", "surveys", "--name", name)

    def touched(self) -> list[str]:
        """The files of the program that differ from the original, or are new; neither templates nor tests."""
        return sorted(name for name in self._files() if not self._is_same(name))

    def test(self, *files: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run files of tests of the copy."""
        return self.run(
            "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *files, **environment
        )

    def run(self, *command: str, code: int = 0, **more: str) -> subprocess.CompletedProcess[str]:
        """Python with these arguments inside the copy. One that ends otherwise shows its exit code and all it said."""
        environment = (
            os.environ
            | more
            | {"DJANGO_SETTINGS_MODULE": "tests.settings", "DATABASE_URL": "sqlite:///:memory:"}
        )
        environment |= {
            "PYTEST_ADDOPTS": "",
            "PYTHONPATH": str(self.folder),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        return subprocesses.run(
            [sys.executable, *command], code=code, cwd=self.folder, env=environment
        )

    def _files(self) -> Iterator[str]:
        for folder in FOLDERS:
            for path in (self.folder / folder).rglob("*"):
                if path.is_file() and path.suffix not in (".html", ".pyc") and folder != "tests":
                    yield str(path.relative_to(self.folder))

    def _is_same(self, name: str) -> bool:
        return (ROOT / name).exists() and filecmp.cmp(
            ROOT / name, self.folder / name, shallow=False
        )
