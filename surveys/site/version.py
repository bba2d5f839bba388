"""Read the version of the product from pyproject.toml. This module needs no settings."""

import tomllib
from pathlib import Path

from django.http import HttpRequest

PROJECT_FILE = Path(__file__).parents[2] / "pyproject.toml"
VERSION: str = tomllib.loads(PROJECT_FILE.read_text())["project"]["version"]


def version_context(request: HttpRequest) -> dict[str, str]:
    """Return what templates can read about the version, for the footer of the workspace.

    This is a Django context processor: `version` is a variable of all templates.
    """
    return {"version": VERSION}
