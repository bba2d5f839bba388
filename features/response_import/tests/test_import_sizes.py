"""A file above the limit is called too large on every way in, and the message names the limit."""

import io
import math
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import httpx
import numpy as np
import pandas as pd
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from candor_client import Candor, Problem
from config.wsgi import application
from features.response_import import staging
from features.response_import.tests.import_files import GOOD, csv, problems
from surveys.accounts.tokens import issue_token
from surveys.models import Batch, Import
from surveys.site.files.sizes import LARGEST_WHOLE_FILE
from tests.api.test_reading import client_of
from tests.factories.import_surveys import create_import_survey
from tests.factories.xlsx import build_xlsx

pytestmark = [pytest.mark.django_db, pytest.mark.once]
CALLED = {
    "xlsx": ("a workbook", "A workbook"),
    "parquet": ("a Parquet file", "A Parquet file"),
    "sav": ("an SPSS file", "An SPSS, Stata or SAS file"),
    "dta": ("a Stata file", "An SPSS, Stata or SAS file"),
}
FORMATS = [*CALLED]
ROWS = 170_000  # of eight bytes each


def too_large(name: str, size: int = 0) -> str:
    """Return what is said of a file of this size, which is 0 where it is not known."""
    of_size = f"The file is {math.ceil(10 * size / 1_048_576) / 10} MB."
    how_large = of_size if size else "The file is larger than 1 MB."
    return f"{how_large} {CALLED[name][1]} can be at most 1 MB. Save it as CSV, which can be any length."


def workbook() -> bytes:
    """Return a workbook with a picture, which makes it large."""
    file = io.BytesIO(build_xlsx({"Data": [["tax"], [1], [0]]}))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("xl/media/picture.png", np.random.default_rng(1).bytes(1_200_000))
    return file.getvalue()


def write_large_files(folder: Path) -> Callable[[str], bytes]:
    """Return a function that gives a healthy file of a format which is larger than the limit."""
    import pyreadstat

    numbers = pd.DataFrame({"tax": np.random.default_rng(1).random(ROWS)})
    pyreadstat.write_sav(numbers, folder / "sav")
    pyreadstat.write_dta(numbers, folder / "dta")
    numbers.to_parquet(folder / "parquet")
    (folder / "xlsx").write_bytes(workbook())

    def read(name: str) -> bytes:
        data = (folder / name).read_bytes()
        assert len(data) > LARGEST_WHOLE_FILE
        return data

    return read


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bytes]:
    return write_large_files(tmp_path_factory.mktemp("large"))


@pytest.mark.parametrize("name", FORMATS)
class TestAFileOfAnswers:
    def test_is_called_too_large_by_the_page(
        self, name: str, content: Callable[[str], bytes]
    ) -> None:
        """With a script the browser sends as much of the file as a part may have; without one it sends all."""
        survey = create_import_survey()
        client = Client()
        client.force_login(survey.owner)
        address = f"/surveys/{survey.slug}/import/"
        start = SimpleUploadedFile("start.csv", content(name)[: staging.PART])
        size = len(content(name))
        whole = SimpleUploadedFile(f"a.{name}", content(name))

        with_script = client.post(address, {"do": "look", "cut": "1", "size": size, "file": start})
        without_script = client.post(address, {"do": "look", "file": whole})

        for answer in (with_script, without_script):
            assert answer.status_code == 422
            assert too_large(name, size) in answer.content.decode()

    def test_is_called_too_large_by_the_api(
        self, name: str, content: Callable[[str], bytes]
    ) -> None:
        survey = create_import_survey()
        client, address = client_of(survey.owner), f"/api/v1/surveys/{survey.slug}/imports/"
        for parts in (None, 2):
            begun = client.post(
                address, {"parts": parts} if parts else {}, content_type="application/json"
            ).json()
            part = f"{address}{begun['id']}/parts/1/"
            answer = client.put(
                part, content(name)[: staging.PART], content_type="application/octet-stream"
            ).json()
            assert answer["state"] == "wrong"
            assert answer["problems"][0]["message"].startswith(too_large(name))
            assert client.delete(f"{address}{begun['id']}/").status_code == 204

    def test_is_told_to_come_in_one_part_where_it_was_cut(
        self, name: str, content: Callable[[str], bytes]
    ) -> None:
        survey = create_import_survey()
        client, address = client_of(survey.owner), f"/api/v1/surveys/{survey.slug}/imports/"
        called, _ = CALLED[name]
        damaged = (
            f"This is {called}, but it can’t be read to the end. Save it again, or save it as CSV. "
        )
        for parts, words in ((None, damaged), (2, "")):
            begun = client.post(
                address, {"parts": parts} if parts else {}, content_type="application/json"
            ).json()
            part = f"{address}{begun['id']}/parts/1/"
            answer = client.put(
                part, content(name)[:500_000], content_type="application/octet-stream"
            ).json()
            capitalized = f"{called[0].upper()}{called[1:]}"
            expected = f"{words}{capitalized} must be sent in one part, of at most 1 MB."
            assert answer["problems"][0]["message"].startswith(expected)

    def test_is_called_too_large_by_command_and_client(
        self,
        name: str,
        content: Callable[[str], bytes],
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        survey, path = create_import_survey(), tmp_path / f"a.{name}"
        path.write_bytes(content(name))
        with pytest.raises(CommandError, match=re.escape(too_large(name, len(content(name))))):
            call_command("import_responses", survey.slug, str(path))

        monkeypatch.setattr(Candor, "transport", httpx.WSGITransport(app=application))
        token = issue_token(survey.owner, "laptop", ["write"])
        candor = Candor("http://localhost", token)
        assert problems(survey, content(name))[0][2].startswith(too_large(name))
        with pytest.raises(Problem) as raised:
            candor.import_responses(survey.slug, path)
        assert too_large(name) in str(raised.value.errors)
        assert not Batch.objects.exists()


def test_a_text_of_answers_may_be_larger_than_a_part() -> None:
    survey = create_import_survey()
    client = Client()
    client.force_login(survey.owner)
    data = csv(*GOOD * 40_000)

    answer = client.post(
        f"/surveys/{survey.slug}/import/", {"do": "look", "file": SimpleUploadedFile("a.csv", data)}
    )

    assert len(data) > 1_048_576
    said = "The file is too large: it can have at most 1,048,576 bytes. Split the file, or switch JavaScript on"
    assert said in answer.content.decode()


@pytest.mark.parametrize("is_form", [True, False])
def test_a_part_above_the_limit_is_told_what_to_do(is_form: bool) -> None:
    survey = create_import_survey()
    client, address = client_of(survey.owner), f"/api/v1/surveys/{survey.slug}/imports/"
    begun = client.post(address, {}, content_type="application/json").json()
    data = b"x" * 1_200_000
    body = (
        encode_multipart(BOUNDARY, {"file": SimpleUploadedFile("a.csv", data)}) if is_form else data
    )

    kind = MULTIPART_CONTENT if is_form else "text/csv"
    answer = client.put(f"{address}{begun['id']}/parts/1/", body, content_type=kind)

    assert (answer.status_code, answer.json()["type"]) == (413, "/problems/too-large")
    assert "The file is too large: it can have at most 1,048,576 bytes." in answer.json()["detail"]
    assert Import.objects.get().parts == 0
