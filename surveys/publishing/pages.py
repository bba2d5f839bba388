"""The respondent's page of a survey as bytes: made once for each instrument, and the same for everybody.

Templates are rendered without a request, so that nothing of a visitor can get in.
"""

import gzip
import re
from functools import lru_cache

from django.template.loader import render_to_string

from surveys.errors import Refused
from surveys.publishing.instruments import Paper, parse

LARGEST = 100_000  # bytes, compressed, of a page in several languages
BETWEEN_TAGS = re.compile(r">\s*\n\s*<")  # the indentation of templates, never a text that somebody wrote


@lru_cache(maxsize=64)
def rendered(template: str, sha256: str, content: str, preview: str = "") -> tuple[bytes, bytes]:
    """Plain and compressed. Without a time and without padding, so that the compressed bytes are the same too.

    Compression tells nothing here, as it can where a page holds a secret beside something that a visitor put in: this
    page holds neither. preview: "sample" for the page of the demo's study that sends nothing.
    """
    written = render_to_string(template, {"paper": parse(sha256, content), "preview": preview})
    page = BETWEEN_TAGS.sub(">\n<", written).encode()
    return page, gzip.compress(page, mtime=0)


def within_size(frozen: Paper) -> None:
    """Raises Refused where all languages together are more than a telephone should have to load."""
    if not frozen.further:
        return
    _, small = rendered("respond/survey.html", frozen.sha256, frozen.content)
    if len(small) > LARGEST:
        raise Refused(
            f"With {len(frozen.languages)} languages the respondents’ page would be {len(small) / 1000:.0f} kB, more "
            f"than {LARGEST // 1000}. Take a language out, or ask fewer questions."
        )
