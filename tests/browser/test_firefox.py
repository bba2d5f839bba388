"""That nothing tells two truths apart, in another browser. Numbers in docstrings: lines of docs/threat-model.md."""

import json
from pathlib import Path

import pytest

from tests.browser import firefox
from tests.browser.conftest import Site
from tests.browser.respondent_steps import address
from tests.browser.survey_walk import FIXED, MAKE, NETWORK, REPORTS, TRUTHS, WALK

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        firefox.find() is None, reason="there is no Firefox here: install the package firefox-esr"
    ),
]
LEAK = 'addEventListener("submit", () => { sessionStorage.draft ??= document.querySelector("#q-tax-1").checked; });'


def traces(site: Site, slug: str, truth: dict[str, int], profile: Path, script: str = "") -> dict:
    with firefox.tab(profile) as tab:
        tab.before_every_page(FIXED + NETWORK + script)
        tab.goto(address(site, slug))
        loaded = len(tab.requests)
        found = json.loads(tab.evaluate(WALK, json.dumps(truth)))
        later = [
            url for _, url in tab.requests[loaded:] if not url.endswith(".svg")
        ]  # the icon comes when it likes
        return found | {"asked": sorted(tab.requests), "asked after loading": later}


@pytest.fixture(scope="module")
def slug(site: Site) -> str:
    return site.shell(MAKE.format(name="walked in Firefox", language="en"))


def test_two_truths_with_the_same_report_leave_the_same_traces_in_firefox(
    site: Site, slug: str, tmp_path: Path
) -> None:
    """11. Storage, cookies, address, history, title, document, controls and requests, at every step."""
    first, *others = (
        traces(site, slug, truth, tmp_path / str(n)) for n, truth in enumerate(TRUTHS)
    )
    assert first["step"] == "sent"
    assert first["asked after loading"] == []  # Send itself is played inside the page
    assert [json.loads(options["body"])["reports"] for _, options in first["posted"]] == 3 * [
        REPORTS
    ]
    for other in others:
        assert other == first


def test_a_leak_is_caught_in_firefox(site: Site, slug: str, tmp_path: Path) -> None:
    """11. The comparison above would find one."""
    first, second = (
        traces(site, slug, truth, tmp_path / str(n), LEAK) for n, truth in enumerate(TRUTHS[:2])
    )
    assert first != second
