"""The text of a page as people read it."""

import re
from html import unescape


def text(page: str) -> str:
    """Return the text of a page, without tags and with single spaces.

    A tag counts as a space, except for tags of words within a line, such as <b>. Characters that
    are escaped, such as &amp;, are unescaped.
    """
    without_inline_tags = re.sub(r"</?(?:b|bdi|em|strong)>", "", page)
    without_tags = re.sub(r"<[^>]+>", " ", without_inline_tags)
    return " ".join(unescape(without_tags).split())
