"""Where a program names single kinds of questions, outside definition/kinds.py and the tables with an entry a kind."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from surveys.models import Question
from tests.helpers.source_files import CODE, python_files, static_files, template_files

ROOT = Path(__file__).resolve().parents[2]
NAMES = {kind.name for kind in Question.Kind}
VALUES = {kind.value for kind in Question.Kind}
HOME = ("surveys/models/surveys.py", "surveys/definition/kinds.py")
_NAMING = re.compile(
    rf"Kind[.]|[\"'](?:{'|'.join(VALUES)})[\"']"
)  # without which no file has to be parsed
_ONE = f"[\"']({'|'.join(VALUES)})[\"']"
# In templates and scripts: kind == "any", kind.value === "any", ["any", "scale"].includes(kind), data-is="any scale".
_IN_TEXTS = re.compile(
    rf"\bkind(?:\.value)?\s*(?:[!=]==?|in)\s*{_ONE}|{_ONE}\s*[!=]==?\s*[\w.]*\bkind\b|{_ONE}\][.]includes\([^)]*\bkind\b"
    rf"|data-when=\"kind\"\s+data-is=\"(?:{'|'.join(VALUES)})\b"
)


def count_kind_comparisons(root: Path = ROOT) -> dict[str, int]:
    """File -> how many single kinds it names, of those that name any."""
    counts = {}
    for path in _files(root):
        name, text = str(path.relative_to(root)), path.read_text()
        if not _NAMING.search(text) and path.suffix == ".py":
            continue
        if (
            count := len(_IN_TEXTS.findall(text))
            if path.suffix != ".py"
            else sum(1 for _ in _named(ast.parse(text)))
        ):
            counts[name] = count
    return {name: count for name, count in sorted(counts.items()) if name not in HOME}


def _files(root: Path) -> Iterator[Path]:
    yield from python_files(*CODE, "mechanisms", root=root)
    yield from template_files(root)
    yield from static_files(".js", root)


def kind_tables(root: Path = ROOT) -> Iterator[tuple[str, list[str]]]:
    """Each table that has kinds as its keys: its file, and its keys as names of kinds."""
    for path in (path for path in python_files(root=root) if "Kind." in path.read_text()):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Dict) and any(each and _member(each) for each in node.keys):
                yield (
                    str(path.relative_to(root)),
                    [_member(each) if each else "**" for each in node.keys],
                )
    name = "static/respondent/controls.js"
    script = (root / name).read_text().partition("const KINDS = {")[2].partition("\n};")[0]
    keys = re.findall(r"^  [\"']?([\w-]+)[\"']?:", script, re.MULTILINE)
    yield name, [key.upper().replace("-", "_") for key in keys]


def _named(tree: ast.Module) -> Iterator[ast.AST]:
    dictionaries = [node.keys for node in ast.walk(tree) if isinstance(node, ast.Dict)]
    whole = {
        id(key)
        for keys in dictionaries
        if {key and _member(key) for key in keys} == NAMES
        for key in keys
    }
    for node in ast.walk(tree):
        if (_member(node) and id(node) not in whole) or _is_compared(node) or _is_listed(node):
            yield node


def _member(node: ast.AST) -> str:
    """YES_NO of Kind.YES_NO or Question.Kind.YES_NO."""
    if not isinstance(node, ast.Attribute) or node.attr not in NAMES:
        return ""
    return (
        node.attr
        if (getattr(node.value, "id", None) or getattr(node.value, "attr", None)) == "Kind"
        else ""
    )


def _is_compared(node: ast.AST) -> bool:
    """Whether something called kind is compared with a kind as text."""
    if isinstance(node, ast.match_case):
        return any(
            isinstance(each, ast.Constant) and each.value in VALUES
            for each in ast.walk(node.pattern)
        )
    if not isinstance(node, ast.Compare):
        return False
    sides = [node.left, *node.comparators]
    texts = [each for side in sides for each in ast.walk(side) if isinstance(each, ast.Constant)]
    return any(map(_is_kind, sides)) and any(
        isinstance(each.value, str) and each.value in VALUES for each in texts
    )


def _is_kind(node: ast.AST) -> bool:
    """kind, question.kind, question["kind"], form.typed("kind"), traits.key, or a pair with one of these."""
    match node:
        case (
            ast.Subscript(slice=ast.Constant(value="kind"))
            | ast.Call(args=[ast.Constant(value="kind"), *_])
        ):
            return True
        case ast.Attribute(attr="key", value=ast.Name(id="traits") | ast.Attribute(attr="traits")):
            return True
        case ast.Attribute(attr="key", value=ast.Call(func=ast.Name(id="kind_of"))):
            return True
        case ast.Name(id="kind") | ast.Attribute(attr="kind"):
            return True
        case ast.Tuple(elts=parts):
            return any(map(_is_kind, parts))
    return False


def _is_listed(node: ast.AST) -> bool:
    """Whether it is a list of kinds as texts."""
    if not isinstance(node, (ast.Tuple, ast.List, ast.Set)) or len(node.elts) < 2:
        return False
    return all(isinstance(each, ast.Constant) and each.value in VALUES for each in node.elts)
