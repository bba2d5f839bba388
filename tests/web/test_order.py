"""A package of the core imports only packages before it, and so do the folders inside a package.

`surveys/__init__.py` is the map of the same packages, for people.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from surveys.definition.kinds import KINDS
from surveys.models import Question
from tests.helpers import kind_comparisons
from tests.helpers.source_files import is_of_removed_feature, python_files, static_files

ROOT = Path(__file__).resolve().parents[2]
APP = ROOT / "surveys"
PACKAGES = {  # "." is the package's own files
    **{"models": (".",), "site": (".", "files"), "accounts": (".",)},
    "definition": ("kinds", "routing", "designs", "."),  # kinds is a file: what all of these ask
    "statements": (".",),
    "authoring": ("drafts", "planning", "files"),
    "fieldwork": ("tickets", ".", "responses"),
    "results": ("disclosure", "estimates", "figures", "report", "analysis"),
    **{
        "export": (".",),
        "operation": (".",),
        "web": (".", "respondent", "workspace", "account", "api"),
    },
}
WEB = ("respondent", "workspace", "account", "api")  # they do not import each other
# Where Django looks for things; no package imports one.
DJANGO = ("__init__", "admin", "apps", "checks", "management", "migrations", "templatetags")
BESIDE = ("extensions", "signals")  # of which every package may know
LAYERS = (
    "checks",
    "columns",
    "formatting",
    "chance",
    "estimation",
    "designs",
    "planning",
    "analysis",
    "batches",
)  # of mechanisms
LONGEST = 600  # lines of a file of the app
# How often a file names single kinds of questions, where a row of traits or a table with an entry a kind could say it.
KINDS_NAMED = {
    "mechanisms/batches/results.py": 2,  # reads codebooks, and imports nothing of the app
    "surveys/authoring/planning/remedies.py": 1,
    "features/statistical_packages/scripts/r.py": 1,  # the kind of a mechanism, which is called "written" too
    "features/text_candidates/receivers.py": 1,
    "features/simulation/simulation.py": 1,
    "features/simulation/planning_api.py": 1,
    "surveys/web/workspace/grid_form.py": 1,
    "surveys/web/workspace/question_form.py": 1,
    "surveys/web/workspace/question_initial.py": 1,
}
KIND_TABLES = {  # that hold an entry a kind, of what cannot be a trait in definition/kinds.py
    "static/respondent/controls.js",
    "features/xlsform/question_types.py",
    "surveys/authoring/planning/overview.py",
    "surveys/results/report/headlines.py",
    "features/simulation/simulation.py",
    "surveys/templatetags/respond.py",
    "surveys/web/workspace/kind_forms.py",
}


def imports(file: Path) -> Iterator[str]:
    """Every module that a file imports and every name that it imports from one, by its whole name, however it is
    written.
    """
    package = (
        file.relative_to(ROOT).with_suffix("").parts[:-1]
    )  # of an __init__.py as of its neighbours: its folder
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            start = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{start}.{alias.name}" for alias in node.names)


FILES = {file: file.relative_to(APP).with_suffix("").parts for file in sorted(APP.rglob("*.py"))}
PRODUCT = python_files()  # of the core and of the features
IMPORTS = {file: {*imports(file)} for file in {*FILES, *PRODUCT}}
PACKAGE_FILES = {file: parts for file, parts in FILES.items() if parts[0] in PACKAGES}
# What waits is opened where it is kept, and nowhere else.
RESPONSES = (APP / "fieldwork/responses", APP / "models")
OUTSIDE_RESPONSES = [
    file for file in PRODUCT if not any(file.is_relative_to(folder) for folder in RESPONSES)
]


def inside(module: str) -> tuple[str, ...]:
    """("results", "report", "quality") of surveys.results.report.quality.sentence; () of what is not the app's."""
    parts = module.split(".")
    if parts[0] != "surveys":
        return ()
    while len(parts) > 1 and not (
        (path := ROOT.joinpath(*parts)).is_dir() or path.with_suffix(".py").exists()
    ):
        parts.pop()
    return tuple(parts[1:])


