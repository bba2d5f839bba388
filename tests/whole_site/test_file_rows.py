"""The tables that leave as CSV: each value is under the name of its column.

Each file_rows.py, of the core and of a feature, fills the tables that are made there with distinct values.
"""

import ast
from collections.abc import Callable, Iterator
from importlib import import_module

import pytest

from surveys.site.files.lines import write_csv
from tests.helpers.filled_tables import FilledTable, FilledTables
from tests.helpers.import_graph import module_name
from tests.helpers.source_files import ROOT, python_files

WRITERS = {"write_csv", "csv.DictWriter"}
HOME = "surveys.site.files.lines.write_csv"
# They convert a table of any program, whose columns have no names here.
CONVERTERS = {"features/response_import/labelled.py", "features/xlsform/workbook.py"}
MOST_BY_POSITION = 4  # arguments of a call


def filled_tables() -> FilledTables:
    tables: FilledTables = {}
    for path in [
        ROOT / "tests/results/file_rows.py",
        *sorted((ROOT / "features").glob("*/tests/file_rows.py")),
    ]:
        tables |= import_module(module_name(path)).TABLES
    return tables


TABLES = filled_tables()


def dotted_name(function: Callable[..., str]) -> str:
    return f"{function.__module__}.{function.__name__}"


def calls(node: ast.AST) -> Iterator[ast.Call]:
    return (child for child in ast.walk(node) if isinstance(child, ast.Call))


def writing_modules() -> dict[str, ast.Module]:
    """Return the modules that write tables as CSV, by their names."""
    modules = {}
    for path in python_files():
        text = path.read_text()
        if any(f"{writer}(" in text for writer in WRITERS):
            modules[module_name(path)] = ast.parse(text)
    return modules


def writing_functions() -> set[str]:
    """Return the dotted names of the functions that write a table as CSV."""
    names = set()
    for module, tree in writing_modules().items():
        for node in ast.walk(tree):
            is_function = isinstance(node, ast.FunctionDef)
            if is_function and any(ast.unparse(call.func) in WRITERS for call in calls(node)):
                names.add(f"{module}.{node.name}")
    return names - {HOME}


def positional_constructions(tree: ast.AST) -> list[str]:
    """Return the calls of classes with `*values` or many arguments without a name, except errors that are raised."""
    raised = [
        call for node in ast.walk(tree) if isinstance(node, ast.Raise) for call in calls(node)
    ]
    wrong = []
    for call in calls(tree):
        name = ast.unparse(call.func).rpartition(".")[2]
        is_class = name == "cls" or name[0].isupper()
        is_starred = any(isinstance(argument, ast.Starred) for argument in call.args)
        is_positional = is_starred or len(call.args) > MOST_BY_POSITION
        if is_class and is_positional and call not in raised:
            wrong.append(ast.unparse(call))
    return wrong


@pytest.mark.django_db
@pytest.mark.parametrize(
    "fill", [pytest.param(fill, id=dotted_name(table)) for table, fill in TABLES.items()]
)
def test_each_value_is_under_the_name_of_its_column(fill: Callable[[], FilledTable]) -> None:
    table = fill()
    rows, expected = table.read_rows(), table.expected_rows()

    assert rows == expected
    assert [*rows[0]] == [*expected[0]]  # the order of the columns


@pytest.mark.django_db
@pytest.mark.parametrize(
    "fill", [pytest.param(fill, id=dotted_name(table)) for table, fill in TABLES.items()]
)
def test_no_two_columns_of_a_filled_row_hold_the_same_value(
    fill: Callable[[], FilledTable],
) -> None:
    """Else they could be swapped unnoticed."""
    for row in fill().expected_rows():
        values = [value for value in row.values() if value]
        assert len(values) == len({*values}), row


@pytest.mark.parametrize("row", [{"a": 1}, {"a": 1, "b": 2, "c": 3}, {"a": 1, "c": 2}])
def test_a_row_with_other_columns_is_refused(row: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="allowed are a, b"):
        write_csv(("a", "b"), [row])


def test_every_table_that_is_written_is_filled() -> None:
    assert {dotted_name(table) for table in TABLES} == writing_functions()


def test_no_row_is_a_list_of_values() -> None:
    names = {
        str(path.relative_to(ROOT)) for path in python_files() if "csv.writer(" in path.read_text()
    }

    assert names == CONVERTERS


def test_where_tables_are_written_no_object_is_filled_by_position() -> None:
    wrong = {module: positional_constructions(tree) for module, tree in writing_modules().items()}

    assert {module: calls for module, calls in wrong.items() if calls} == {}


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("Line(*values)", True),
        ("cls(key, *rest)", True),
        ("shape.Line(1, 2, 3, 4, 5)", True),
        ("Line(1, 2, 3, 4, fifth=5)", False),
        ("Line(**values)", False),
        ("line(*values)", False),
        ("raise Unreadable(*wrong)", False),
    ],
)
def test_objects_that_are_filled_by_position_are_noticed(text: str, is_wrong: bool) -> None:
    assert bool(positional_constructions(ast.parse(text))) == is_wrong
