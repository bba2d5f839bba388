"""docs/threat-model.md names the tests of each of its lines, so that a reviewer can check it line by line."""

import ast
import re
from pathlib import Path

import pytest

from tests.helpers.source_files import all_test_files

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs/threat-model.md").read_text()
LIST = range(1, 37)


def files_with_tests() -> list[Path]:
    """Return the files with tests, of the core and of the features."""
    return sorted(file for file in all_test_files() if file.name.startswith("test_"))


def known() -> dict[str, tuple[str, set[int]]]:
    """Name -> (file, lines of the list that its docstring says it checks)."""
    found = {}
    for file in files_with_tests():
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                said = re.match(r"((?:\d+(?:, | and )?)+)\.", ast.get_docstring(node) or "")
                lines = set(map(int, re.findall(r"\d+", said[1]))) if said else set()
                found[node.name] = (str(file.relative_to(ROOT)), lines)
    return found


TESTS = known()


def table() -> dict[int, dict[str, set[str]]]:
    """The table at the end: line -> file -> names."""
    found: dict[int, dict[str, set[str]]] = {}
    for line, file, names in re.findall(
        r"^\| (\d+) \| `((?:tests|features)/\S+)` \| (.+) \|$", TEXT, re.M
    ):
        found.setdefault(int(line), {})[file] = set(re.findall(r"`(test_\w+)`", names))
    return found


def expected() -> str:
    """The table as it should be, to paste."""
    rows = []
    for line in LIST:
        for file in sorted({file for file, lines in TESTS.values() if line in lines}):
            names = ", ".join(
                f"`{name}`"
                for name, (place, lines) in TESTS.items()
                if place == file and line in lines
            )
            rows.append(f"| {line} | `{file}` | {names} |")
    return "\n".join(rows)


@pytest.mark.parametrize("line", LIST)
def test_each_line_of_the_list_stands_there_and_has_its_tests(line: int) -> None:
    assert re.search(rf"^{line}\. ", TEXT, re.M)
    named = {name for names in table().get(line, {}).values() for name in names}
    assert named, f"no test is named for line {line}"
    assert named == {name for name, (_, lines) in TESTS.items() if line in lines}, expected()


def test_the_table_says_where_each_test_is() -> None:
    for files in table().values():
        for file, names in files.items():
            assert {TESTS[name][0] for name in names} == {file}


def test_every_test_that_is_named_anywhere_in_the_text_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", TEXT))
    assert len(named) > 50
    assert named <= TESTS.keys()


def test_every_item_about_a_stolen_database_names_its_tests() -> None:
    part = TEXT.partition("## A stolen database")[2].partition("\nSo someone")[0]
    items = part.partition("\n* ")[2].split("\n* ")
    assert len(items) > 5
    assert all(re.search(r"`test_\w+`", item) for item in items)


def test_no_two_tests_that_are_named_share_their_name() -> None:
    named = set(re.findall(r"`(test_\w+)`", TEXT))
    places = [
        node.name
        for file in files_with_tests()
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.FunctionDef) and node.name in named
    ]
    assert len(places) == len(set(places))