def place(parts: tuple[str, ...]) -> tuple[int, int]:
    """(number of the package, number of the folder inside it); an __init__.py stands where its folder does."""
    folders = PACKAGES[parts[0]]
    folder = parts[1] if len(parts) > 1 and parts[1] in folders else "."
    return [*PACKAGES].index(parts[0]), folders.index(folder) if folder in folders else 0


def listed(wrong: list[str]) -> None:
    assert not wrong, "\n".join(wrong)


def test_every_folder_and_file_belongs_to_a_package() -> None:
    folders = {
        path.name
        for path in APP.glob("[!_]*/")
        if any(each.is_file() for each in path.rglob("[!_]*.*"))
    }
    assert folders | {parts[0] for parts in FILES.values()} <= {*PACKAGES, *DJANGO, *BESIDE}
    for file, (package, *rest) in PACKAGE_FILES.items():
        if rest != ["__init__"]:
            folder = rest[0] if len(rest) > 1 else "."
            assert folder in PACKAGES[package], (
                f"{file.relative_to(APP)} is in no folder of {package}: {PACKAGES[package]}"
            )


def test_the_map_names_every_package_in_order_and_files_that_exist() -> None:
    lines = re.split(
        r"^ {4}(?=\w)",
        (APP / "__init__.py").read_text().split("\nBeside the ")[0],
        flags=re.MULTILINE,
    )[1:]
    packages = {line.partition("/")[0]: line for line in lines}
    assert [*packages] == [*PACKAGES]
    named = [
        (package, name)
        for package, line in packages.items()
        for name in re.findall(r"[\w/]+\.py", line.partition("->")[2])
    ]
    listed(
        [
            f"{package}/{name} is not there"
            for package, name in named
            if name != "urls.py" and not (APP / package / name).exists()
        ]
    )


def test_a_package_imports_only_packages_before_it_and_one_of_web_no_other() -> None:
    wrong = []
    for file, parts in PACKAGE_FILES.items():
        for module in IMPORTS[file]:
            there = inside(module)
            if not there:
                continue
            if there[0] in BESIDE:
                continue
            up = there[0] in DJANGO or place(there) > place(parts)
            own = next((name for name in parts[1:2] if name in WEB), None)
            crossing = (
                own and there[0] == "web" and there[1:2] and there[1] in WEB and there[1] != own
            )
            if (up and parts[0] != "web") or crossing:
                wrong.append(f"{file.relative_to(APP)} imports {module}")
    listed(wrong)


def test_config_imports_the_app_and_not_the_other_way_round() -> None:
    listed(
        [
            f"{file} imports config"
            for file in PRODUCT
            if any(name.split(".")[0] == "config" for name in IMPORTS[file])
        ]
    )


def test_no_generator_is_made_at_import() -> None:
    """Two processes forked from one would draw alike."""
    generators = {"default_rng", "SystemRandom", "Generator", "PCG64", "RandomState", "Random"}
    for file in [*PRODUCT, *(ROOT / "mechanisms").rglob("*.py")]:
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                continue
            calls = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
            names = {getattr(each, "attr", None) or getattr(each, "id", None) for each in calls}
            assert not names & generators, file


def test_only_the_package_of_responses_reads_what_is_not_released() -> None:
    unread = {f"surveys.fieldwork.responses.{name}" for name in ("inbox", "held")}
    unread |= {"surveys.models.Response", "surveys.models.Held"}
    readers = []
    for file in OUTSIDE_RESPONSES:
        packages = {name.rpartition(".")[0] for name in IMPORTS[file]}
        if (IMPORTS[file] | packages) & unread:
            readers.append(str(file))
    listed(readers)


def test_only_the_package_of_responses_opens_a_batch() -> None:
    listed(
        [
            str(file)
            for file in OUTSIDE_RESPONSES
            if "surveys.models.Batch" in IMPORTS[file] or ".batches" in file.read_text()
        ]
    )


def test_one_module_writes_the_tally_and_the_batches() -> None:
    writing = re.compile(r"instrument\.tally = |Batch\.objects\.create|INTO surveys_batch")
    writers = {file.name for file in PRODUCT if writing.search(file.read_text())}
    assert writers == {"release.py"}


