"""Every link in README and docs leads somewhere: to a file and heading of ours, or to an address on the list."""

import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.code_blocks import DOCS

ROOT = DOCS.parent
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), ROOT / "bench/results.md"])
LIST = DOCS / "links.txt"
INDEX = DOCS / "index.md"
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\"|<(https?://[^>]+)>")


@cache
def links(page: Path) -> tuple[str, ...]:
    """What a page leads to, but for what stands in programs."""
    text = re.sub(r"`[^`\n]*`", "", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL))
    return tuple(next(filter(None, found)) for found in LINK.findall(text))


@cache
def anchors(page: Path) -> set[str]:
    """Of its headings, as GitHub and the site make them."""
    found = re.findall(
        r"^#+ (.*)$", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL), re.MULTILINE
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in found}


@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_links_of_a_page_lead_somewhere(file: Path) -> None:
    for link in links(file):
        if re.match(r"https?:|mailto:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (file.parent / path).resolve() if path else file
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_other_sites_that_are_linked_to_are_listed() -> None:
    """For someone to look through now and then: nothing here asks the network."""
    found = {link for page in PAGES for link in links(page) if link.startswith("http")}
    assert sorted(found) == LIST.read_text().split()


def test_readme_is_short_and_leads_to_five_pages() -> None:
    lines = (ROOT / "README.md").read_text().splitlines()
    assert len(lines) <= 45
    pages = [link for link in links(ROOT / "README.md") if link.endswith(".md")]
    assert [page.removeprefix("docs/") for page in pages] == [
        *("tutorial.md", "how-it-works.md", "deployment.md", "recipes/index.md", "threat-model.md"),
    ]


def test_every_page_is_reached_from_readme_or_the_index() -> None:
    listed = re.findall(r"```{toctree}\n(.*?)```", INDEX.read_text(), re.DOTALL)
    names = [
        line for each in listed for line in each.split("\n") if line and not line.startswith(":")
    ]
    reached, waiting = set(), [ROOT / "README.md", INDEX, *(DOCS / f"{name}.md" for name in names)]
    while waiting:
        page = waiting.pop()
        if page not in reached and page.suffix == ".md":
            reached.add(page)
            local = [link.partition("#")[0] for link in links(page) if not link.startswith("http")]
            waiting += [(page.parent / link).resolve() for link in local if link]
    included = {DOCS / "changes.md", DOCS / "measurements.md"}
    designs = {page for page in PAGES if page.parent == DOCS / "designs"}
    assert {page for page in PAGES if DOCS in page.parents} - reached <= included | designs
