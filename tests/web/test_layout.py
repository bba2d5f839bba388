"""The layout shows the life of an answer: a room imports only rooms before it, and doors do not import each other."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = (
    *("models", "people", "webhooks", "designs", "publishing", "tickets", "authoring"),
    *("ballots", "reporting", "analysis", "export", "importing", "inviting"),
    *("supposing", "rehearsal", "demo", "health"),
)
DOORS = ("account", "answering", "workspace", "api", "admin", "management", "probes")
SHARED = (
    "apps",
    "busy",
    "errors",
    "formulas",
    "limits",
    "nesting",
    "outages",
    "problems",
    "templatetags",
    "untrusted",
    "migrations",
    "__init__",
)  # used by any door, using no door


def imports(file: Path, package: str = "surveys") -> set[str]:
    """Every module of a package that a file imports, by the first name after it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom) and node.module == package:
            names = [f"{package}.{alias.name}" for alias in node.names]
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith(f"{package}.")}
    return found


def places() -> list[tuple[str, Path]]:
    app = ROOT / "surveys"
    return [(file.relative_to(app).parts[0].removesuffix(".py"), file) for file in sorted(app.rglob("*.py"))]


def test_every_file_stands_in_a_room_or_at_a_door() -> None:
    assert {place for place, _ in places()} <= {*ROOMS, *DOORS, *SHARED}


@pytest.mark.parametrize(("place", "file"), [pair for pair in places() if pair[0] in ROOMS])
def test_a_room_imports_only_rooms_before_it(place: str, file: Path) -> None:
    before = ROOMS[: ROOMS.index(place) + 1]
    assert imports(file) <= {*before, "busy", "errors", "formulas", "limits", "untrusted"}


@pytest.mark.parametrize(("place", "file"), [pair for pair in places() if pair[0] in DOORS])
def test_doors_do_not_import_each_other(place: str, file: Path) -> None:
    assert imports(file) & set(DOORS) <= {place}


def modules(file: Path) -> set[str]:
    """Every module that a file imports, by its whole name, and every name that it imports from one."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


OUTSIDE = [file for place, file in places() if place not in ("ballots", "models", "migrations")]
UNREAD = {
    "surveys.fieldwork.responses.inbox",
    "surveys.fieldwork.responses.held",
    "surveys.models.Response",
    "surveys.models.Held",
}


@pytest.mark.parametrize("file", OUTSIDE, ids=lambda file: str(file.relative_to(ROOT)))
def test_nothing_outside_of_ballots_looks_at_what_is_not_released(file: Path) -> None:
    assert not modules(file) & UNREAD


@pytest.mark.parametrize("file", OUTSIDE, ids=lambda file: str(file.relative_to(ROOT)))
def test_nothing_outside_of_ballots_opens_a_batch(file: Path) -> None:
    assert "surveys.models.Batch" not in modules(file)
    assert ".batches" not in file.read_text()


def test_one_module_writes_the_tally_and_the_batches() -> None:
    writing = re.compile(r"instrument\.tally = |Batch\.objects\.create|INTO surveys_batch")
    found = {file.name for place, file in places() if place != "migrations" and writing.search(file.read_text())}
    assert found == {"release.py"}


def test_one_module_decides_who_sees_what_of_background_answers() -> None:
    """Rows are filtered for it alone; everything that shows a group asks it."""
    filtering = {"surveys.results.disclosure.subgroups.tally_of", "surveys.results.disclosure.subgroups.tallies_by"}
    found = {f"{place}/{file.name}" for place, file in places() if modules(file) & filtering}
    opening = {f"{place}/{file.name}" for place, file in places() if "subgroups.tall" in file.read_text()}
    cut = {f"{place}/{file.name}" for place, file in places() if "surveys.models.Cut" in modules(file)}
    assert (found, opening) == (set(), {"reporting/cut.py"})
    assert cut == {"ballots/cutting.py", "reporting/cut.py"}


FLOORS = ("checks", "chance", "estimation", "designs", "planning", "analysis", "batches")  # of mechanisms


def floors() -> list[tuple[str, Path]]:
    library = ROOT / "mechanisms"
    return [(file.relative_to(library).parts[0].removesuffix(".py"), file) for file in sorted(library.rglob("*.py"))]


def test_every_file_of_mechanisms_stands_on_a_floor() -> None:
    assert {floor for floor, _ in floors()} == {*FLOORS, "__init__"}


@pytest.mark.parametrize(("floor", "file"), [pair for pair in floors() if pair[0] in FLOORS])
def test_a_floor_of_mechanisms_imports_only_floors_below_it(floor: str, file: Path) -> None:
    assert imports(file, "mechanisms") <= {*FLOORS[: FLOORS.index(floor) + 1]}


def test_mechanisms_import_neither_django_nor_the_app() -> None:
    for file in (ROOT / "mechanisms").rglob("*.py"):
        names = {
            (node.module or "") if isinstance(node, ast.ImportFrom) else alias.name
            for node in ast.walk(ast.parse(file.read_text()))
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for alias in node.names
        }
        assert not {name.split(".")[0] for name in names} & {"django", "surveys", "config"}, file
