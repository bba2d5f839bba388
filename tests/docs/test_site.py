"""docs/ as a site: built once here, without a warning, and asking no other site for anything."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from mechanisms import odds_percent
from surveys.authoring.planning.precision import ASSUMED, design_mechanism, verdict
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.external import IMPORT_ONLY_DESIGNS
from surveys.definition.designs.levels import USUAL_LEVEL
from surveys.definition.protection import LEVELS
from surveys.models import Question
from tests.docs.code_blocks import DOCS
from tests.servers import subprocesses

LOADING = {"script": "src", "img": "src", "link": "href", "source": "srcset", "iframe": "src"}
NO_LOADING = {"canonical", "next", "prev", "search", "index", "author", "copyright"}


class Loaded(HTMLParser):
    """What a browser loads with a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if tag in LOADING and given.get(LOADING[tag]) and given.get("rel") not in NO_LOADING:
            self.addresses.append(given[LOADING[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    asked = ("--quiet", "--fail-on-warning", "--keep-going", str(DOCS), str(folder))
    subprocesses.run([sys.executable, "-m", "sphinx", *asked])
    return folder


def text(page: Path) -> str:
    """Without tags, a space between words."""
    article = page.read_text().partition("<article")[2].partition("</article>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", article).split())


def test_no_page_loads_anything_from_another_site(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        addresses = Loaded(page.read_text()).addresses
        assert addresses
        assert not [address for address in addresses if re.match(r"https?:|//", address)], page
    for style in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:|//)", style.read_text()), style


def test_what_scrolls_is_reached_by_keyboard_and_headings_have_a_level(site: Path) -> None:
    for name in ("designs/subset.html", "recipes/python.html"):
        page = (site / name).read_text()
        assert 'tabindex="0"' in page
        assert not re.search(r'<pre>|<div class="table-wrapper|role="heading">', page)


def test_every_design_has_a_page_of_its_name(site: Path) -> None:
    every = DESIGNS | IMPORT_ONLY_DESIGNS
    assert {page.stem for page in (DOCS / "designs").glob("*.md")} == {*every, "index"}
    for key, design in every.items():
        assert (DOCS / f"designs/{key}.md").read_text().startswith(f"# {design.title}\n")
        assert design.title in text(site / "designs/index.html")


def test_figures_of_designs_are_those_of_the_library(site: Path) -> None:
    """Written down here once, from the statistics of two coins: n = 1.96² / (4 · 0.05² · c²) with c = 1/2, and a little
    less, as Wilson has it."""
    page = text(site / "designs/two-coin.html")
    assert (
        "If you choose Yes, Yes is sent 75 times in 100. If you choose No, Yes is sent 25 times in 100."
        in page
    )
    assert "75 of 100 25 of 100 1.10 75 in 100 1,533 ±6.2" in page
    assert "infinite can be proved" in text(site / "designs/mangat.html")
    assert "Balanced, 10 answers" in text(site / "designs/subset.html")


def test_figures_within_sentences_are_those_of_the_library() -> None:
    words = (DOCS / "questions.md").read_text()
    kinds = (Question.Kind.YES_NO, Question.Kind.CHOICE, Question.Kind.ANY)
    needed = [
        verdict(
            kind, design_mechanism(USUAL_LEVEL, kind, 2 if kind == kinds[0] else 10), ASSUMED
        ).needed
        for kind in kinds
    ]
    directly = verdict(kinds[0], None, ASSUMED).needed
    for each in needed:
        assert f"{float(f'{each:.2g}'):,.0f}" in words
    assert round(needed[0] / directly) == 4
    assert f"would take {directly}" in " ".join(words.split())
    index = " ".join((DOCS / "designs/index.md").read_text().split())
    assert f"that takes {directly}" in index
    for level in LEVELS.values():
        assert f"at most {odds_percent(level.epsilon)} times in 100" in index
