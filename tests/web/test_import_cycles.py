"""No module imports itself through other modules: not at its start, nor for type checkers, nor in a function."""

from pathlib import Path

import pytest

from tests.helpers.import_cycles import find_cycles, read_imports
from tests.helpers.source_files import ROOT


def has_reason(place: str) -> bool:
    """Return whether a comment says why an import is inside a function.

    It is in brackets after "noqa", or above the import and those that stand with it.
    """
    path, _, number = place.rpartition(":")
    lines = (ROOT / path).read_text().splitlines()
    above = int(number) - 2
    while lines[above].strip().startswith(("from ", "import ")):
        above -= 1
    return "PLC0415 (" in lines[int(number) - 1] or lines[above].strip().startswith("#")


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    assert find_cycles(read_imports()) == []


def test_every_import_inside_a_function_has_a_comment_that_says_why() -> None:
    places = [each.place for each in read_imports() if each.in_function]

    assert places
    assert [place for place in places if not has_reason(place)] == []


@pytest.mark.parametrize(
    "text",
    [
        "from surveys.b import name",
        "from surveys import b",
        "from . import b",
        "from .b import name",
        "import surveys.b",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from surveys.b import name",
        "def name():\n    from surveys.b import name",
    ],
)
def test_every_way_to_write_an_import_is_seen(text: str, tmp_path: Path) -> None:
    folder = tmp_path / "surveys"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "a.py").write_text(text)
    (folder / "b.py").write_text("from surveys.c import name")
    (folder / "c.py").write_text("from surveys.a import name")
    (folder / "d.py").write_text("from surveys.a import name")

    assert find_cycles(read_imports(root=tmp_path)) == [["surveys.a", "surveys.b", "surveys.c"]]


def test_a_package_is_imported_with_its_modules_except_for_type_checkers(tmp_path: Path) -> None:
    files = {
        "surveys/__init__.py": "from surveys.formats import FORMATS",
        "surveys/formats.py": "from features.a import name\nfrom surveys.text import name",
        "surveys/text.py": "",
        "features/a.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from surveys.text import name",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert find_cycles(read_imports(root=tmp_path)) == []

    (tmp_path / "features" / "a.py").write_text("from surveys.text import name")
    assert find_cycles(read_imports(root=tmp_path)) == [["features.a", "surveys", "surveys.formats"]]
