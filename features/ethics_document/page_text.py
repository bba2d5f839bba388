"""The text of respondents' pages as passages, for documents that quote them."""

from dataclasses import dataclass
from html.parser import HTMLParser

from surveys.site.shape import ApiResult, api_field

INLINE = {
    "a",
    "b",
    "bdi",
    "code",
    "em",
    "i",
    "q",
    "span",
    "strong",
    "wbr",
}  # all other tags begin a line
BETWEEN = {"span": " ", "td": " · ", "th": ""}  # what parts words of one line
SILENT = {"svg", "script", "style", "title"}
VOID = {"br", "hr", "img", "input", "link", "meta", "wbr"}


@dataclass(frozen=True)
class Passage(ApiResult):
    """A section of the page with its heading, or the text before the first one."""

    heading: str = api_field()
    lines: tuple[str, ...] = api_field()


def read(html: str) -> list[Passage]:
    """The passages of a page, without what is hidden."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return [Passage(heading, tuple(lines)) for heading, lines in reader.passages]


class _Reader(HTMLParser):
    """The text of a page, a line for each block of it, in passages that begin where a fold does.

    Pictures are left out: the sentences around them say the same.
    """

    def __init__(self) -> None:
        super().__init__()
        self.passages: list[tuple[str, list[str]]] = [("", [])]
        self._words, self._heads = "", False
        self._hidden: list[str] = []  # open tags that are not read out

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        has = dict(attributes)
        if self._hidden or tag in SILENT or has.get("aria-hidden") == "true":
            self._hidden += [] if tag in VOID else [tag]
        elif tag in BETWEEN and "data-when" not in has:  # of several sentences one is shown
            self._words += BETWEEN[tag] if self._words.strip() else ""
        elif tag not in INLINE or tag in BETWEEN:
            self._end()
        self._heads = self._heads or tag == "summary"

    def handle_endtag(self, tag: str) -> None:
        if self._hidden:
            if self._hidden[-1] == tag:
                self._hidden.pop()
        elif tag == "summary":
            self.passages.append((" ".join(self._words.split()), []))
            self._words, self._heads = "", False
        elif tag in BETWEEN:
            self._words += " "
        elif tag not in INLINE:
            self._end()

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self._words += data

    def close(self) -> None:
        super().close()
        self._end()

    def _end(self) -> None:
        if (line := " ".join(self._words.split())) and not self._heads:
            self.passages[-1][1].append(line)
            self._words = ""
