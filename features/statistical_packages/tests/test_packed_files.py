"""The Parquet file with packed marks, by program and from the workspace."""

import pytest
from django.test import Client

from surveys.definition.parsing import parse_instrument
from surveys.export import find_file
from surveys.models import Event, Instrument
from tests.api.test_reading import client_of, url
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import create_published

pytestmark = pytest.mark.django_db


@pytest.fixture
def filled() -> Instrument:
    instrument = create_published()
    add_invented_responses(instrument, 40)
    return instrument


def test_packed_marks_are_a_form_of_the_parquet_file_for_programs(filled: Instrument) -> None:
    expected = b"".join(find_file("responses-packed.parquet").stream(filled))
    client, pages = client_of(filled.survey.owner), Client()
    pages.force_login(filled.survey.owner)
    address = f"/surveys/{parse_instrument(filled).survey}/export/"
    for answer in (
        client.get(url(filled, "export/responses.parquet?marks=packed")),
        client.get(url(filled, "export/responses.parquet?form=packed")),
        client.get(url(filled, "export/responses-packed.parquet")),
        pages.get(f"{address}responses.parquet?marks=packed"),
        pages.get(f"{address}responses.parquet?form=packed"),
        pages.get(f"{address}responses-packed.parquet"),
    ):
        assert answer.getvalue() == expected
        assert answer["Content-Disposition"] == 'attachment; filename="responses-packed.parquet"'
    assert {event.detail for event in Event.objects.filter(what="exported")} == {
        "responses-packed.parquet"
    }
    page = pages.get(f"/surveys/{parse_instrument(filled).survey}/files/").content.decode()
    assert "responses.parquet" in page
    assert "packed" not in page  # it is for programs


def test_other_marks_are_refused(filled: Instrument) -> None:
    answer = client_of(filled.survey.owner).get(url(filled, "export/responses.parquet?form=loose"))
    assert (answer.status_code, answer.json()["detail"]) == (
        400,
        "form is “loose”. Allowed: packed.",
    )
