"""A copy of the program without some of its features."""

import re
import shutil
from pathlib import Path

from django.apps import AppConfig, apps
from django.conf import settings

from tests.whole_site.examples.tree import Tree

FOLDERS = (
    *(".ci", "bench", "candor_client", "config", "docs", "features", "locale", "mechanisms"),
    *("static", "surveys", "templates", "tests"),
)
FILES = (
    *(
        ".gitignore",
        "CHANGELOG.md",
        "CITATION.cff",
        "CONTRIBUTING.md",
        "Containerfile",
        "LICENSE",
        "Makefile",
    ),
    *(
        "README.md",
        "SECURITY.md",
        "compose.yaml",
        "conftest.py",
        "gunicorn.conf.py",
        "manage.py",
        "package.json",
    ),
    *(
        "pyproject.toml",
        "requirements-dev.in",
        "requirements-dev.txt",
        "requirements.in",
        "requirements.txt",
    ),
)
# The databases of earlier releases are large, and no test of the core needs them.
WITHOUT = (".hypothesis", "node_modules", "pictures", "releases")
NAMES = tuple(feature.removeprefix("features.") for feature in settings.FEATURES)


class ReducedTree(Tree):
    """A copy of the program from which features are removed as docs/features.md says."""

    def __init__(self, folder: Path, *features: str) -> None:
        super().__init__(folder, FOLDERS, FILES, WITHOUT)
        for name in features:
            remove_feature(folder, app_config(name))


def app_config(name: str) -> AppConfig:
    """Return the AppConfig of a feature. name: that of its folder."""
    return next(config for config in apps.get_app_configs() if config.name == f"features.{name}")


def with_dependents(name: str) -> list[str]:
    """Return the features that go when a feature is removed: itself, and those that need one of them."""
    removed = [name]
    for gone in removed:
        for other in NAMES:
            if (
                f"features.{gone}" in getattr(app_config(other), "requires", ())
                and other not in removed
            ):
                removed.append(other)
    return removed


def remove_feature(folder: Path, config: AppConfig) -> None:
    """Delete the folder of a feature, its line in the settings, and its page in docs/."""
    shutil.rmtree(folder / config.name.replace(".", "/"))
    file = folder / "config/settings.py"
    text, lines = re.subn(
        rf'^ +"{re.escape(config.name)}",\n', "", file.read_text(), flags=re.MULTILINE
    )
    assert lines == 1, f"{config.name} has {lines} lines in the settings"
    file.write_text(text)
    if page := getattr(config, "docs", ""):
        (folder / "docs" / page).unlink()
