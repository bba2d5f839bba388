"""The product's version, from the one place where it stands. No settings are needed to read it."""

import tomllib
from pathlib import Path

from django.http import HttpRequest

VERSION: str = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"][
    "version"
]


def version_context(request: HttpRequest) -> dict[str, str]:
    """Return the version for the footer of the workspace (a context processor)."""
    return {"version": VERSION}
