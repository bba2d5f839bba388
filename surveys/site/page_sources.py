"""What a respondent's page is made of: every script, template, style and text of this version, by its SHA-256.

`python -m surveys.site.page_sources` prints the list in the form that `sha256sum --check` reads. `make release` keeps
it in releases/, where the version's tag covers it. No settings are needed.
"""

import hashlib
import sys
from functools import cache
from pathlib import Path

from surveys.site.page_program import pieces

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
MADE = "# In the pages, made of these files (`make page PROGRAM=respondent/page.js | sha256sum`):\n"


def listed() -> str:
    """A line with hash and path for each file, sorted by path; before them, as comments, the programs and the style as
    they stand in the pages.
    """
    made = "".join(f"# {sha256(text.encode())}  {name}\n" for name, text in pieces().items())
    paths = sorted(path.relative_to(ROOT).as_posix() for part in PARTS for path in ROOT.glob(part))
    return (
        MADE + made + "".join(f"{sha256((ROOT / path).read_bytes())}  {path}\n" for path in paths)
    )


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@cache
def number() -> str:
    """The SHA-256 of that list: one number for all that a respondent's page of this version is made of."""
    return sha256(listed().encode())


if __name__ == "__main__":
    sys.stdout.write(listed())
