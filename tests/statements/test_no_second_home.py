"""What is said about a number is decided in surveys/statements, and nowhere else.

The syntax trees of the product are searched for the decisions of a statement: methods of
comparisons, the constant of withholding, a comparison of an interval's end with 0, and the rounding
of an estimate. The list of exceptions only shrinks.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "surveys" / "statements"
DECIDING_NAMES = {"Differences", "CellContrasts", "cross", "WIDEST"}
ENDS = {"low", "high"}
NUMBERS = {"estimate", "interval", "intervals", "low", "high", "proportions"}
ROUNDING = {"round", "format_percent", "percent_range"}

# Files that decide something of their own, with the reason.
EXCEPTIONS = {
    "features/regression/table/counts.py": "It counts the pairs of answers; statements come later.",
    "surveys/results/figures/axes.py": "It decides where a scale begins, not what is printed.",
    "surveys/results/figures/dot_plot.py": "It hatches where no share can be.",
    "surveys/results/report/grids.py": "It adds up answers that were counted and not scrambled.",
    "surveys/results/report/summary.py": "It hatches where no share can be.",
    "surveys/site/number_format.py": "It has the formats themselves.",
}


def product_files() -> Iterator[Path]:
    """Yield the Python files of the product outside of the package of statements."""
    for folder in ("surveys", "features"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            is_other = "tests" in path.parts or "migrations" in path.parts
            if not is_other and not path.is_relative_to(HOME):
                yield path


def decisions(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each decision in a syntax tree."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name in DECIDING_NAMES:
                    yield node.lineno, f"imports {alias.name}"
        if isinstance(node, ast.Compare) and compares_end_with_zero(node):
            yield node.lineno, "compares an end with 0"
        if isinstance(node, ast.Call) and rounds_estimate(node):
            yield node.lineno, "rounds an estimate"


def compares_end_with_zero(node: ast.Compare) -> bool:
    """Return whether a comparison has an interval's end on one side and 0 on another."""
    operands = [node.left, *node.comparators]
    has_end = any(last_name(operand) in ENDS for operand in operands)
    has_zero = any(isinstance(each, ast.Constant) and each.value == 0 for each in operands)
    return has_end and has_zero


def rounds_estimate(node: ast.Call) -> bool:
    """Return whether a call rounds an estimate or an end of an interval."""
    if last_name(node.func) not in ROUNDING:
        return False
    return any(last_name(part) in NUMBERS for argument in node.args for part in ast.walk(argument))


def last_name(node: ast.AST) -> str:
    """Return the name of a variable or an attribute, or "" for other expressions."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def test_only_statements_decide_what_is_said_about_a_number() -> None:
    found: dict[str, list[str]] = {}
    for path in product_files():
        for line, decision in decisions(ast.parse(path.read_text())):
            name = str(path.relative_to(ROOT))
            found.setdefault(name, []).append(f"{name}:{line} {decision}")
    unexpected = [place for name in found.keys() - EXCEPTIONS.keys() for place in found[name]]
    assert not unexpected, "\n".join(sorted(unexpected))
    assert EXCEPTIONS.keys() <= found.keys(), "Delete the exceptions that are no longer needed."


def test_each_kind_of_decision_is_found() -> None:
    source = """
from mechanisms import Differences
if share.low <= 0:
    words = f"{format_percent(choice.estimate)}"
"""
    kinds = [decision for _, decision in decisions(ast.parse(source))]
    assert kinds == ["imports Differences", "compares an end with 0", "rounds an estimate"]
