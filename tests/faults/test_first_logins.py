"""Two first logins of one person at once, through an organization’s provider: one account, and both are logged in."""

import threading
from collections.abc import Iterator

import httpx
import pytest

from tests.accounts.forged_provider import Forged, forging
from tests.faults.conftest import Site


@pytest.fixture
def forged() -> Iterator[Forged]:
    with forging() as forged:
        yield forged


def test_one_account_is_made(site: Site, forged: Forged) -> None:
    forged.claims = {"preferred_username": "ada"}
    site.environment |= {"DEBUG": "1", "OIDC_ISSUER": forged.issuer, "OIDC_ADMIT": "*"}
    site.environment |= {"OIDC_CLIENT_ID": "candor", "OIDC_CLIENT_SECRET": "secret"}
    site.start()
    browsers = [
        httpx.Client(base_url=f"http://127.0.0.1:{site.port}", timeout=60) for _ in range(4)
    ]
    answers = [
        forged.log_in(browser.get("/login/provider/").headers["Location"]) for browser in browsers
    ]
    ready, statuses = threading.Barrier(len(browsers)), []

    def come_back(browser: httpx.Client, answer: dict[str, str]) -> None:
        ready.wait()
        statuses.append(browser.get("/login/provider/back/", params=answer).status_code)

    threads = [
        threading.Thread(target=come_back, args=pair)
        for pair in zip(browsers, answers, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [302] * len(browsers), (site.folder / "log").read_text()
    for browser in browsers:
        assert '<a href="/account/"><bdi>ada</bdi></a>' in browser.get("/surveys/").text
