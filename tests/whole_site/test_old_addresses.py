"""Links that people kept still lead to the page that took the place of theirs; nothing that is sent there is taken."""

import pytest
from django.test import Client

from surveys.models import Membership, Role
from surveys.web.workspace.old_addresses import moved
from surveys.web.workspace.urls import urlpatterns
from tests.factories.surveys import create_draft, create_researcher

pytestmark = pytest.mark.django_db
TO = {
    **{
        "history/": "settings/#history",
        "schedule/": "settings/#dates",
        "public/": "settings/#results",
    },
    **{
        "webhooks/": "settings/#webhooks",
        "team/": "people/#team",
        "export/": "files/",
        "edit/": "welcome/",
    },
    **{
        "sender/": "welcome/#sender",
        "data-protection/": "welcome/#data-protection",
        "rehearsal/": "simulation/",
    },
    "report/groups/": "compare/",
    "report/analysis/": "compare/linked/",
}


def test_the_table_is_short_and_whole() -> None:
    addresses = {
        str(each.pattern).removeprefix("<slug:slug>/")
        for each in urlpatterns
        if each.callback is moved
    }
    assert set(TO) == addresses
    assert len(addresses) <= 12


@pytest.mark.parametrize("address", TO)
def test_an_old_address_leads_on_with_its_query(client: Client, address: str) -> None:
    ada, bob = create_researcher("ada"), create_researcher("bob")
    survey = create_draft(ada)
    Membership.objects.create(survey=survey, user=bob, role=Role.ANALYST)
    at, (page, _, part) = f"/surveys/{survey.slug}/", TO[address].partition("#")
    for person in (ada, bob):
        client.force_login(person)
        response = client.get(f"{at}{address}?page=2&n=3")
        assert (response.status_code, response["Location"]) == (
            302,
            f"{at}{page}?page=2&n=3{'#' if part else ''}{part}",
        )
        assert (
            client.post(f"{at}{address}", {"public": "yes", "role": "analyst"}).status_code == 404
        )
    client.force_login(create_researcher("eve"))
    assert client.get(f"{at}{address}").status_code == 404
    client.logout()
    assert client.get(f"{at}{address}")["Location"].startswith("/login/")


@pytest.mark.parametrize("address", TO)
def test_whoever_is_sent_there_finds_that_part(client: Client, address: str) -> None:
    survey = create_draft(create_researcher("ada"))
    client.force_login(survey.owner)
    page = client.get(f"/surveys/{survey.slug}/{address}", {"n": 2}, follow=True)
    part = TO[address].partition("#")[2]
    if address not in {
        "rehearsal/",
        "report/groups/",
        "report/analysis/",
    }:  # a draft without a question has nothing there
        assert page.status_code == 200
        assert not part or f'id="{part}"' in page.content.decode()
