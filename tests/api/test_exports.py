"""The files of a survey by program and from the workspace: the same bytes, for those who may have them."""

import pytest
from django.test import Client

from surveys.definition.parsing import parse_instrument
from surveys.export import files as all_files, find_file
from surveys.models import Event, Instrument, Membership
from tests.api.test_reading import client_of, url
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import create_draft, create_published, create_researcher

pytestmark = pytest.mark.django_db
NAMES = [file.name for file in all_files()]


@pytest.fixture
def filled() -> Instrument:
    instrument = create_published()
    add_invented_responses(instrument, 40)
    return instrument


@pytest.mark.parametrize("name", NAMES)
def test_api_and_workspace_give_the_same_bytes(filled: Instrument, name: str) -> None:
    answer = client_of(filled.survey.owner).get(url(filled, f"export/{name}"))
    pages = Client()
    pages.force_login(filled.survey.owner)
    page = pages.get(f"/surveys/{parse_instrument(filled).survey}/export/{name}")
    assert answer.getvalue() == page.getvalue() == b"".join(find_file(name).stream(filled))
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    assert answer["Cache-Control"] == "private, no-store"
    assert answer["Content-Type"] == find_file(name).media_type
    assert "private" in page["Cache-Control"]


def test_whoever_may_not_have_rows_gets_the_rest_only(filled: Instrument) -> None:
    analyst = create_researcher("ann")
    Membership.objects.create(survey=filled.survey, user=analyst, role="analyst")
    client, pages = client_of(analyst), Client()
    pages.force_login(analyst)
    for file in all_files():
        assert client.get(url(filled, f"export/{file.name}")).status_code == (
            403 if file.has_rows else 200
        )
    page = pages.get(f"/surveys/{parse_instrument(filled).survey}/files/").content.decode()
    assert all(f"/export/{file.name}" in page for file in all_files() if not file.has_rows)
    assert "everything.zip" not in page


def test_a_download_of_rows_is_written_into_the_history(filled: Instrument) -> None:
    client = client_of(filled.survey.owner)
    client.get(url(filled, "export/codebook.md"))
    assert not Event.objects.filter(what="exported").exists()
    client.get(url(filled, "export/responses.csv"))
    assert Event.objects.get(what="exported").detail == "responses.csv"


def test_other_forms_and_forms_of_other_files_are_refused(filled: Instrument) -> None:
    client, pages = client_of(filled.survey.owner), Client()
    pages.force_login(filled.survey.owner)
    answer = client.get(url(filled, "export/responses.csv?form=loose"))
    assert (answer.status_code, answer.json()["detail"]) == (
        400,
        "form is “loose”. Allowed: labels.",
    )
    assert client.get(url(filled, "export/responses.csv?marks=packed")).status_code == 400
    assert (
        pages.get(
            f"/surveys/{parse_instrument(filled).survey}/export/responses.csv?marks=packed"
        ).status_code
        == 404
    )


def test_a_draft_has_no_files() -> None:
    survey = create_draft()
    assert (
        client_of(survey.owner).get(f"/api/v1/surveys/{survey.slug}/export/codebook.md").status_code
        == 404
    )


def test_a_program_that_leaves_in_mid_stream_ends_the_reading(
    filled: Instrument, monkeypatch
) -> None:
    """Closing the response closes the generator, and with it the database's cursor: no worker goes on for nobody."""
    monkeypatch.setattr("tests.factories.many_responses.BATCH_SIZE", 10)
    add_invented_responses(filled, 200)
    answer = client_of(filled.survey.owner).get(url(filled, "export/responses.csv"))
    pieces = iter(answer)
    assert next(pieces).startswith(b"tax,")
    next(pieces)
    answer.close()
    with pytest.raises(StopIteration):
        next(pieces)


def test_the_page_lists_every_file(filled: Instrument) -> None:
    pages = Client()
    pages.force_login(filled.survey.owner)
    page = pages.get(f"/surveys/{parse_instrument(filled).survey}/files/").content.decode()
    assert all(f'/export/{name}" download' in page for name in NAMES)
    formats = [name for name in NAMES if name.startswith(("responses", "codebook", "README"))]
    assert f"All {len(formats) + 1} formats" in page  # and the CSV for spreadsheets
    assert "40 responses, one a row" in page
