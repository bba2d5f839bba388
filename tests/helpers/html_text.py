"""Reads a page as people do."""

import re
from html import unescape


def text(page: str) -> str:
    """Return what people read; the tags of words within a line leave no blank."""
    lines = re.sub(r"</?(?:b|bdi|em|strong)>", "", page)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", lines)).split())
