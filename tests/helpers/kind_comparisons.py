"""The places where the program names single kinds of questions.

A kind belongs into definition/kinds.py and into tables with an entry for each kind. Other code
should ask the kind for its traits. A kind is named as a member of Question.Kind, such as
`Kind.YES_NO`, or as a text, such as "yes-no".
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from surveys.models import Question
from tests.helpers.source_files import CODE, python_files, static_files, template_files

ROOT = Path(__file__).resolve().parents[2]
# The kinds as members of Question.Kind, and as texts.
NAMES = {kind.name for kind in Question.Kind}
VALUES = {kind.value for kind in Question.Kind}
# The files in which kinds are defined, and so may be named.
HOME = ("surveys/models/surveys.py", "surveys/definition/kinds.py")
# The script with the table of the controls of each kind.
KINDS_TABLE = "static/respondent/controls.js"

_ANY_VALUE = "|".join(VALUES)
_QUOTED_VALUE = f"[\"']({_ANY_VALUE})[\"']"
# A Python file that this does not match names no kind, and need not be parsed.
_MAY_NAME_KIND = re.compile(rf"Kind[.]|[\"'](?:{_ANY_VALUE})[\"']")
# In templates and scripts: kind == "any", kind.value === "any", "any" == kind,
# ["any", "scale"].includes(kind), data-when="kind" data-is="any scale".
_COMPARISON_IN_TEXT = re.compile(
    rf"\bkind(?:\.value)?\s*(?:[!=]==?|in)\s*{_QUOTED_VALUE}"
    rf"|{_QUOTED_VALUE}\s*[!=]==?\s*[\w.]*\bkind\b"
    rf"|{_QUOTED_VALUE}\][.]includes\([^)]*\bkind\b"
    rf"|data-when=\"kind\"\s+data-is=\"(?:{_ANY_VALUE})\b"
)


def count_kind_comparisons(root: Path = ROOT) -> dict[str, int]:
    """Return how often each file names single kinds, for the files that do, without HOME."""
    counts = {}
    for path in _files(root):
        name = str(path.relative_to(root))
        count = _count_in_file(path)
        if count and name not in HOME:
            counts[name] = count
    return dict(sorted(counts.items()))


def _files(root: Path) -> Iterator[Path]:
    """Yield the Python files, templates and scripts that are searched."""
    yield from python_files(*CODE, "mechanisms", root=root)
    yield from template_files(root)
    yield from static_files(".js", root)


def _count_in_file(path: Path) -> int:
    """Return how often a file names single kinds."""
    text = path.read_text()
    if path.suffix != ".py":
        return len(_COMPARISON_IN_TEXT.findall(text))
    if not _MAY_NAME_KIND.search(text):
        return 0
    return len(_nodes_with_single_kind(ast.parse(text)))


def kind_tables(root: Path = ROOT) -> Iterator[tuple[str, list[str]]]:
    """Yield each table whose keys are kinds: the name of its file, and its keys.

    The keys are names of members of Question.Kind, and "" is a key that is no kind. A part that is
    unpacked with `**` is "**".
    """
    for path in python_files(root=root):
        text = path.read_text()
        if "Kind." not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            # A part that is unpacked has the key None.
            if isinstance(node, ast.Dict) and any(key and _member(key) for key in node.keys):
                keys = [_member(key) if key else "**" for key in node.keys]
                yield str(path.relative_to(root)), keys

    # The table of the script ends with a line "};". Its own keys are indented by two spaces, and
    # those of its entries by more.
    script = (root / KINDS_TABLE).read_text()
    _, _, rest = script.partition("const KINDS = {")
    table, _, _ = rest.partition("\n};")
    values = re.findall(r"^  [\"']?([\w-]+)[\"']?:", table, re.MULTILINE)
    yield KINDS_TABLE, [value.upper().replace("-", "_") for value in values]


def _nodes_with_single_kind(tree: ast.Module) -> list[ast.AST]:
    """Return the nodes that name a kind, compare one, or list some.

    The keys of a table with an entry for each kind do not count.
    """
    # The ids of the Python objects of the nodes, since equal keys in other places are other nodes.
    keys_of_tables = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            # A part that is unpacked has the key None, so such a table is not recognized.
            members = {key and _member(key) for key in node.keys}
            if members == NAMES:
                keys_of_tables.update(id(key) for key in node.keys)

    nodes = []
    for node in ast.walk(tree):
        is_named = _member(node) and id(node) not in keys_of_tables
        if is_named or _is_compared(node) or _is_listed(node):
            nodes.append(node)
    return nodes


def _member(node: ast.AST) -> str:
    """Return "YES_NO" for the node of Kind.YES_NO or Question.Kind.YES_NO; "" for other nodes."""
    if not isinstance(node, ast.Attribute) or node.attr not in NAMES:
        return ""
    # A name such as `Kind` has an id, and an attribute such as `Question.Kind` an attr.
    owner = getattr(node.value, "id", None) or getattr(node.value, "attr", None)
    return node.attr if owner == "Kind" else ""


def _is_compared(node: ast.AST) -> bool:
    """Return whether a node compares something called "kind" with the text of a kind.

    A case of a `match` statement with the text of a kind is a comparison, whatever is matched.
    """
    if isinstance(node, ast.match_case):
        # What is matched is not in the node of the case. Texts such as "yes-no" are kinds anyway.
        return any(_is_kind_text(part) for part in ast.walk(node.pattern))
    if not isinstance(node, ast.Compare):
        return False

    # In `kind == "any"` there are two sides, in `"any" == kind != "scale"` three.
    sides = [node.left, *node.comparators]
    if not any(map(_is_kind_variable, sides)):
        return False
    # The text may be inside a side, as in `kind in ("any", "scale")`.
    parts: list[ast.AST] = []
    for side in sides:
        parts += ast.walk(side)
    return any(_is_kind_text(part) for part in parts)


def _is_kind_text(node: ast.AST) -> bool:
    """Return whether a node is the text of a kind, such as "yes-no"."""
    return isinstance(node, ast.Constant) and node.value in VALUES


def _is_kind_variable(node: ast.AST) -> bool:
    """Return whether an expression is called "kind", or is a tuple with such an expression.

    Such expressions are kind, question.kind, question["kind"] and form.typed("kind"). The key of
    traits is a kind, too: traits.key, item.traits.key and kind_of(question).key.
    """
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
            return any(map(_is_kind_variable, parts))
    return False


def _is_listed(node: ast.AST) -> bool:
    """Return whether a node is a list, tuple or set of at least two items, all texts of kinds."""
    if not isinstance(node, (ast.Tuple, ast.List, ast.Set)) or len(node.elts) < 2:
        return False
    return all(map(_is_kind_text, node.elts))
