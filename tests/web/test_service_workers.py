"""Every address answers a browser that asks for the script of a service worker with the script that removes it."""

import pytest
from django.test import Client

from surveys.site.service_workers import REMOVAL_SCRIPT
from tests.factories import surveys

pytestmark = [pytest.mark.django_db, pytest.mark.once]
ADDRESSES = [
    *(
        "/",
        "/login/",
        "/healthz",
        "/readyz",
        "/admin/",
        "/trust/worker.js",
        "/i/worker.js",
        "/surveys/",
        "/api/v1/",
    ),
    *(
        "/worker.js",
        "/no/such/page/worker.js",
        "/static/worker.js",
        "/static/css/parts.css",
        "/s/nobodyknows/",
    ),
]
ASKED = {"Service-Worker": "script", "Sec-Fetch-Dest": "serviceworker"}


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("redirects_to_https", [False, True])
def test_every_address_answers_with_the_removal_script(
    address, redirects_to_https, settings
) -> None:
    """2. Without a redirect, from no cache, and for a worker of any scope."""
    settings.SECURE_SSL_REDIRECT = redirects_to_https
    response = Client().get(address, headers=ASKED)
    assert response.status_code == 200
    assert response.content.decode() == REMOVAL_SCRIPT
    assert response["Content-Type"] == "text/javascript; charset=utf-8"
    assert response["Cache-Control"] == "no-store"
    assert response["Service-Worker-Allowed"] == "/"
    assert not response.cookies


def test_page_of_a_survey_answers_a_worker_with_the_removal_script_only() -> None:
    address = f"/s/{surveys.create_published().survey.slug}/"
    assert Client().get(address, headers=ASKED).content.decode() == REMOVAL_SCRIPT
    page = Client().get(address)
    assert b"instrument" in page.content
    assert "Service-Worker-Allowed" not in page
