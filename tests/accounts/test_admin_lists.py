"""The administration's lists read what they show, and show no response."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.arriving import drop_in
from tests.making import published, researcher

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(researcher("olga", is_staff=True, is_superuser=True))
    return client


@pytest.mark.parametrize("model", ["response", "held", "batch"])
def test_what_respondents_sent_has_no_list(operator: Client, model: str) -> None:
    drop_in(published(), 1)
    assert operator.get(f"/admin/surveys/{model}/").status_code == 404


def test_the_list_of_instruments_reads_none(operator: Client) -> None:
    published()
    with CaptureQueriesContext(connection) as queries:
        assert operator.get("/admin/surveys/instrument/").status_code == 200
    assert not any('"content"' in query["sql"] or '"tally"' in query["sql"] for query in queries)
