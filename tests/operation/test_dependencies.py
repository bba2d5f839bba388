"""What the running site imports is pinned for it, and what is large is loaded only where it is used."""

import ast
import json
import re
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from surveys.site.version import VERSION
from tests.helpers.source_files import python_files
from tests.servers import subprocesses

ROOT = Path(__file__).resolve().parents[2]
OURS = {"candor_client", "config", "features", "mechanisms", "surveys"}
DEVELOPMENT = (
    ROOT / "surveys/management/commands/messages.py"
)  # a command that no running site calls
CLUSTER = [
    ROOT / "mechanisms/batches" / name for name in ("totals.py", "files.py")
]  # extras that no site imports
LARGE = {"pandas", "pyarrow", "pyreadstat", "openpyxl", "pyxform", "xlrd"}


def pinned() -> set[str]:
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    return {re.split(r"[\[=]", line)[0].lower().replace("_", "-") for line in lines if "==" in line}


def imported(file: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(file.read_text())))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name.partition(".")[0] for name in names} - OURS - {""} - sys.stdlib_module_names


def test_everything_that_the_site_and_its_client_import_is_pinned_for_the_site() -> None:
    files = python_files(*OURS)
    distributions = packages_distributions()
    needed = {
        name for file in files if file not in (DEVELOPMENT, *CLUSTER) for name in imported(file)
    }
    lacking = {
        name
        for name in needed
        if not {each.lower().replace("_", "-") for each in distributions[name]} & pinned()
    }
    assert lacking == set()
    assert "pandas" in needed


def test_the_bill_of_materials_names_all_that_is_pinned(tmp_path: Path) -> None:
    """As CycloneDX understands it, with what needs what; each package is reached from Candor."""
    file = tmp_path / "sbom.json"
    subprocesses.run([sys.executable, ROOT / ".ci/sbom.py", file])
    text = file.read_text()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    bom = json.loads(text)
    assert {each["name"].lower().replace("_", "-") for each in bom["components"]} == pinned()
    assert all(
        each["version"] and each["purl"] and each["properties"] for each in bom["components"]
    )
    assert bom["metadata"]["component"]["version"] == VERSION
    needs = {each["ref"]: each.get("dependsOn", []) for each in bom["dependencies"]}
    reached, left = set(), [bom["metadata"]["component"]["bom-ref"]]
    while left:
        left += [ref for ref in needs[left.pop()] if ref not in reached and not reached.add(ref)]
    assert reached == {each["bom-ref"] for each in bom["components"]}


def test_an_idle_worker_loads_nothing_large() -> None:
    doors = "config.wsgi, surveys.web.api.urls, surveys.web.workspace.urls"
    code = f"import django; django.setup(); import sys, {doors}; print(*sys.modules)"
    settings = {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    run = subprocesses.run([sys.executable, "-c", code], env=settings, cwd=ROOT)
    loaded = run.stdout.split()
    assert "surveys.web.workspace.survey_files" in loaded
    assert not LARGE & {*loaded}
