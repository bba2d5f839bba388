"""Randomized-response mechanisms: exact integers in, honest estimates out. Needs NumPy and SciPy only.

    from mechanisms import Warner
    m = Warner("3/4")
    reports = m.randomize(truths, rng)            # 0 = No, 1 = Yes
    e = m.estimate(m.tally(reports))
    e.proportions[1], e.standard_errors[1], e.intervals[1]

Besides the names here: `mechanisms.privacy` (accounting), `mechanisms.planning` (sample sizes and power),
`mechanisms.central` (what a trusted server would have shown) and `mechanisms.diagnostics` (signs of wrong reports). The
formulas and their sources are in docs/statistics.md.

The packages, each importing only those before it: `chance` draws whole numbers, `estimation` leads from counts to
shares, `designs` has the randomizations, `planning` is for before a survey and `analysis` for after it. `columns` reads
series and labels of other libraries, and `formatting` writes results as text.
"""

import ast
import pkgutil
from importlib import import_module
from typing import Any


def _modules_by_name() -> dict[str, str]:
    """Return the module of each public name, as `__init__.pyi` imports it.

    A name is imported when it is first used, since counting a file needs no regression. The stub is
    the only list of names: type checkers read it, too.
    """
    try:
        # The package can be in an archive, which has no paths.
        source = pkgutil.get_data(__name__, "__init__.pyi")
    except OSError:
        source = None
    if source is None:
        raise ImportError("The file __init__.pyi of mechanisms is missing. Install it again.")
    modules = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            modules |= {alias.name: node.module for alias in node.names}
    return modules


_MODULES = _modules_by_name()
__all__ = sorted(_MODULES)  # noqa: PLE0605 (a list, made of the stub)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module_name = _MODULES[name]
    # The name of a module is imported from its package, and `planning` from this one, which has no
    # such attribute yet.
    module = import_module(module_name) if module_name != __name__ else None
    value = getattr(module, name, None)
    if value is None:
        value = import_module(f"{module_name}.{name}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *_MODULES]
