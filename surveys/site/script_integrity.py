"""Bind the scripts of workspace and lessons to their hashes, by import maps and policies.

Scripts import each other by plain names ("./draw.js"), but `collectstatic` stores them under names
with a hash ("draw.1f3a.js"). An import map is JSON in a page. It leads the browser from each plain
name to the stored file, and says which hash the content of the file has, so that a changed script
does not run. The map is in the page itself, because browsers load none from a file. The content
security policy of the page allows the map by its hash.
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
    """A script as browsers load it, from a file that `collectstatic` has stored.

    address: the address of the file, with a hash in its name.
    integrity: the SHA-256 of the file, in the form of an `integrity` attribute in HTML.
    """

    address: str
    integrity: str


def digest(content: bytes) -> str:
    """Return the SHA-256 of the content, in the form of an `integrity` attribute in HTML.

    For example, this is "sha256-" and 44 characters in base64.
    """
    sha256 = hashlib.sha256(content).digest()
    return "sha256-" + base64.b64encode(sha256).decode()


def _module_names(folder: str) -> list[str]:
    """Return the names of the scripts in a folder of static files, such as "workspace/copy.js".

    folder: the path of the folder below static/, in the core or in a feature.
    """
    names = []
    # Django has a finder for the core's static files, and one for those of the features.
    for finder in finders.get_finders():
        for path, _ in finder.list([]):
            if path.startswith(f"{folder}/") and path.endswith(".js"):
                names.append(path)
    return sorted(names)


@cache
def scripts(folders: tuple[str, ...]) -> dict[str, PublishedScript]:
    """Return the address and integrity of every script in folders of static files, by its name.

    folders: the names of the folders below static/, such as WORKSPACE.
    """
    result = {}
    for folder in folders:
        for name in _module_names(folder):
            result[name] = published(name)
    return result


@cache
def published(name: str) -> PublishedScript:
    """Return a script as browsers load it, from the file that `collectstatic` has stored.

    name: the path of the script below static/, such as "workspace/copy.js".
    """
    with staticfiles_storage.open(staticfiles_storage.stored_name(name)) as file:
        return PublishedScript(staticfiles_storage.url(name), digest(file.read()))


@cache
def import_map(folders: tuple[str, ...]) -> str:
    """Return the import map, as JSON, of pages that use the scripts in these folders."""
    imports = {}
    integrity_by_address = {}
    for name, script in scripts(folders).items():
        imports[staticfiles_storage.base_url + name] = script.address
        integrity_by_address[script.address] = script.integrity
    return json.dumps({"imports": imports, "integrity": integrity_by_address})


@cache
def import_map_source(folders: tuple[str, ...]) -> str:
    """Return the value of the directive script-src that allows the import map of these folders.

    This is the hash of the map. A policy of `headers` adds it to the values that all pages have.
    """
    return f"'{digest(import_map(folders).encode())}'"


def script_sources(folders: tuple[str, ...]) -> list[str]:
    """Return the values of the directive script-src that allow only the scripts of these folders.

    These are the hashes of the import map and of each script.
    """
    hashes = {script.integrity for script in scripts(folders).values()}
    # A hash is enclosed in single quotation marks in a policy. In this order, pages of one version
    # always have the same policy.
    script_values = [f"'{integrity}'" for integrity in sorted(hashes)]
    return [import_map_source(folders), *script_values]
