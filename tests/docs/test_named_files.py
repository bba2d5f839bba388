"""The files that CONTRIBUTING and docs/architecture.md name are there, and hold what these say: their lists stay true
as files and functions move."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.code_blocks import DOCS

ROOT = DOCS.parent
FOLDERS = (
    "candor_client",
    "config",
    "docs",
    "features",
    "locale",
    "mechanisms",
    "static",
    "surveys",
    "templates",
    "tests",
)
NAMED = re.compile(
    r"([\w./-]*)\{([\w,/-]+)\}(\.\w+)|([\w./-]+(?:/|\.(?:pyi?|js|mjs|html|md|txt|toml|cff|in|R)))"
)


def files(document: Path) -> Iterator[str]:
    """Each file and folder in a code span; braces stand for several files."""
    for span in re.findall(
        r"`([^`\n]+)`", re.sub(r"```.*?```", "", document.read_text(), flags=re.DOTALL)
    ):
        if match := NAMED.fullmatch(span):
            start, names, end, whole = match.groups()
            yield from [whole] if whole else [f"{start}{name}{end}" for name in names.split(",")]


@pytest.mark.parametrize(
    "document", [ROOT / "CONTRIBUTING.md", DOCS / "architecture.md"], ids=lambda path: path.name
)
def test_every_file_that_is_named_is_there(document: Path) -> None:
    """By its path, or by the end of it where the text says in which folder it is."""
    there = [
        f"/{path.relative_to(ROOT)}" for folder in FOLDERS for path in (ROOT / folder).rglob("*")
    ]
    there = [path for path in there if "__pycache__" not in path] + [
        f"/{path.name}" for path in ROOT.iterdir()
    ]
    named = [name.rstrip("/") for name in files(document)]
    assert len(named) > 50
    assert [name for name in named if not any(path.endswith(f"/{name}") for path in there)] == []


def test_what_is_named_in_a_file_is_defined_there() -> None:
    """`name` in `file`, or of it; a short name of a file is the end of its path."""
    text = (DOCS / "architecture.md").read_text()
    pairs = re.findall(r"`(\w+)`\s+(?:in|of)\s+`([\w./-]+\.(?:py|js))`", text)
    assert len(pairs) > 25
    for name, path in pairs:
        sources = [
            file
            for folder in FOLDERS
            for file in (ROOT / folder).rglob(f"*/{path.rpartition('/')[2]}")
        ]
        sources = [file.read_text() for file in sources if str(file).endswith(f"/{path}")]
        defined = re.compile(
            rf"^(?:export )?(?:async )?(?:def|class|function|const) {name}\b|^{name}\b",
            re.MULTILINE,
        )
        assert any(map(defined.search, sources)), f"{name} in {path}"
