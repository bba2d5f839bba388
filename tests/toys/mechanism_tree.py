"""A temporary copy of the tree, to which a script of the suite adds something and counts the files it touches."""

import os
import shutil
import sys
from pathlib import Path

from tests import children

ROOT = Path(__file__).parents[2]
LEFT = shutil.ignore_patterns(".*", "__pycache__", "releases", "browser", "docs", "bench")


class Tree:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.touched: set[str] = set()
        shutil.copytree(ROOT, root, ignore=LEFT)

    def add(self, path: str, text: str) -> None:
        assert not (self.root / path).exists()
        self.touched.add(path)
        (self.root / path).write_text(text)

    def put(self, path: str, before: str, text: str) -> None:
        """A text before another one, which the file has once."""
        self.touched.add(path)
        old = (self.root / path).read_text()
        assert old.count(before) == 1, f"{path} has {old.count(before)} times {before!r}"
        (self.root / path).write_text(old.replace(before, text + before))

    def test(self, path: str, **environment: str) -> None:
        """Run a file of tests of the copy in a process of its own."""
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", path]
        own = {"DATABASE_URL": "sqlite:///:memory:", "PYTHONDONTWRITEBYTECODE": "1"} | environment
        children.run(command, cwd=self.root, env=os.environ | own)