def test_one_module_decides_who_sees_what_of_background_answers() -> None:
    """Rows are filtered for it alone; everything that shows a group asks it."""
    access = APP / "results/disclosure/access.py"
    filtering = {
        f"surveys.results.disclosure.subgroups.{name}"
        for name in ("count_group", "count_by_answer")
    }
    assert [file for file in PRODUCT if IMPORTS[file] & filtering] == []
    assert [file for file in PRODUCT if "subgroups.count_" in file.read_text()] == [access]
    groups = [APP / "fieldwork/responses/background_groups.py", access]
    assert [file for file in PRODUCT if "surveys.models.Cut" in IMPORTS[file]] == groups


def test_a_layer_of_mechanisms_imports_only_layers_below_it_and_neither_django_nor_the_app() -> (
    None
):
    library = ROOT / "mechanisms"
    layers = {
        file: file.relative_to(library).parts[0].removesuffix(".py")
        for file in sorted(library.rglob("*.py"))
    }
    assert {*layers.values()} == {*LAYERS, "__init__", "version"}
    wrong = []
    for file, layer in layers.items():
        above = LAYERS[LAYERS.index(layer) + 1 :] if layer in LAYERS else ()
        for name in imports(file):
            first, _, rest = name.partition(".")
            if first in ("django", "surveys", "features", "config") or (
                first == "mechanisms" and rest.split(".")[0] in above
            ):
                wrong.append(f"{file.relative_to(ROOT)} imports {name}")
    listed(wrong)


def test_no_file_grows_above_its_length() -> None:
    files = [*PRODUCT, *static_files(".js")]
    lengths = {str(file.relative_to(ROOT)): len(file.read_text().splitlines()) for file in files}
    too_long = [
        f"{name} has {length} lines" for name, length in lengths.items() if length > LONGEST
    ]
    listed(too_long)


def test_no_file_compares_kinds_anew() -> None:
    named = kind_comparisons.count_kind_comparisons()
    more = {name: n for name, n in named.items() if n > KINDS_NAMED.get(name, 0)}
    listed(
        [
            f"{name} names a kind {n} times: ask a trait of definition/kinds.py"
            for name, n in more.items()
        ]
    )
    present = {name: n for name, n in KINDS_NAMED.items() if not is_of_removed_feature(name)}
    fewer = {name: named.get(name, 0) for name, n in present.items() if named.get(name, 0) < n}
    listed([f"{name} names kinds {n} times now: write that down" for name, n in fewer.items()])


def test_whoever_compares_kinds_is_noticed(tmp_path: Path) -> None:
    programs = {
        "surveys/a.py": "if question.kind == 'any': pass",
        "surveys/b.py": "if question['kind'] != 'yes-no': pass",
        "surveys/c.py": "if self.typed('kind') in ('scale', 'quantity'): pass",
        "surveys/d.py": "if kind_of(item).key == 'scale': pass",
        "surveys/e.py": "if item.traits.key == 'scale': pass",
        "surveys/f.py": "if (item.kind, item.size) == ('yes-no', 2): pass",
        "surveys/g.py": "if item.kind == Question.Kind.ANY: pass",
        "surveys/h.py": "assumed = {Kind.YES_NO: '20'}.get(item.kind, '')",
        "surveys/i.py": "ORDERED = ('quantity', 'scale')",
        "surveys/j.py": "match item.kind:\n    case 'number': pass",
        "templates/a.html": '{% if question.kind == "written" %}',
        "templates/b.html": '<div data-when="kind" data-is="scale">',
        "static/a.js": 'if (form.elements.kind.value === "any") {',
        "static/b.js": 'if (["quantity", "scale"].includes(form.elements.kind.value)) {',
        "static/c.js": 'contrast(mechanism, kind === "yes-no" ? 1 : 0)',
    }
    for name, text in programs.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert {*kind_comparisons.count_kind_comparisons(tmp_path)} == {*programs}


def test_every_table_of_kinds_has_an_entry_for_each_and_only_for_kinds() -> None:
    assert [*KINDS] == [*Question.Kind]
    tables = [*kind_comparisons.kind_tables()]
    assert {name for name, _ in tables} == {
        name for name in KIND_TABLES if not is_of_removed_feature(name)
    }
    for name, keys in tables:
        assert keys == [kind.name for kind in Question.Kind], name
