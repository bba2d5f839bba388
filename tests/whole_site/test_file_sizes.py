"""A file above the limit is called too large at every door of the site, and the message names the limit."""

from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from features.invitations import roster
from features.response_import.tests.test_import_sizes import FORMATS, too_large, write_large_files
from features.translation import table as translation_table
from features.xlsform import reader
from surveys.authoring.files import any_file, choice_list
from surveys.site.errors import Invalid, Unreadable
from tests.api.test_reading import client_of
from tests.factories.surveys import create_draft

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bytes]:
    return write_large_files(tmp_path_factory.mktemp("large"))


@pytest.mark.parametrize("name", FORMATS)
class TestAFileOfAnswers:
    def test_is_called_too_large_as_a_list_of_people(
        self, name: str, content: Callable[[str], bytes]
    ) -> None:
        with pytest.raises(Invalid) as raised:
            roster.parse_people(content(name))
        assert raised.value.errors["people"].startswith(too_large(name))


@pytest.mark.parametrize("is_form", [True, False])
@pytest.mark.parametrize(
    ("address", "most", "kind"),
    [
        ("xlsform/", "5,000,000", "text/csv"),
        ("files/", "1,500,000", "application/octet-stream"),
        ("surveys/{slug}/texts.csv", "1,900,000", "text/csv"),
    ],
)
def test_a_file_above_the_limit_of_the_api_is_called_too_large(
    address: str, most: str, kind: str, is_form: bool
) -> None:
    survey = create_draft()
    client = client_of(survey.owner)
    data = b"x" * (int(most.replace(",", "")) + 70_000)
    method = "PUT" if "slug" in address else "POST"
    body = (
        encode_multipart(BOUNDARY, {"file": SimpleUploadedFile("a.csv", data)}) if is_form else data
    )

    kind = MULTIPART_CONTENT if is_form else kind
    answer = client.generic(
        method, f"/api/v1/{address.format(slug=survey.slug)}", body, content_type=kind
    )

    assert (answer.status_code, answer.json()["type"]) == (413, "/problems/too-large")
    assert answer.json()["detail"] == f"The file is too large: it can have at most {most} bytes."


def test_lists_and_forms_above_the_limit_are_called_too_large() -> None:
    survey = create_draft()
    readers = {
        3_000_000: roster.parse_people,
        1_900_000: lambda data: choice_list.choices(data, "towns.csv"),
        1_900_001: lambda data: translation_table.take(survey, data[:-1], survey.owner),
        5_000_000: lambda data: reader.read(data, "form.xlsx"),
        5_000_001: lambda data: any_file.bring(data[:-1], survey.owner, "form.xlsx"),
        6_000_000: lambda data: any_file.bring(data, survey.owner, "survey.json"),
    }
    for most, read in readers.items():
        with pytest.raises((Invalid, Unreadable)) as raised:
            read(b"x" * (most + 1))
        assert (
            str(raised.value)
            == f"The file is too large: it can have at most {most // 10 * 10:,} bytes."
        )
