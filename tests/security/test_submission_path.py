"""The program that accepts a response is short, has no mechanism, and docs/threat-model.md lists it for reviewers.

`.venv/bin/python -m tests.security.test_submission_path` writes the list anew.
"""

import ast
import io
import re
import sys
import tokenize
from pathlib import Path

from mechanisms.designs import specs
from tests.helpers.import_graph import module_paths, reachable_modules
from tests.helpers.source_files import ROOT
from tests.servers import subprocesses

START = "surveys.web.respondent.submission"
VIEW = Path("surveys/web/respondent/submission.py")
MOST_MODULES = 40  # that are not empty
# Docstrings, comments and blank lines help a reviewer, so they do not count.
MOST_LINES_OF_CODE = 2_700
THREAT_MODEL = ROOT / "docs" / "threat-model.md"
HEADER = "| folder | modules |\n|---|---|\n"
NO_CODE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE),
    *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
}
BY_NAME = {
    "__import__",
    "import_module",
    "import_string",
    "eval",
    "exec",
}  # ways to import without a statement


def path_files() -> list[Path]:
    """Return the files that are reachable by imports from the view that accepts a response, without empty ones."""
    paths = module_paths()
    files = [paths[module] for module in reachable_modules(START)]
    return sorted(file.relative_to(ROOT) for file in files if file.read_text())


def count_code_lines(file: Path) -> int:
    """Return the number of lines of a file without docstrings, comments and blank lines."""
    text = (ROOT / file).read_text()
    docstring_lines: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        is_documented = isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        if is_documented and ast.get_docstring(node) is not None:
            docstring = node.body[0]
            docstring_lines.update(range(docstring.lineno, docstring.end_lineno + 1))

    code_lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            code_lines.update(range(token.start[0], token.end[0] + 1))
    return len(code_lines - docstring_lines)


def expected_table() -> str:
    """Return the table of docs/threat-model.md as it should be: a row for each folder, that of the view first."""
    names_by_folder: dict[Path, list[str]] = {VIEW.parent: []}
    for file in path_files():
        names_by_folder.setdefault(file.parent, []).append(f"`{file.name}`")
    rows = [f"| `{folder}/` | {', '.join(names)} |\n" for folder, names in names_by_folder.items()]
    return HEADER + "".join(rows)


def printed_table() -> str:
    """Return the table as docs/threat-model.md has it."""
    match = re.search(re.escape(HEADER) + r"(\|.*\n)*", THREAT_MODEL.read_text())
    assert match, f"{THREAT_MODEL} has no table that begins with “{HEADER.splitlines()[0]}”"
    return match[0]


def write_table() -> None:
    """Write the table into docs/threat-model.md as it should be."""
    text = THREAT_MODEL.read_text()
    THREAT_MODEL.write_text(text.replace(printed_table(), expected_table()))


def test_path_of_a_submission_is_short() -> None:
    files = path_files()
    count_by_file = {file: count_code_lines(file) for file in files}
    total = sum(count_by_file.values())
    listing = "\n".join(f"{count:5} {file}" for file, count in count_by_file.items())

    assert Path("surveys/fieldwork/responses/inbox.py") in files
    assert len(files) <= MOST_MODULES, f"{len(files)} modules, at most {MOST_MODULES}:\n{listing}"
    assert total <= MOST_LINES_OF_CODE, f"{total}, at most {MOST_LINES_OF_CODE}:\n{listing}"


def test_no_mechanism_is_on_the_path_of_a_submission() -> None:
    path = reachable_modules(START)

    assert path.isdisjoint({mechanism.__module__ for mechanism in specs.CLASSES})
    assert {name for name in path if name.startswith("mechanisms")} == reachable_modules(
        "mechanisms.designs.wire"
    )


def test_forms_of_reports_load_no_mechanism() -> None:
    program = "import mechanisms.designs.wire, sys; print(*(name for name in sys.modules if 'mechanisms' in name))"

    loaded = subprocesses.run([sys.executable, "-c", program], cwd=ROOT).stdout.split()

    assert set(loaded) == reachable_modules("mechanisms.designs.wire")


def test_path_of_a_submission_imports_by_statements_only() -> None:
    """Another import would not be followed. The package of mechanisms imports its names when they are used."""
    names_by_file = {}
    for file in path_files():
        nodes = ast.walk(ast.parse((ROOT / file).read_text()))
        names = {getattr(node, "id", getattr(node, "attr", "")) for node in nodes}
        names_by_file[str(file)] = names & BY_NAME

    assert {file for file, names in names_by_file.items() if names} == {"mechanisms/__init__.py"}


def test_threat_model_lists_the_path_of_a_submission() -> None:
    assert printed_table() == expected_table(), (
        "docs/threat-model.md lists other modules than those that accept a response. To renew the list: "
        f".venv/bin/python -m tests.security.test_submission_path. It writes:\n{expected_table()}"
    )


if __name__ == "__main__":
    write_table()
