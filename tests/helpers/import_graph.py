"""The imports between modules, read from their source code: which are in a circle, and what a module reaches.

Only import statements are read. A module is not seen that is imported by a name made at run time, or that Django finds
by its settings.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.helpers.source_files import ROOT, python_files

FOLDERS = ("candor_client", "config", "features", "mechanisms", "surveys")


@dataclass(frozen=True)
class Import:
    """One import of a module by another.

    name: what is imported from the module, "" for the module itself, or "*" if any of its names may be used.
    place: a path from ROOT and a line, such as "surveys/admin.py:18".
    """

    importer: str
    imported: str
    name: str
    place: str
    in_function: bool
    for_type_checkers: bool


def module_name(path: Path, root: Path = ROOT) -> str:
    """Return the dotted name of a module; of an __init__.py the name of its package."""
    parts = path.relative_to(root).with_suffix("").parts
    if parts[-1] == "__init__":
        parts = parts[:-1]
    return ".".join(parts)


def read_imports(folders: Iterable[str] = FOLDERS, root: Path = ROOT) -> list[Import]:
    """Return the imports of modules in these folders by each other, those for type checkers and in functions too."""
    paths = module_paths(folders, root)
    return [each for module in paths for each in module_imports(module, paths, root)]


def module_paths(folders: Iterable[str] = FOLDERS, root: Path = ROOT) -> dict[str, Path]:
    """Return the file of each module in these folders, by the name of the module."""
    return {module_name(path, root): path for path in python_files(*folders, root=root)}


def module_imports(importer: str, paths: Mapping[str, Path], root: Path = ROOT) -> Iterator[Import]:
    """Yield the imports of the modules in `paths` by one of them."""
    path = paths[importer]
    tree = ast.parse(path.read_text())
    in_functions = _nodes_in_functions(tree)
    for_type_checkers = _nodes_for_type_checkers(tree)
    for node in ast.walk(tree):
        for module, name in _imported_names(node, path, root, paths):
            # Nothing is executed for a type checker, so the packages around the module are not imported.
            packages = [] if node in for_type_checkers else _packages_around(module, importer)
            for imported in [module, *packages]:
                yield Import(
                    importer=importer,
                    imported=imported,
                    name=name if imported == module else "",
                    place=f"{path.relative_to(root)}:{node.lineno}",
                    in_function=node in in_functions,
                    for_type_checkers=node in for_type_checkers,
                )


def _packages_around(module: str, importer: str) -> list[str]:
    """Return the packages that Python imports before a module, unless the importer is inside them itself."""
    parts = module.split(".")
    packages = [".".join(parts[:length]) for length in range(1, len(parts))]
    return [package for package in packages if not f"{importer}.".startswith(f"{package}.")]


def _nodes_in_functions(tree: ast.Module) -> set[ast.AST]:
    nodes = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            nodes.update(ast.walk(node))
    return nodes


def _nodes_for_type_checkers(tree: ast.Module) -> set[ast.AST]:
    """Return the nodes below `if TYPE_CHECKING`, without those of its `else`."""
    nodes = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) in (
            "TYPE_CHECKING",
            "typing.TYPE_CHECKING",
        ):
            for statement in node.body:
                nodes.update(ast.walk(statement))
    return nodes


def _imported_names(
    node: ast.AST, path: Path, root: Path, known: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Yield the known modules that a statement imports, each with the name that it imports from the module.

    Of "from a import b" the module is a.b, if there is one, and else a.
    """
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name in known:
                yield alias.name, "*"
    if isinstance(node, ast.ImportFrom):
        start = node.module or ""
        if node.level:
            package = path.relative_to(root).parent.parts
            above = package[: len(package) - node.level + 1]
            start = ".".join([*above, start]).rstrip(".")
        for alias in node.names:
            submodule = f"{start}.{alias.name}"
            if submodule in known:
                yield submodule, ""
            elif start in known:
                yield start, alias.name


def reachable_modules(start: str, root: Path = ROOT) -> set[str]:
    """Return the modules that Python runs when this one is imported and all its functions are called.

    These are the module, the packages around it, what they import, also in functions, what that imports, and so on.
    """
    paths = module_paths(root=root)
    reached: set[str] = set()
    to_visit = [start, *_packages_around(start, importer="")]
    while to_visit:
        module = to_visit.pop()
        if module in reached or module not in paths:
            continue
        reached.add(module)
        for each in module_imports(module, paths, root):
            if not each.for_type_checkers:
                to_visit += [each.imported, *_lazily_imported(each, paths, root)]
    return reached


def _lazily_imported(needed: Import, paths: Mapping[str, Path], root: Path) -> list[str]:
    """Return the modules that a package imports when a name is first used, with the packages around them.

    Such a package has a function `__getattr__`, and imports its names for type checkers as well: `mechanisms`.
    """
    package = needed.imported
    if (
        not needed.name
        or package not in paths
        or "\ndef __getattr__(" not in paths[package].read_text()
    ):
        return []
    modules = []
    for each in module_imports(package, paths, root):
        name = each.name or each.imported.rpartition(".")[2]
        if each.for_type_checkers and needed.name in (name, "*"):
            modules += [each.imported, *_packages_around(each.imported, package)]
    return modules


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
