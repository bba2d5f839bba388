"""Which modules import each other in a circle, read from their source code."""

import ast
from collections.abc import Callable, Iterable, Iterator
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
        in_functions = _nodes_inside(tree, _is_function)
        for_type_checkers = _nodes_inside(tree, _is_for_type_checkers)
        for node in ast.walk(tree):
            for module in _imported_modules(node, path, root, paths):
                place = f"{path.relative_to(root)}:{node.lineno}"
                # Nothing is executed for a type checker, so the packages around the module are not imported.
                packages = [] if node in for_type_checkers else _packages_around(module, importer)
                for imported in [module, *packages]:
                    imports.append(Import(importer, imported, place, in_function=node in in_functions))
    return imports


def _packages_around(module: str, importer: str) -> list[str]:
    """Return the packages that Python imports before a module, unless the importer is inside them itself."""
    parts = module.split(".")
    packages = [".".join(parts[:length]) for length in range(1, len(parts))]
    return [package for package in packages if not f"{importer}.".startswith(f"{package}.")]


def _nodes_inside(tree: ast.Module, is_block: Callable[[ast.AST], bool]) -> set[ast.AST]:
    nodes = set()
    for node in ast.walk(tree):
        if is_block(node):
            nodes.update(ast.walk(node))
    return nodes


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _is_for_type_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


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
    imported_by_importer: dict[str, set[str]] = {}
    for each in imports:
        imported_by_importer.setdefault(each.importer, set()).add(each.imported)
    reached = {module: _reachable(module, imported_by_importer) for module in imported_by_importer}
    cycles = []
    for module in sorted(imported_by_importer):
        cycle = sorted(other for other in reached[module] if module in reached.get(other, ()))
        if cycle and cycle[0] == module:
            cycles.append(cycle)
    return cycles


def _reachable(module: str, imported_by_importer: dict[str, set[str]]) -> set[str]:
    """Return what a module imports, directly and through other modules; itself only if it is in a cycle."""
    reached: set[str] = set()
    to_visit = [module]
    while to_visit:
        new = imported_by_importer.get(to_visit.pop(), set()) - reached
        reached |= new
        to_visit.extend(new)
    return reached
