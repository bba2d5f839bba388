"""Measure how easy the Python code of a project is to read.

    python -m tests.helpers.plain_code                    a table of all packages of this project
    python -m tests.helpers.plain_code surveys/results    one folder or file
    python -m tests.helpers.plain_code --anchor Django=/path/django/contrib/auth,/path/django/forms
    python -m tests.helpers.plain_code --list docstring_start surveys/web    where a measure counts
    python -m tests.helpers.plain_code --json             the same figures as JSON

The program reads files and imports nothing of them. Every measure is explained in MEASURES. TARGETS
holds the values that code should reach; the same program measured Django, Django REST framework,
healthchecks, Datasette, httpx, lifelines and statsmodels to find them. tests/whole_site/test_plain.py
holds each package to its figures of today. The words that names and docstrings are compared with are in
plain_words.py.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.helpers.plain_words import (
    ADJECTIVES,
    AUXILIARIES,
    BANNED,
    DOCSTRING_STARTS,
    IRREGULAR_PARTICIPLES,
    IRREGULAR_VERBS,
    NOUNS_IN_ED,
    NOUNS_IN_ING,
    PREPOSITIONS,
    QUESTION_WORDS,
    VERBS,
)

# The most nodes of a statement that is not heavy, characters of a line, lines of a function, and
# positional arguments of a call. MEASURES names these limits.
MOST_NODES = 30
LONGEST_LINE = 100
LONGEST_FUNCTION = 40
MOST_POSITIONAL = 4

# Each measure: its key -> the heading of its column, and what it counts.
MEASURES = {
    "lines": ("lines", "physical lines of Python, blank lines and docstrings included"),
    "median_nodes": ("nodes med", "AST nodes per statement, median"),
    "p90_nodes": ("nodes p90", "AST nodes per statement, 90th percentile"),
    "heavy": ("heavy %", "share of statements with more than 30 AST nodes"),
    "nested_comprehension": (
        "nest compr",
        "comprehensions inside a comprehension or with two `for`, per 1,000 lines",
    ),
    "chained_conditional": (
        "chain cond",
        "conditional expressions inside a conditional expression, per 1,000 lines",
    ),
    "conditional": ("cond expr", "conditional expressions, per 1,000 lines"),
    "lambda_name": ("lambda =", "lambdas bound to a name, count"),
    "long_line": ("> 100", "lines with more than 100 characters, per 1,000 lines"),
    "positional": (
        "5+ pos",
        "calls with five or more positional arguments, per 1,000 lines",
    ),
    "star_constructor": (
        "Cls(*x)",
        "constructors called with an unpacked sequence, per 1,000 lines",
    ),
    "banned_name": ("banned", "names bound to a banned word, per 1,000 lines"),
    "bare_word": (
        "bare word",
        "functions without a docstring that are named with a lone participle, "
        "preposition, adjective or question word, in % of all functions",
    ),
    "docstring_start": ("doc start", "docstrings that start with a listed word, in %"),
    "docstring_verb": (
        "no verb",
        "docstrings of functions whose first sentence has no verb (estimated), in %",
    ),
    "same_name": (
        "same name",
        "public functions of modules that share their name with a function of another "
        "return type, in % of all public functions of modules",
    ),
    "comments": ("comments", "lines that hold only a comment, per 1,000 lines"),
    "long_function": ("> 40", "functions of more than 40 lines without their docstring, in %"),
}

# The most that a package may have. Django, Django REST framework, healthchecks, Datasette
# and httpx reach nearly all of these values today.
TARGETS = {
    "median_nodes": 7,
    "p90_nodes": 15,
    "heavy": 1.0,
    "nested_comprehension": 0.5,
    "chained_conditional": 0.1,
    "conditional": 8.0,
    "lambda_name": 0,
    "long_line": 1.0,
    "positional": 1.5,
    "star_constructor": 0.2,
    "banned_name": 0.5,
    "bare_word": 1.0,
    "docstring_start": 3.0,
    "docstring_verb": 5.0,
    "same_name": 4.0,
    "long_function": 3.0,
}

# Numerical code has longer expressions; these values are those of statsmodels and
# lifelines. Routes and tables of test cases need longer calls.
TARGETS_OF_PACKAGES = {
    "mechanisms": {"median_nodes": 8, "p90_nodes": 17, "heavy": 1.5, "positional": 2.5},
    "bench": {"p90_nodes": 17, "heavy": 2.0},
    "tests": {"p90_nodes": 16, "positional": 2.0, "same_name": 10.0},
}


def target(package: str, key: str) -> float | None:
    """Return the target of a measure in a package; None for figures without one."""
    targets_of_package = TARGETS_OF_PACKAGES.get(package, {})
    return targets_of_package.get(key, TARGETS.get(key))


@dataclass
class Measured:
    """What was counted in one group of files.

    lines, comments: the number of all lines, and of lines that hold only a comment.
    nodes: the number of AST nodes of each statement.
    functions: the number of functions and methods.
    docstrings: the number of docstrings, of modules, classes and functions.
    function_docstrings: the number of docstrings of functions that are no properties.
    places: the key of a measure -> the file and line of each place where it counts, as text.
    returns: name of a public function -> its return annotation, "" if it has none -> the places
        of the functions with this name and annotation.
    """

    lines: int = 0
    comments: int = 0
    nodes: list[int] = field(default_factory=list)
    functions: int = 0
    docstrings: int = 0
    function_docstrings: int = 0
    places: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    returns: dict[str, dict[str, list[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )


def measure(files: list[Path], root: Path) -> Measured:
    """Read all files and return what the measures count in them.

    A file that is not valid Python is named on stderr and skipped. Places have paths from `root`.
    """
    result = Measured()
    for path in files:
        source = path.read_text(encoding="utf-8")
        try:
            tree = ast.parse(source)
        except SyntaxError as error:
            print(f"{path}: {error}", file=sys.stderr)
            continue
        # Files of other projects are not below the root.
        file = str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
        _count_lines(result, file, source)
        _count_statements(result, file, tree)
        _find_hard_expressions(result, file, tree)
        _find_banned_names(result, file, tree)
        _examine_definitions(result, file, tree)
    # Two functions with the same name are usually in different files.
    _find_same_names(result)
    return result


def _count_lines(result: Measured, file: str, source: str) -> None:
    """Count the lines and comments of a file, and note the places of its long lines."""
    lines = source.splitlines()
    result.lines += len(lines)
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            result.places["long_line"].append(f"{file}:{number}")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        text_before = token.line[: token.start[1]]
        is_whole_line = token.type == tokenize.COMMENT and not text_before.strip()
        # A line such as "#!/usr/bin/env python" is no comment for readers.
        if is_whole_line and not token.string.startswith("#!"):
            result.comments += 1


def _is_simple(node: ast.AST | None) -> bool:
    """Return whether an expression is a name, a constant, or an attribute of a simple expression.

    So `a.b.c` is simple. None, where there is no expression, is not.
    """
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name | ast.Constant)


def _own_nodes(statement: ast.stmt) -> int:
    """Count the nodes of a statement, without the statements inside it.

    Contexts (Load, Store, Del) are not counted, since they have no text of their
    own. A keyword argument or an item of a dictionary counts once if its value is
    simple: a reader takes named values one by one, however many there are.
    """
    count = 0
    queue: list[ast.AST] = [statement]
    while queue:
        node = queue.pop()
        if isinstance(node, ast.expr_context):
            continue
        count += 1
        if isinstance(node, ast.keyword) and _is_simple(node.value):
            continue
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and _is_simple(value):
                    count += 1
                    continue
                # A dictionary that is unpacked with `**` has no key.
                if key is not None:
                    queue.append(key)
                queue.append(value)
            continue
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
                queue.append(child)
    return count


def _is_docstring(node: ast.stmt) -> bool:
    """Return whether a statement is only a text, as docstrings are."""
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _count_statements(result: Measured, file: str, tree: ast.Module) -> None:
    """Count the nodes of each statement of a file, and note the places of heavy statements.

    Docstrings, imports, and the first lines of classes and functions do not count.
    """
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt) or _is_docstring(node):
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.ClassDef)):
            continue
        # Signatures grow with their annotations, which help the reader.
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        size = _own_nodes(node)
        result.nodes.append(size)
        if size > MOST_NODES:
            result.places["heavy"].append(f"{file}:{node.lineno} ({size} nodes)")


COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _find_hard_expressions(result: Measured, file: str, tree: ast.Module) -> None:
    """Note the places of expressions that are hard to read.

    These are conditional expressions, nested comprehensions, lambdas with a name, and the calls
    that _examine_call() notes.
    """
    for node in ast.walk(tree):
        if isinstance(node, COMPREHENSIONS):
            inner = any(
                isinstance(child, COMPREHENSIONS) for child in ast.walk(node) if child is not node
            )
            if inner or len(node.generators) > 1:
                result.places["nested_comprehension"].append(f"{file}:{node.lineno}")
        elif isinstance(node, ast.IfExp):
            result.places["conditional"].append(f"{file}:{node.lineno}")
            if any(isinstance(part, ast.IfExp) for part in (node.body, node.orelse, node.test)):
                result.places["chained_conditional"].append(f"{file}:{node.lineno}")
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            if isinstance(node.value, ast.Lambda):
                result.places["lambda_name"].append(f"{file}:{node.lineno}")
        elif isinstance(node, ast.Call):
            _examine_call(result, file, node)


def _examine_call(result: Measured, file: str, node: ast.Call) -> None:
    """Note the place of a call with many positional arguments, or of a constructor with `*values`.

    A name with a capital letter is taken for a class, but NAME, a constant, is not.
    """
    function = ast.unparse(node.func)
    last = function.rpartition(".")[2]
    if len(node.args) > MOST_POSITIONAL:
        result.places["positional"].append(f"{file}:{node.lineno} {function}")
    is_class = last == "cls" or (last[:1].isupper() and not last.isupper())
    if is_class and any(isinstance(argument, ast.Starred) for argument in node.args):
        result.places["star_constructor"].append(f"{file}:{node.lineno} {function}")


def _bound_names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield each name that a file gives to a thing, and its line.

    These are the names of variables, parameters, attributes, functions and classes.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr, node.lineno
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node.lineno


def _find_banned_names(result: Measured, file: str, tree: ast.Module) -> None:
    """Note each place where a file gives a banned name to a thing.

    A name that starts with "of_" is banned, too: `of_survey` says what a thing belongs to, but not
    what it is.
    """
    for name, line in _bound_names(tree):
        bare_name = name.strip("_")
        if bare_name.lower() in BANNED or bare_name.startswith("of_"):
            result.places["banned_name"].append(f"{file}:{line} {name}")


def _is_bare_word(name: str) -> bool:
    """Return whether a name is one word that is neither a noun nor a verb."""
    word = name.strip("_").lower()
    if "_" in word or not word:
        return False
    # These words are also imperatives: read(), open().
    if word in {"read", "set", "put", "open", "clear"}:
        return False
    if word in PREPOSITIONS | QUESTION_WORDS | IRREGULAR_PARTICIPLES | ADJECTIVES:
        return True
    if word.endswith("ed") and word not in NOUNS_IN_ED:
        return True
    return word.endswith("ing") and word not in NOUNS_IN_ING


def _stems(word: str) -> Iterator[str]:
    """Yield the verbs of which a word can be a form, and the word itself.

    Some of them do not exist: "stored" yields "store", but also "stor".

    word: in lower case.
    """
    yield word
    for ending in ("s", "es", "d", "ed", "ing"):
        if word.endswith(ending):
            stem = word[: -len(ending)]
            yield stem
            # "storing" is a form of "store".
            yield stem + "e"
            # "stopped" is a form of "stop".
            if len(stem) > 2 and stem[-1] == stem[-2]:
                yield stem[:-1]
    # "tries" is a form of "try".
    if word.endswith(("ies", "ied")):
        yield word[:-3] + "y"


def _has_verb(sentence: str) -> bool:
    """Return whether a word of a sentence, or a stem of the word, is in the lists of verbs.

    This is an estimate: a noun such as "list" counts as a verb, too.
    """
    for word in re.findall(r"[a-z']+", sentence.lower()):
        if word in AUXILIARIES or word in IRREGULAR_VERBS:
            return True
        if any(stem in VERBS for stem in _stems(word)):
            return True
    return False


def _first_sentence(docstring: str) -> str:
    """Return the first sentence of a docstring on one line. A colon or semicolon ends it, too."""
    text = " ".join(docstring.split())
    return re.split(r"(?<=[.!?:;])\s", text, maxsplit=1)[0]


def _is_property(node: ast.AST) -> bool:
    """Return whether a function has a decorator such as @property or @cached_property."""
    decorators = getattr(node, "decorator_list", [])
    return any("property" in ast.unparse(decorator) for decorator in decorators)


def _examine_definitions(result: Measured, file: str, tree: ast.Module) -> None:
    """Note the places of functions and docstrings that are hard to read, and count both.

    Public functions are noted by their names, for _find_same_names().
    """
    top_level = {id(node) for node in tree.body}
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)):
            continue
        docstring = ast.get_docstring(node)
        # A module has no line and no name.
        line = getattr(node, "lineno", 1)
        title = getattr(node, "name", "module")
        if docstring:
            result.docstrings += 1
            sentence = _first_sentence(docstring)
            word = (re.findall(r"[A-Za-z']+", sentence) or [""])[0].lower()
            if word in DOCSTRING_STARTS:
                result.places["docstring_start"].append(f"{file}:{line} {title}: {sentence}")
        if isinstance(node, (ast.ClassDef, ast.Module)):
            continue
        result.functions += 1
        length = (node.end_lineno or node.lineno) - node.lineno + 1
        if docstring:
            # A long docstring makes no function harder to read.
            length -= (node.body[0].end_lineno or 0) - node.body[0].lineno + 1
        if length > LONGEST_FUNCTION:
            result.places["long_function"].append(f"{file}:{line} {title} ({length})")
        # The docstring of a property is a noun phrase.
        if docstring and not _is_property(node):
            result.function_docstrings += 1
            if not _has_verb(_first_sentence(docstring)):
                result.places["docstring_verb"].append(f"{file}:{line} {title}: {sentence}")
        if not docstring and _is_bare_word(node.name):
            result.places["bare_word"].append(f"{file}:{line} {title}")
        # Methods may share their names: a class gives them a context.
        is_public = id(node) in top_level and not node.name.startswith(("_", "test_"))
        if is_public:
            annotation = ast.unparse(node.returns) if node.returns else ""
            result.returns[node.name][annotation].append(f"{file}:{line}")


def _find_same_names(result: Measured) -> None:
    """Note the places of public functions that share a name and return different types."""
    for name, places_by_type in result.returns.items():
        # A function without an annotation does not say that it returns another type.
        types = [annotation for annotation in places_by_type if annotation]
        if len(types) < 2:
            continue
        for annotation, places in places_by_type.items():
            for place in places:
                result.places["same_name"].append(f"{place} {name} -> {annotation}")


def figures(result: Measured) -> dict[str, float]:
    """Return the value of every measure, as the columns of the table show it."""
    # Files without lines, functions or statements have the figure 0: nothing is divided by zero.
    thousands = max(result.lines, 1) / 1000
    public = 0
    for places_by_type in result.returns.values():
        public += sum(map(len, places_by_type.values()))
    nodes = sorted(result.nodes) or [0]
    index_of_p90 = int(0.9 * (len(nodes) - 1))
    counted = {key: len(places) for key, places in result.places.items()}

    def per_thousand(key: str) -> float:
        """Return the number of places of a measure per 1,000 lines."""
        return counted.get(key, 0) / thousands

    def percent(key: str, whole: int) -> float:
        """Return the number of places of a measure in percent of `whole`."""
        return 100 * counted.get(key, 0) / max(whole, 1)

    return {
        "lines": result.lines,
        "median_nodes": nodes[len(nodes) // 2],
        "p90_nodes": nodes[index_of_p90],
        "heavy": percent("heavy", len(result.nodes)),
        "nested_comprehension": per_thousand("nested_comprehension"),
        "chained_conditional": per_thousand("chained_conditional"),
        "conditional": per_thousand("conditional"),
        "lambda_name": counted.get("lambda_name", 0),
        "long_line": per_thousand("long_line"),
        "positional": per_thousand("positional"),
        "star_constructor": per_thousand("star_constructor"),
        "banned_name": per_thousand("banned_name"),
        "bare_word": percent("bare_word", result.functions),
        "docstring_start": percent("docstring_start", result.docstrings),
        "docstring_verb": percent("docstring_verb", result.function_docstrings),
        "same_name": percent("same_name", public),
        "comments": result.comments / thousands,
        "long_function": percent("long_function", result.functions),
    }


def python_files(path: Path) -> list[Path]:
    """Return the Python files below a folder, without migrations and virtual environments.

    path: the folder, or a file, which is then the only one.
    """
    if path.is_file():
        return [path]
    skipped = {"migrations", ".venv", "node_modules", "__pycache__", ".git"}
    if path.name in skipped:
        return []
    files = sorted(path.rglob("*.py"))
    return [file for file in files if not skipped & set(file.relative_to(path).parts)]


def packages(root: Path) -> dict[str, list[Path]]:
    """Return the files of each package, by the path of the package from `root`.

    The packages are the folders of the core (surveys/) and of the features, and all other folders.
    """
    result = {}
    for folder in sorted(root.iterdir()):
        if not folder.is_dir() or folder.name.startswith("."):
            continue
        files = python_files(folder)
        if not files:
            continue
        if folder.name not in ("surveys", "features"):
            result[folder.name] = files
            continue
        for package in sorted(folder.iterdir()):
            if package.is_dir() and (inside := python_files(package)):
                result[f"{folder.name}/{package.name}"] = inside
    return result


# Measures that are shown without decimal places.
WHOLE_NUMBERS = ("lines", "median_nodes", "p90_nodes", "lambda_name")


def show(package: str, key: str, value: float) -> str:
    """Return one figure as text, marked with * if it misses its target."""
    text = f"{value:,.0f}" if key in WHOLE_NUMBERS else f"{value:.1f}"
    limit = target(package, key)
    if limit is not None and value > limit:
        return f"{text}*"
    return text


def print_table(rows: dict[str, dict[str, float]]) -> None:
    """Print the figures of each package as a line of a table, and the targets as the last line.

    rows: the name of a package -> the key of each measure -> its value, as figures() returns it.
    """
    keys = list(MEASURES)
    table = [["package", *(MEASURES[key][0] for key in keys)]]
    for name, row in rows.items():
        table.append([name, *(show(name, key, row[key]) for key in keys)])
    table.append(["target", *(str(TARGETS.get(key, "")) for key in keys)])
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    for row in table:
        # Names are aligned to the left, and numbers to the right.
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        print(" | ".join(cells))


def main() -> int:
    """Run the program as the docstring of this module says, and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--root", type=Path, default=Path.cwd())
    parser.add_argument("--anchor", action="append", default=[], metavar="NAME=PATH,PATH")
    parser.add_argument("--list", choices=[*MEASURES], dest="listed")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    root = options.root.resolve()
    groups: dict[str, list[Path]] = {}
    if options.paths:
        for path in options.paths:
            groups[str(path)] = python_files(path.resolve())
    elif not options.anchor:
        groups = packages(root)
    # An anchor is another project that is measured for comparison, as one package.
    for anchor in options.anchor:
        name, _, paths = anchor.partition("=")
        groups[name] = []
        for path in paths.split(","):
            groups[name] += python_files(Path(path))

    measured = {name: measure(files, root) for name, files in groups.items()}
    if options.listed:
        for result in measured.values():
            print("\n".join(result.places.get(options.listed, [])))
        return 0
    rows = {name: figures(result) for name, result in measured.items()}
    if options.json:
        print(json.dumps(rows, indent=1))
    else:
        print_table(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
