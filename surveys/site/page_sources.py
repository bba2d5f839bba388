"""What a respondent's page is made of: every script, template, style and text of this version, by its SHA-256.

`python -m surveys.site.page_sources` prints the list in the form that `sha256sum --check` reads. `make release` keeps
it in releases/, where the version's tag covers it. No settings are needed.
"""

import hashlib
import sys
from functools import cache
from pathlib import Path

from surveys.site.page_program import page_parts

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


def sources_list() -> str:
    """A line with hash and path for each file, sorted by path; before them, as comments, the programs and the style as
    they stand in the pages.
    """
    made = "".join(f"# {sha256(text.encode())}  {name}\n" for name, text in page_parts().items())
    paths = sorted(path.relative_to(ROOT).as_posix() for part in PARTS for path in ROOT.glob(part))
    return (
        MADE + made + "".join(f"{sha256((ROOT / path).read_bytes())}  {path}\n" for path in paths)
    )


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@cache
def sources_sha256() -> str:
    """Return the SHA-256 of that list."""
    return sha256(sources_list().encode())


if __name__ == "__main__":
    sys.stdout.write(sources_list())
