"""What the measurements in bench/ import is there."""

import ast
from importlib import import_module
from pathlib import Path

from tests.operation.test_dependencies import OURS, ROOT


def test_what_measurements_import_is_there() -> None:
    """Inside functions too: they are run by hand only."""
    nodes = [
        (file.name, node)
        for file in (ROOT / "bench").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in OURS
    ]
    asked = {(file, node.module, each.name) for file, node in nodes for each in node.names}
    assert [each for each in sorted(asked) if not is_there(*each[1:])] == []
    assert asked


def is_there(module: str, name: str) -> bool:
    home = import_module(module)
    return hasattr(home, name) or any(
        (Path(path) / f"{name}.py").exists() for path in getattr(home, "__path__", ())
    )
