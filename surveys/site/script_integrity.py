"""The published scripts of workspace and lessons: their hashed addresses, and the hashes that a page binds them to.

Scripts import each other by plain names ("./draw.js"). The import map sends each name to its hashed file and tells
the browser the file's hash, so that a changed script does not run. The map itself is inline, because browsers do not
run external ones, and is allowed by its own hash in the page's policy.
"""

import base64
import hashlib
import json
from functools import cache

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage

# Folders of static files. Those of a feature are named after it, and serve its pages of either kind.
FEATURES = tuple(feature.rpartition(".")[2] for feature in settings.FEATURES)
WORKSPACE = ("workspace", *FEATURES)
LEARN = ("mechanisms", "learn", *FEATURES)  # what scrambles in surveys, on pages that show how


def digest(content: bytes) -> str:
    """As an `integrity` attribute and a policy write it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content).digest()).decode()


def _names(folder: str) -> list[str]:
    """Names of the modules in one folder of the static files, as "workspace/copy.js"."""
    names = []
    for finder in finders.get_finders():
        names += [
            path
            for path, storage in finder.list([])
            if path.startswith(f"{folder}/") and path.endswith(".js")
        ]
    return sorted(names)


@cache
def scripts(folders: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """name -> (hashed address, integrity) for every module in the folders, read from the collected files."""
    return {name: published(name) for folder in folders for name in _names(folder)}


@cache
def published(name: str) -> tuple[str, str]:
    """(hashed address, integrity) of one file, read as it was collected."""
    with staticfiles_storage.open(staticfiles_storage.stored_name(name)) as file:
        return staticfiles_storage.url(name), digest(file.read())


@cache
def import_map(folders: tuple[str, ...]) -> str:
    """The text of the inline import map for pages that use these folders."""
    files = scripts(folders)
    return json.dumps(
        {
            "imports": {
                staticfiles_storage.base_url + name: address for name, (address, _) in files.items()
            },
            "integrity": dict(files.values()),
        }
    )


@cache
def import_map_source(folders: tuple[str, ...]) -> str:
    """The import map's hash as a source of script-src."""
    return f"'{digest(import_map(folders).encode())}'"


def script_sources(folders: tuple[str, ...]) -> list[str]:
    """All that may run on such a page, as sources of script-src: import map and scripts, by their hashes."""
    digests = sorted({integrity for _, integrity in scripts(folders).values()})
    return [import_map_source(folders), *(f"'{each}'" for each in digests)]
