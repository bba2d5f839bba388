"""The administration's lists read what they show, not what is stored."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.filling import fill
from tests.making import published, researcher

pytestmark = pytest.mark.django_db


def test_the_list_of_batches_reads_no_batch() -> None:
    operator = researcher("olga", is_staff=True, is_superuser=True)
    fill(published(), 30_000)
    client = Client()
    client.force_login(operator)
    with CaptureQueriesContext(connection) as queries:
        page = client.get("/admin/surveys/batch/")
    assert page.content.decode().count("10000") == 3
    assert not any("records" in query["sql"] or '"content"' in query["sql"] for query in queries)
    assert len(queries) <= 6
