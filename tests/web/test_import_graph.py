"""No module imports itself through other modules: not at its start, nor for type checkers, nor in a function.

And what a module reaches by imports is what Python runs with it.
"""

from pathlib import Path

import pytest

from tests.helpers.import_graph import find_cycles, reachable_modules, read_imports
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
    assert find_cycles(read_imports(root=tmp_path)) == [
        ["features.a", "surveys", "surveys.formats"]
    ]


FILES = {
    "surveys/__init__.py": "",
    "surveys/models/__init__.py": "from surveys.models.people import Person",
    "surveys/models/people.py": "import json",
    "surveys/views.py": "from .models import people\nfrom surveys import forms",
    "surveys/forms.py": "def form():\n    from surveys.late import text\n    return text",
    "surveys/late.py": "",
    "surveys/types.py": (
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from surveys.views import view\nelse:\n    from surveys.late import view"
    ),
    "mechanisms/__init__.py": (
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n"
        "    from mechanisms.designs.coin import Coin as Coin\n"
        "    from mechanisms.designs import dice as dice\n"
        "def __getattr__(name): ..."
    ),
    "mechanisms/designs/__init__.py": "",
    "mechanisms/designs/coin.py": "",
    "mechanisms/designs/dice.py": "",
    "surveys/toss.py": "from mechanisms import Coin",
    "surveys/roll.py": "from mechanisms import dice",
    "surveys/play.py": "import mechanisms",
    "surveys/still.py": "import mechanisms.designs",
}
MECHANISMS = {"mechanisms", "mechanisms.designs"}


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("surveys.models.people", {"surveys", "surveys.models"}),  # the package imports its modules
        ("surveys.forms", {"surveys", "surveys.late"}),  # in a function
        (
            "surveys.views",
            {"surveys", "surveys.models", "surveys.models.people", "surveys.forms", "surveys.late"},
        ),
        ("surveys.types", {"surveys", "surveys.late"}),  # not for type checkers
        # The package imports a name when it is used.
        ("surveys.still", {"surveys", *MECHANISMS}),
        ("surveys.toss", {"surveys", *MECHANISMS, "mechanisms.designs.coin"}),
        ("surveys.roll", {"surveys", *MECHANISMS, "mechanisms.designs.dice"}),
        (
            "surveys.play",
            {"surveys", *MECHANISMS, "mechanisms.designs.coin", "mechanisms.designs.dice"},
        ),
    ],
)
def test_a_module_reaches_what_python_runs_with_it(
    start: str, expected: set[str], tmp_path: Path
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    assert reachable_modules(start, tmp_path) == {start, *expected}
