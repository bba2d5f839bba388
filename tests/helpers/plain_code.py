"""Measure how easy the Python code of a project is to read.

    python -m tests.helpers.plain_code                    a table of all packages of this project
    python -m tests.helpers.plain_code surveys/results    one folder or file
    python -m tests.helpers.plain_code --anchor Django=/path/django/contrib/auth,/path/django/forms
    python -m tests.helpers.plain_code --list docstring_start surveys/web    where a measure counts
    python -m tests.helpers.plain_code --json             the same figures as JSON

The program reads files and imports nothing of them. Every measure is explained in MEASURES. TARGETS holds
the values that code should reach; the same program measured Django, Django REST framework, healthchecks,
Datasette, httpx, lifelines and statsmodels to find them. tests/whole_site/test_plain.py holds each package to
its figures of today.
"""

# ruff: noqa: SIM905 (lists of words are easier to read and to change as texts)

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

# Each measure: its key, the heading of its column, and what it counts.
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
    "long_function": ("> 40", "functions of more than 40 lines, in %"),
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
    own = TARGETS_OF_PACKAGES.get(package, {})
    return own.get(key, TARGETS.get(key))


# Words that name nothing. A variable, argument, attribute, function or class may not
# have one of these as its whole name, and may not start with "of_".
BANNED = frozenset(
    "found said asked seen wanted given told shown kept made drawn taken lying "
    "standing travelling telling there along beside apart aside outside elsewhere "
    "both each own way lot whom everybody nobody somebody paper speaking letters "
    "tell of wrong held known chosen before after picked looked marks mend "
    "looking here".split()
)

PREPOSITIONS = frozenset(
    "of from as by at in on for with without within beside along among between "
    "before after above below under over into onto out off against about around "
    "to".split()
)
QUESTION_WORDS = frozenset("what whether where when why how which who whom whose".split())
IRREGULAR_PARTICIPLES = frozenset(
    "found said told seen given shown kept made drawn taken held left known "
    "chosen written read sent put set met lost won built bought brought begun "
    "broken done gone grown hidden laid led meant paid sold spent split spread "
    "stood struck taught thought understood worn wound".split()
)
ADJECTIVES = frozenset(
    "ready due alike unlike whole apart alone plain clear open closed new old "
    "same other both each own least most first last next likely likeliest wide "
    "narrow short long large small few many much together there here needed "
    "foreign single".split()
)
NOUNS_IN_ING = frozenset(
    "string ping heading setting rating listing warning meaning ring thing "
    "nothing padding encoding rounding wording spelling building heading routing "
    "mapping sampling testing logging parsing".split()
)
NOUNS_IN_ED = frozenset("feed seed need speed embed exceed proceed id used_by red bed".split())

DOCSTRING_STARTS = frozenset(
    "of from as by where on for what whether none how when who whom which whose "
    "at in with without among against to into only not no all both each those "
    "these it that here there so but and or if".split()
)

AUXILIARIES = frozenset(
    "is are was were be been being has have had do does did can cannot may might "
    "must shall should will would isn't aren't doesn't don't can't".split()
)
# Verbs that start or carry the first sentence of a docstring. Only their stems: the
# forms in -s, -es, -ed, -ing and -ies are derived.
VERBS = frozenset(
    "abort accept act activate adapt add adjust adopt allow analyse analyze "
    "announce answer append apply approximate arrange ask assemble assert assign "
    "assume attach authenticate average bind block book build bump cache "
    "calculate call cancel cast change check choose clean clear clone close code "
    "collect combine compare complete compose compress compute configure confirm "
    "connect consume contain continue convert copy correct count cover create cut "
    "deal decide declare decode decorate decrease default define delay delete "
    "deliver deny derive describe deserialize detect determine disable discard "
    "dispatch display divide download draw drop dump encode end ensure enter "
    "enable erase escape estimate evaluate exceed exclude execute exist exit "
    "expand expect export expose extend extract fail fall fetch fill filter "
    "finalize find finish fit fix flatten flush follow force form format forward "
    "fulfil generate get give go grant group guess halve handle hash hide hold "
    "identify ignore implement import improve include increase increment indicate "
    "infer inherit initialize inject insert install inspect instantiate "
    "interpolate invert invite iterate join keep label lay lead learn leave let "
    "limit link list load lock log look lower make manage map mark mask match "
    "mean measure merge minimize mix modify move name need normalize note notify "
    "obtain occur offer open optimize order override pack parse pass patch "
    "perform permute pick place plan plot poll pop populate prepare prevent print "
    "process produce project protect prove provide prune publish pull push put "
    "query queue quote raise randomize rank read rebuild receive recode record "
    "recover redirect reduce refer refuse register reject relate release reload "
    "remove rename render renew reorder repeat replace report represent request "
    "require reset resolve respond restore restrict retrieve return reuse reverse "
    "revoke rewrite roll round route run sample sanitize save say scale scan "
    "schedule score scramble seal search select send separate serialize serve set "
    "shift show shuffle shut sign simulate skip solve sort specify split stack "
    "standardize start state stay step stop store stream strip submit subscribe "
    "subtract sum supply support suppress switch sync synchronize take tell test "
    "track transfer transform translate transpose treat trim truncate try turn "
    "unescape unpack unregister update upgrade upload use validate vary verify "
    "visit wait walk warn wrap write yield belong appear apply arrive become come "
    "depend differ equal fit happen have imply know last lie lack remain see seem "
    "stand stem work".split()
)
IRREGULAR_VERBS = frozenset(
    "made found took taken gave given sent built chose chosen wrote written drew "
    "drawn held kept left put read ran said told saw seen set shown went got lets".split()
)


