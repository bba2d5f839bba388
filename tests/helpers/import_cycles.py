"""Which modules import each other in a circle, read from their source code."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.helpers.source_files import ROOT, python_files

FOLDERS = ("candor_client", "config", "features", "mechanisms", "surveys")


@dataclass(frozen=True)
class Import:
    """One import of a module by another. A place is a path from ROOT and a line, such as "surveys/admin.py:18"."""

    importer: str
    imported: str
    place: str
    in_function: bool


def module_name(path: Path, root: Path = ROOT) -> str:
    """Return the dotted name of a module; of an __init__.py the name of its package."""
    parts = path.relative_to(root).with_suffix("").parts
    if parts[-1] == "__init__":
        parts = parts[:-1]
    return ".".join(parts)


def read_imports(folders: Iterable[str] = FOLDERS, root: Path = ROOT) -> list[Import]:
    """Return the imports of modules in these folders by each other, those for type checkers and in functions too."""
    paths = {module_name(path, root): path for path in python_files(*folders, root=root)}
    imports = []
    for importer, path in paths.items():
        tree = ast.parse(path.read_text())
        nodes_in_functions = _nodes_in_functions(tree)
        for node in ast.walk(tree):
            for imported in _imported_modules(node, path, root, paths):
                place = f"{path.relative_to(root)}:{node.lineno}"
                imports.append(Import(importer, imported, place, in_function=node in nodes_in_functions))
    return imports


def _nodes_in_functions(tree: ast.Module) -> set[ast.AST]:
    nodes = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            nodes.update(ast.walk(node))
    return nodes


def _imported_modules(node: ast.AST, path: Path, root: Path, known: Iterable[str]) -> Iterator[str]:
    """Yield the known modules that a statement imports: of "from a import b" a.b if it is a module, and else a."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in known)
    if isinstance(node, ast.ImportFrom):
        start = node.module or ""
        if node.level:
            package = path.relative_to(root).parent.parts
            above = package[: len(package) - node.level + 1]
            start = ".".join([*above, start]).rstrip(".")
        for alias in node.names:
            name = f"{start}.{alias.name}"
            if name in known:
                yield name
            elif start in known:
                yield start


def find_cycles(imports: Iterable[Import]) -> list[list[str]]:
    """Return the groups of modules of which each one imports, through others or directly, every other one."""
    imported_by: dict[str, set[str]] = {}
    for each in imports:
        imported_by.setdefault(each.importer, set()).add(each.imported)
    reached = {module: _reachable(module, imported_by) for module in imported_by}
    cycles = []
    for module in sorted(imported_by):
        cycle = sorted(other for other in reached[module] if module in reached.get(other, ()))
        if cycle and cycle[0] == module:
            cycles.append(cycle)
    return cycles


def _reachable(module: str, imported_by: dict[str, set[str]]) -> set[str]:
    """Return what a module imports, directly and through other modules; itself only if it is in a cycle."""
    reached: set[str] = set()
    to_visit = [module]
    while to_visit:
        new = imported_by.get(to_visit.pop(), set()) - reached
        reached |= new
        to_visit.extend(new)
    return reached
