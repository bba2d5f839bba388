"""Bind the scripts of workspace and lessons to their hashes, by import maps and policies.

Scripts import each other by plain names ("./draw.js"). The import map sends each name to the hashed
file, and gives the browser the hash of the file, so that a changed script does not run. The map
itself is inline, because browsers do not run external ones. The policy of the page allows it by its
hash.
"""

import base64
import hashlib
import json
from functools import cache
from typing import NamedTuple

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage

# The folders of static files that each kind of page uses. The folder of a feature has the name of
# the feature, and serves pages of both kinds. Lessons run the code that randomizes answers.
FEATURES = tuple(feature.rpartition(".")[2] for feature in settings.FEATURES)
WORKSPACE = ("workspace", *FEATURES)
LEARN = ("mechanisms", "learn", *FEATURES)


class PublishedScript(NamedTuple):
    """The address of a collected file, with a hash in its name, and its integrity attribute."""

    address: str
    integrity: str


def digest(content: bytes) -> str:
    """Return the SHA-256 of the content in the form of an `integrity` attribute."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content).digest()).decode()


def _module_names(folder: str) -> list[str]:
    """Return the names of the modules in a folder of static files, such as "workspace/copy.js"."""
    names = []
    for finder in finders.get_finders():
        for path, _ in finder.list([]):
            if path.startswith(f"{folder}/") and path.endswith(".js"):
                names.append(path)
    return sorted(names)


@cache
def scripts(folders: tuple[str, ...]) -> dict[str, PublishedScript]:
    """Return the address and integrity of every module in the folders, by its name."""
    result = {}
    for folder in folders:
        for name in _module_names(folder):
            result[name] = published(name)
    return result


@cache
def published(name: str) -> PublishedScript:
    """Return the address and integrity of one module, from its collected file.

    name: the path of the module below static/, such as "workspace/copy.js".
    """
    with staticfiles_storage.open(staticfiles_storage.stored_name(name)) as file:
        return PublishedScript(staticfiles_storage.url(name), digest(file.read()))


@cache
def import_map(folders: tuple[str, ...]) -> str:
    """Return the inline import map, as JSON, for pages that use these folders of static files."""
    imports = {}
    integrity_by_address = {}
    for name, script in scripts(folders).items():
        imports[staticfiles_storage.base_url + name] = script.address
        integrity_by_address[script.address] = script.integrity
    return json.dumps({"imports": imports, "integrity": integrity_by_address})


@cache
def import_map_source(folders: tuple[str, ...]) -> str:
    """Return the source of script-src that allows the import map of these folders, by its hash."""
    return f"'{digest(import_map(folders).encode())}'"


def script_sources(folders: tuple[str, ...]) -> list[str]:
    """Return the sources of script-src that allow the import map and scripts, by their hashes."""
    hashes = sorted({script.integrity for script in scripts(folders).values()})
    return [import_map_source(folders)] + [f"'{integrity}'" for integrity in hashes]