@dataclass
class Measured:
    """The figures and the places of one group of files."""

    lines: int = 0
    comments: int = 0
    nodes: list[int] = field(default_factory=list)
    functions: int = 0
    docstrings: int = 0
    function_docstrings: int = 0
    places: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    # name of a public function -> return annotation -> places
    returns: dict[str, dict[str, list[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )


def measure(files: list[Path], root: Path) -> Measured:
    """Read all files and return what the measures count in them."""
    result = Measured()
    for path in files:
        source = path.read_text(encoding="utf-8")
        try:
            tree = ast.parse(source)
        except SyntaxError as error:
            print(f"{path}: {error}", file=sys.stderr)
            continue
        name = str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
        _measure_lines(result, name, source)
        _measure_statements(result, name, tree)
        _measure_expressions(result, name, tree)
        _measure_names(result, name, tree)
        _measure_definitions(result, name, tree)
    _measure_same_names(result)
    return result


def _measure_lines(result: Measured, name: str, source: str) -> None:
    lines = source.splitlines()
    result.lines += len(lines)
    for number, line in enumerate(lines, start=1):
        if len(line) > 100:
            result.places["long_line"].append(f"{name}:{number}")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        is_whole_line = token.type == tokenize.COMMENT and not token.line[: token.start[1]].strip()
        if is_whole_line and not token.string.startswith("#!"):
            result.comments += 1


def _is_simple(node: ast.AST | None) -> bool:
    """Return whether an expression is a name, an attribute of a name, or a constant."""
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
                else:
                    queue.extend([key, value] if key else [value])
            continue
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
                queue.append(child)
    return count


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _measure_statements(result: Measured, name: str, tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt) or _is_docstring(node):
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom, ast.ClassDef)):
            continue
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue  # signatures grow with their annotations, which help the reader
        size = _own_nodes(node)
        result.nodes.append(size)
        if size > 30:
            result.places["heavy"].append(f"{name}:{node.lineno} ({size} nodes)")


COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _measure_expressions(result: Measured, name: str, tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, COMPREHENSIONS):
            inner = any(
                isinstance(child, COMPREHENSIONS) for child in ast.walk(node) if child is not node
            )
            if inner or len(node.generators) > 1:
                result.places["nested_comprehension"].append(f"{name}:{node.lineno}")
        elif isinstance(node, ast.IfExp):
            result.places["conditional"].append(f"{name}:{node.lineno}")
            if any(isinstance(part, ast.IfExp) for part in (node.body, node.orelse, node.test)):
                result.places["chained_conditional"].append(f"{name}:{node.lineno}")
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            if isinstance(node.value, ast.Lambda):
                result.places["lambda_name"].append(f"{name}:{node.lineno}")
        elif isinstance(node, ast.Call):
            _measure_call(result, name, node)


def _measure_call(result: Measured, name: str, node: ast.Call) -> None:
    function = ast.unparse(node.func)
    last = function.rpartition(".")[2]
    if len(node.args) >= 5:
        result.places["positional"].append(f"{name}:{node.lineno} {function}")
    is_class = last == "cls" or (last[:1].isupper() and not last.isupper())
    if is_class and any(isinstance(argument, ast.Starred) for argument in node.args):
        result.places["star_constructor"].append(f"{name}:{node.lineno} {function}")


def _bound_names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr, node.lineno
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node.lineno


def _measure_names(result: Measured, name: str, tree: ast.Module) -> None:
    for bound, line in _bound_names(tree):
        bare = bound.strip("_")
        if bare.lower() in BANNED or bare.startswith("of_"):
            result.places["banned_name"].append(f"{name}:{line} {bound}")


def _is_bare_word(name: str) -> bool:
    """Return whether a name is one word that is neither a noun nor a verb."""
    word = name.strip("_").lower()
    if "_" in word or not word:
        return False
    if word in PREPOSITIONS | QUESTION_WORDS | IRREGULAR_PARTICIPLES - {
        "read",
        "set",
        "put",
    }:
        return True
    if word in ADJECTIVES - {"open", "clear"}:
        return True
    if word.endswith("ed") and word not in NOUNS_IN_ED:
        return True
    return word.endswith("ing") and word not in NOUNS_IN_ING


