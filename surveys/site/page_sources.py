"""List the SHA-256 of all files of the respondents' pages: scripts, templates, styles and texts.

`python -m surveys.site.page_sources` prints the list in the form that `sha256sum --check` reads.
`make release` stores it in releases/, where the tag of the version covers it. This module needs no
settings.
"""

import hashlib
import sys
from functools import cache
from pathlib import Path

from surveys.site.page_program import page_parts

ROOT = Path(__file__).parents[2]
SOURCE_PATTERNS = (
    "static/mechanisms/*.js",
    "static/respondent/*.js",
    "static/early/*.js",
    "static/tickets/*.js",
    "static/css/respondent.css",
    "templates/respondent/**/*.html",
    "locale/*/LC_MESSAGES/django.mo",
)
PARTS_HEADING = (
    "# In the pages, made of these files (`make page PROGRAM=respondent/page.js | sha256sum`):\n"
)


def sources_list() -> str:
    """Return a text with the SHA-256 of each file of which the respondents' pages are made.

    There is a line for each file, sorted by path. Before them, comments have the SHA-256 of the
    scripts and the style that are built from the files.
    """
    lines = [PARTS_HEADING]
    for name, text in page_parts().items():
        lines.append(f"# {sha256(text.encode())}  {name}\n")

    paths = []
    for pattern in SOURCE_PATTERNS:
        paths += [path.relative_to(ROOT).as_posix() for path in ROOT.glob(pattern)]
    for path in sorted(paths):
        content = (ROOT / path).read_bytes()
        lines.append(f"{sha256(content)}  {path}\n")
    return "".join(lines)


def sha256(content: bytes) -> str:
    """Return the SHA-256 of the content in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


@cache
def sources_sha256() -> str:
    """Return the SHA-256 of `sources_list`, one value by which people compare versions."""
    return sha256(sources_list().encode())


if __name__ == "__main__":
    sys.stdout.write(sources_list())
