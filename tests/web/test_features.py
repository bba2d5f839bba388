"""The rules of core and features, which docs/features.md states."""

import ast
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from django.apps import AppConfig, apps
from django.conf import settings
from django.core.checks import run_checks

from tests.helpers.source_files import ROOT, python_files

FEATURES = ROOT / "features"
NAMES = [feature.removeprefix("features.") for feature in settings.FEATURES]
IMPORT = re.compile(
    r"^ *(?:from|import) features\b", re.MULTILINE
)  # also in programs that are written in strings
LINE_OF_SETTINGS = re.compile(r'^    "features\.\w+",\n', re.MULTILINE)


def texts(paths: list[Path]) -> dict[str, str]:
    """Return the texts of files by their path from the root."""
    return {str(path.relative_to(ROOT)): path.read_text() for path in paths}


def named_features(text: str, names: Sequence[str] = NAMES) -> set[str]:
    """Return the features of which a text names a module, a file or a folder."""
    return {name for name in re.findall(r"\bfeatures[./](\w+)", text) if name in names}


def core_files() -> list[Path]:
    """Return the files of the core, with its templates, scripts and styles."""
    assets = [*(ROOT / "templates").rglob("*.*"), *(ROOT / "static").rglob("*.*")]
    texts = [path for path in assets if path.suffix in (".html", ".js", ".css", ".txt")]
    return [*python_files("config", "mechanisms", "surveys"), *texts]


def files_of_core_tests() -> list[Path]:
    """Return the test modules that must know no feature."""
    apart = (ROOT / "tests" / "whole_site", ROOT / "tests" / "removal")
    paths = sorted((ROOT / "tests").rglob("*.py"))
    return [path for path in paths if not any(path.is_relative_to(folder) for folder in apart)]


def config_of(name: str) -> AppConfig:
    return next(config for config in apps.get_app_configs() if config.name == f"features.{name}")


def test_the_core_names_no_feature_but_in_the_settings() -> None:
    offenders = set()
    for path, text in texts(core_files()).items():
        read = LINE_OF_SETTINGS.sub("", text) if path == "config/settings.py" else text
        if named_features(read) or IMPORT.search(read):
            offenders.add(path)
    assert offenders == set()


@pytest.mark.parametrize("name", NAMES)
def test_a_feature_names_only_the_features_that_it_requires(name: str) -> None:
    allowed = {name} | {
        feature.removeprefix("features.") for feature in getattr(config_of(name), "requires", ())
    }
    paths = sorted(
        path for path in (FEATURES / name).rglob("*.*") if path.suffix in (".py", ".html", ".js")
    )
    offenders = {path for path, text in texts(paths).items() if named_features(text) - allowed}
    assert offenders == set()


@pytest.mark.parametrize("name", NAMES)
def test_a_feature_requires_only_features_that_it_imports(name: str) -> None:
    modules = [path for path in python_files("features") if path.is_relative_to(FEATURES / name)]
    imported = set()
    for path, text in texts(modules).items():
        if not path.endswith("/apps.py"):
            imported |= named_features(text)
    assert {
        feature.removeprefix("features.") for feature in getattr(config_of(name), "requires", ())
    } <= imported


def test_a_required_feature_that_is_missing_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [problem for problem in run_checks() if problem.id == "surveys.E001"] == []
    config = apps.get_app_config("surveys")
    monkeypatch.setattr(
        config, "requires", ("django.contrib.auth", "features.astrology"), raising=False
    )

    (problem,) = [problem for problem in run_checks() if problem.id == "surveys.E001"]

    assert problem.msg == "The feature surveys needs features.astrology, which is not installed."
    assert (
        problem.hint == "Add 'features.astrology' to FEATURES in the settings, or remove 'surveys'."
    )
    assert problem.is_serious()


def test_a_feature_has_no_models_and_no_migrations() -> None:
    for name in NAMES:
        assert list(config_of(name).get_models()) == []
        folder = FEATURES / name
        assert not (folder / "models.py").exists()
        assert not (folder / "models").exists()
        assert not (folder / "migrations").exists()
    classes = [
        path
        for path, text in texts(python_files("features")).items()
        if re.search(r"\(models\.Model\)", text)
    ]
    assert classes == []


def test_the_package_of_a_feature_has_at_most_a_docstring() -> None:
    for name in NAMES:
        body = ast.parse((FEATURES / name / "__init__.py").read_text()).body
        assert len(body) <= 1
        assert all(
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in body
        )


def test_every_feature_is_a_folder_with_a_line_in_the_settings() -> None:
    folders = {path.parent.name for path in FEATURES.glob("*/apps.py")}
    assert folders == {path.parent.name for path in FEATURES.glob("*/__init__.py")} == set(NAMES)
    assert [name for name in NAMES if not (FEATURES / name / "tests/routes.py").exists()] == []


def test_files_of_core_tests_import_no_feature_and_no_test_of_the_whole_site() -> None:
    offenders = set()
    for path, text in texts(files_of_core_tests()).items():
        if IMPORT.search(text) or re.search(
            r"^ *(from|import) tests\.whole_site\b", text, re.MULTILINE
        ):
            offenders.add(path)
    assert offenders == set()


def test_what_the_rules_forbid_is_seen() -> None:
    for text in (
        "from features.trend import trend",
        "import features.trend.trend",
        "def name():\n    from features import trend",
        'MAKE = """\nfrom features.trend import trend\n"""',
    ):
        assert IMPORT.search(text)
    for text in ("import_string('features.trend.views')", "# see features/trend/views.py"):
        assert named_features(text, ["trend", "demo"]) == {"trend"}
    assert (
        named_features("connection.features.has_trend, features.md, my_features.trend", ["trend"])
        == set()
    )
    in_settings = 'FEATURES = [\n    "features.trend",\n]\nKIND = "features.trend.KIND"'
    assert LINE_OF_SETTINGS.sub("", in_settings) == 'FEATURES = [\n]\nKIND = "features.trend.KIND"'
