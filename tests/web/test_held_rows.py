"""Rows are held in a transaction: PostgreSQL refuses anything else, which SQLite and a test's own transaction hide."""

import ast
from collections.abc import Iterator
from pathlib import Path

APP = Path(__file__).resolve().parents[2] / "surveys"


def inside(node: ast.AST) -> Iterator[ast.AST]:
    """All of a function, but for the functions in it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef):
            yield child
            yield from inside(child)


def unprotected(program: str) -> set[str]:
    """The functions that hold a row, by themselves or through a private one of the file, and begin no transaction.

    A private one leaves that to those who call it.
    """
    functions = [each for each in ast.walk(ast.parse(program)) if isinstance(each, ast.FunctionDef)]
    calls = {
        function: {
            ast.unparse(each.func) for each in inside(function) if isinstance(each, ast.Call)
        }
        for function in functions
    }
    outside = [
        function
        for function in functions
        if "transaction.atomic"
        not in calls[function].union(map(ast.unparse, function.decorator_list))
    ]
    holding, before = {"select_for_update", "locked"}, set()
    while holding != before:
        before = {*holding}
        names = {
            each.name for each in outside if {call.split(".")[-1] for call in calls[each]} & holding
        }
        holding |= {name for name in names if name.startswith("_")}
    return {name for name in names if not name.startswith("_")}


def test_whoever_holds_a_row_is_in_a_transaction() -> None:
    files = {
        str(file.relative_to(APP)): unprotected(file.read_text())
        for file in sorted(APP.rglob("*.py"))
    }
    assert {name: functions for name, functions in files.items() if functions} == {
        "models/surveys.py": {"locked"}
    }


def test_whoever_forgets_it_is_noticed() -> None:
    helper = "def _held(file): return file.select_for_update().get()\n"
    assert unprotected("def close(survey): survey.locked()") == {"close"}
    assert unprotected(f"{helper}@other\ndef close(file): file = _held(file)") == {"close"}
    assert unprotected(f"{helper}def _more(file): _held(file)\ndef close(file): _more(file)") == {
        "close"
    }
    assert not unprotected(f"{helper}@transaction.atomic\ndef close(file): _held(file)")
    assert not unprotected(
        "def close(survey):\n    with transaction.atomic():\n        survey.locked()"
    )
    assert not unprotected(
        "def outer():\n    @transaction.atomic\n    def inner(survey): survey.locked()"
    )
