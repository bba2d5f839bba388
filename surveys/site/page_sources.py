"""What a respondent's page is made of: every script, template, style and text of this version, by its SHA-256.

`python -m surveys.site.page_sources` prints the list in the form that `sha256sum --check` reads, and `--release` keeps
it in releases/, to be signed with the version's tag. No settings are needed.
"""

import hashlib
import sys
from functools import cache
from pathlib import Path

from surveys.site.version import VERSION

ROOT = Path(__file__).parents[2]
PARTS = (
    "static/mechanisms/*.js",
    "static/respondent/*.js",
    "static/early/*.js",
    "static/tickets/*.js",
    "static/css/respondent.css",
    "templates/respondent/**/*.html",
    "locale/*/LC_MESSAGES/django.mo",
)
RELEASES = ROOT / "releases"


def listed() -> str:
    """A line with hash and path for each file, sorted by path."""
    paths = sorted(path.relative_to(ROOT).as_posix() for part in PARTS for path in ROOT.glob(part))
    return "".join(f"{hashlib.sha256((ROOT / path).read_bytes()).hexdigest()}  {path}\n" for path in paths)


@cache
def number() -> str:
    """The SHA-256 of that list: one number for all that a respondent's page of this version is made of."""
    return hashlib.sha256(listed().encode()).hexdigest()


def release(version: str = VERSION) -> Path:
    """Keep the list of a version. One that was kept before never changes: whoever signed it signed those files.

    Raises FileExistsError where it would.
    """
    file = RELEASES / f"{version}.sha256"
    if file.exists() and file.read_text() != listed():
        raise FileExistsError(
            f"Version {version} was released with other files. Put the next version into pyproject.toml first."
        )
    RELEASES.mkdir(exist_ok=True)
    file.write_text(listed())
    return file


if __name__ == "__main__":
    if "--release" not in sys.argv:
        sys.stdout.write(listed())
    else:
        try:
            print(f"Wrote {release().relative_to(ROOT)}. Commit it, and sign the tag v{VERSION}.")
        except FileExistsError as error:
            sys.exit(str(error))
