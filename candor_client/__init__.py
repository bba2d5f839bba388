"""A client of Candor's API for notebooks and scripts: reports and rows come back as pandas data frames.

    from candor_client import Candor
    candor = Candor("https://survey.example.org", token="...")
    candor.report("abcdefghjkmn")

It needs httpx and pandas. docs/client.md shows it at work.
"""

import tomllib
from importlib import metadata
from pathlib import Path

from candor_client.authoring import Authoring
from candor_client.connection import Problem
from candor_client.fieldwork import Fieldwork
from candor_client.files import Files
from candor_client.results import Results

__all__ = ["Candor", "Problem"]

try:
    __version__ = metadata.version("candor-client")
except metadata.PackageNotFoundError:  # in a clone
    __version__ = str(
        tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"][
            "version"
        ]
    )


class Candor(Authoring, Fieldwork, Results, Files):
    """One site, in the name of the token's person. Use it as a context manager or close() it to end its connections."""