def _stems(word: str) -> Iterator[str]:
    yield word
    for ending in ("s", "es", "d", "ed", "ing"):
        if word.endswith(ending):
            stem = word[: -len(ending)]
            yield stem
            yield stem + "e"
            if len(stem) > 2 and stem[-1] == stem[-2]:
                yield stem[:-1]
    if word.endswith(("ies", "ied")):
        yield word[:-3] + "y"


def _has_verb(sentence: str) -> bool:
    for word in re.findall(r"[a-z']+", sentence.lower()):
        if word in AUXILIARIES or word in IRREGULAR_VERBS:
            return True
        if any(stem in VERBS for stem in _stems(word)):
            return True
    return False


def _starts_with_verb(sentence: str) -> bool:
    first = re.findall(r"[a-z']+", sentence.lower())[:1]
    return bool(first) and any(stem in VERBS for stem in _stems(first[0]))


def _first_sentence(docstring: str) -> str:
    text = " ".join(docstring.split())
    return re.split(r"(?<=[.!?:;])\s", text, maxsplit=1)[0]


def _is_property(node: ast.AST) -> bool:
    decorators = getattr(node, "decorator_list", [])
    return any("property" in ast.unparse(decorator) for decorator in decorators)


def _measure_definitions(result: Measured, name: str, tree: ast.Module) -> None:
    top_level = {id(node) for node in tree.body}
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)):
            continue
        docstring = ast.get_docstring(node)
        line = getattr(node, "lineno", 1)
        title = getattr(node, "name", "module")
        if docstring:
            result.docstrings += 1
            sentence = _first_sentence(docstring)
            word = (re.findall(r"[A-Za-z']+", sentence) or [""])[0].lower()
            if word in DOCSTRING_STARTS:
                result.places["docstring_start"].append(f"{name}:{line} {title}: {sentence}")
        if isinstance(node, (ast.ClassDef, ast.Module)):
            continue
        result.functions += 1
        length = (node.end_lineno or node.lineno) - node.lineno + 1
        if length > 40:
            result.places["long_function"].append(f"{name}:{line} {title} ({length})")
        if docstring and not _is_property(node):
            result.function_docstrings += 1
            if not _has_verb(_first_sentence(docstring)):
                result.places["docstring_verb"].append(f"{name}:{line} {title}: {sentence}")
        if not docstring and _is_bare_word(node.name):
            result.places["bare_word"].append(f"{name}:{line} {title}")
        is_public = id(node) in top_level and not node.name.startswith(("_", "test_"))
        if is_public:
            annotation = ast.unparse(node.returns) if node.returns else ""
            result.returns[node.name][annotation].append(f"{name}:{line}")


def _measure_same_names(result: Measured) -> None:
    for name, by_type in result.returns.items():
        if len([annotation for annotation in by_type if annotation]) > 1:
            for annotation, places in by_type.items():
                for place in places:
                    result.places["same_name"].append(f"{place} {name} -> {annotation}")


def figures(result: Measured) -> dict[str, float]:
    """Return the value of every measure, as the columns of the table show it."""
    thousands = max(result.lines, 1) / 1000
    public = sum(len(p) for by_type in result.returns.values() for p in by_type.values())
    nodes = sorted(result.nodes) or [0]
    counted = {key: len(places) for key, places in result.places.items()}

    def per_thousand(key: str) -> float:
        return counted.get(key, 0) / thousands

    def percent(key: str, whole: int) -> float:
        return 100 * counted.get(key, 0) / max(whole, 1)

    return {
        "lines": result.lines,
        "median_nodes": nodes[len(nodes) // 2],
        "p90_nodes": nodes[int(0.9 * (len(nodes) - 1))],
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
    """Return the Python files below a folder, without migrations and virtual environments."""
    if path.is_file():
        return [path]
    skipped = {"migrations", ".venv", "node_modules", "__pycache__", ".git"}
    if path.name in skipped:
        return []
    files = sorted(path.rglob("*.py"))
    return [file for file in files if not skipped & set(file.relative_to(path).parts)]


def packages(root: Path) -> dict[str, list[Path]]:
    """Return the files of each package: the folders of the core and of the features, and all other folders."""
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


WHOLE_NUMBERS = ("lines", "median_nodes", "p90_nodes", "lambda_name")


def show(package: str, key: str, value: float) -> str:
    """Return one figure as text, marked with * if it misses its target."""
    text = f"{value:,.0f}" if key in WHOLE_NUMBERS else f"{value:.1f}"
    limit = target(package, key)
    if limit is not None and value > limit:
        return f"{text}*"
    return text


def print_table(rows: dict[str, dict[str, float]]) -> None:
    keys = list(MEASURES)
    table = [["package", *(MEASURES[key][0] for key in keys)]]
    for name, row in rows.items():
        table.append([name, *(show(name, key, row[key]) for key in keys)])
    table.append(["target", *(str(TARGETS.get(key, "")) for key in keys)])
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    for row in table:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        print(" | ".join(cells))


def main() -> int:
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
    for anchor in options.anchor:
        name, _, paths = anchor.partition("=")
        groups[name] = [file for path in paths.split(",") for file in python_files(Path(path))]
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
