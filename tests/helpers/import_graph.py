"""The imports between modules: which modules are in a cycle, and what a module reaches.

Only import statements in source code are read. A module that is imported by a name made at run
time, or that Django finds by its settings, is not seen.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.helpers.source_files import ROOT, python_files

# The folders with the Python code of the project, without tests and measurements.
FOLDERS = ("candor_client", "config", "features", "mechanisms", "surveys")


@dataclass(frozen=True)
class Import:
    """One import of a module by another.

    importer, imported: the dotted names of the modules.
    name: what is imported from the module, "" for the module itself, or "*" if any of its names
        may be used.
    place: a path from the root and a line, such as "surveys/admin.py:18".
    in_function: True if the statement is inside a function.
    for_type_checkers: True if the statement is below `if TYPE_CHECKING`.
    """

    importer: str
    imported: str
    name: str
    place: str
    in_function: bool
    for_type_checkers: bool


def module_name(path: Path, root: Path = ROOT) -> str:
    """Return the dotted name of a module; for an __init__.py, the name of its package."""
    parts = path.relative_to(root).with_suffix("").parts
    if parts[-1] == "__init__":
        parts = parts[:-1]
    return ".".join(parts)


def read_imports(folders: Iterable[str] = FOLDERS, root: Path = ROOT) -> list[Import]:
    """Return the imports of modules in these folders by one another.

    Imports for type checkers and imports in functions are among them.
    """
    paths = module_paths(folders, root)
    imports: list[Import] = []
    for module in paths:
        imports.extend(module_imports(module, paths, root))
    return imports


def module_paths(folders: Iterable[str] = FOLDERS, root: Path = ROOT) -> dict[str, Path]:
    """Return the file of each module in these folders, by the name of the module."""
    return {module_name(path, root): path for path in python_files(*folders, root=root)}


def module_imports(importer: str, paths: Mapping[str, Path], root: Path = ROOT) -> Iterator[Import]:
    """Yield the imports of modules in `paths` by one of these modules.

    An import of a module also imports the packages around it.

    paths: the file of each module, by the name of the module.
    """
    path = paths[importer]
    tree = ast.parse(path.read_text())
    in_functions = _nodes_in_functions(tree)
    for_type_checkers = _nodes_for_type_checkers(tree)
    for node in ast.walk(tree):
        for module, name in _imported_names(node, path, root, paths):
            imported_modules = [module]
            # Nothing is executed for a type checker, so no packages are imported.
            if node not in for_type_checkers:
                imported_modules += _packages_around(module, importer)
            # The name is imported from the module. The packages around it are imported as such.
            for imported in imported_modules:
                yield Import(
                    importer=importer,
                    imported=imported,
                    name=name if imported == module else "",
                    place=f"{path.relative_to(root)}:{node.lineno}",
                    in_function=node in in_functions,
                    for_type_checkers=node in for_type_checkers,
                )


def _packages_around(module: str, importer: str) -> list[str]:
    """Return the packages that Python imports before a module.

    Packages that contain the importer are left out, since they have been imported before it.
    """
    parts = module.split(".")
    packages = [".".join(parts[:length]) for length in range(1, len(parts))]
    return [package for package in packages if not f"{importer}.".startswith(f"{package}.")]


def _nodes_in_functions(tree: ast.Module) -> set[ast.AST]:
    """Return the nodes inside functions, and the functions themselves."""
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
    node: ast.AST, path: Path, root: Path, modules: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Yield the modules that a statement imports, with the name that it imports from each.

    The names are as in `Import`. For "from a import b" the module is a.b, if it exists, and
    otherwise a.

    path: the file with the statement.
    modules: the names of all modules that count. Imports of other ones, such as those of
        libraries, are left out.
    """
    if isinstance(node, ast.Import):
        for alias in node.names:
            # After "import a.b" the code can use any name of a.b.
            if alias.name in modules:
                yield alias.name, "*"
    if isinstance(node, ast.ImportFrom):
        start = node.module or ""
        if node.level:
            # A relative import: each dot after the first one leads to the package above. The level
            # is the number of dots. "from . import b" has no module after the dots.
            package = path.relative_to(root).parent.parts
            base = package[: len(package) - node.level + 1]
            start = ".".join([*base, start]).rstrip(".")
        for alias in node.names:
            submodule = f"{start}.{alias.name}"
            if submodule in modules:
                yield submodule, ""
            elif start in modules:
                yield start, alias.name


def reachable_modules(start: str, root: Path = ROOT) -> set[str]:
    """Return the modules that run when a module is imported and all its functions are called.

    These are the module, the packages around it, the modules that they import, also in functions,
    the modules that those import, and so on.
    """
    paths = module_paths(root=root)
    reached: set[str] = set()
    # No package contains the importer "", so none of the packages is left out.
    to_visit = [start, *_packages_around(start, importer="")]
    while to_visit:
        module = to_visit.pop()
        if module in reached or module not in paths:
            continue
        reached.add(module)
        for import_ in module_imports(module, paths, root):
            if not import_.for_type_checkers:
                to_visit.append(import_.imported)
                to_visit += _lazily_imported(import_, paths, root)
    return reached


def _lazily_imported(needed: Import, paths: Mapping[str, Path], root: Path) -> list[str]:
    """Return the modules that a package imports when the needed name is first used.

    The packages around these modules are included. Such a package has a function `__getattr__`,
    which Python calls for a name that the package does not define. The package imports its names
    for type checkers as well, where this function reads them. `mechanisms` is one.

    needed: an import from any module; the result is empty unless it is from such a package.
    """
    package = needed.imported
    if not needed.name or package not in paths:
        return []
    if "\ndef __getattr__(" not in paths[package].read_text():
        return []

    modules = []
    for import_ in module_imports(package, paths, root):
        name = import_.name or import_.imported.rpartition(".")[2]
        if import_.for_type_checkers and needed.name in (name, "*"):
            modules.append(import_.imported)
            modules += _packages_around(import_.imported, package)
    return modules


def find_cycles(imports: Iterable[Import]) -> list[list[str]]:
    """Return the groups of modules that all import one another, directly or through others.

    A module that is in no cycle is in no group. The names in a group are sorted.
    """
    imported_by_importer: dict[str, set[str]] = {}
    for import_ in imports:
        imported_by_importer.setdefault(import_.importer, set()).add(import_.imported)
    reached = {module: _reachable(module, imported_by_importer) for module in imported_by_importer}
    cycles = []
    for module in sorted(imported_by_importer):
        # Two modules are in the same cycle if each of them reaches the other one.
        cycle = sorted(other for other in reached[module] if module in reached.get(other, ()))
        # Every module of a cycle leads to the cycle. It is listed once, for its first module.
        if cycle and cycle[0] == module:
            cycles.append(cycle)
    return cycles


def _reachable(module: str, imported_by_importer: dict[str, set[str]]) -> set[str]:
    """Return the modules that a module imports, directly and through others.

    The module itself is among them only if it is in a cycle.
    """
    reached: set[str] = set()
    to_visit = [module]
    while to_visit:
        new = imported_by_importer.get(to_visit.pop(), set()) - reached
        reached |= new
        to_visit.extend(new)
    return reached
