"""The version of the distribution, or in a clone that of the whole."""

import tomllib
from importlib import metadata
from pathlib import Path

try:
    __version__ = metadata.version("candor-mechanisms")
except metadata.PackageNotFoundError:
    __version__ = str(
        tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"][
            "version"
        ]
    )
