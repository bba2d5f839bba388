"""Files of responses come in by the page, by the API and by the command, with what somebody says of their codes."""

import html
import io
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from features.response_import.tests.import_files import tally
from surveys.accounts.tokens import issue_token
from surveys.models import Batch, Import, Survey

DOORS = ("page", "api", "command")
NO_ANSWER = None
Meanings = dict[str, dict[str, int | None]]  # question key -> code -> its answer, or NO_ANSWER
Send = Callable[..., None]


class Refused(Exception):
    """What a door says. asked: question key -> code -> rows, for the codes that it asks about."""

    def __init__(self, message: str, asked: dict[str, dict[str, int]]) -> None:
        super().__init__(message)
        self.asked = asked


class ImportForm(HTMLParser):
    """The form of the page. typed: name -> what a browser would send, without the file."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.typed: dict[str, str] = {}
        self._is_inside = False
        self._list = ""  # the name of the list that is open
        self._takes_text = False  # an option without a value is its text
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        has = dict(attributes)
        if tag == "form":
            self._is_inside = "data-bring" in has
        name = has.get("name")
        if not self._is_inside or (tag in ("input", "select") and not name):
            return
        if (
            tag == "input"
            and (has.get("type") != "checkbox" or "checked" in has)
            and has.get("type") != "file"
        ):
            self.typed[name or ""] = has.get("value") or ""
        if tag == "select":
            self._list = name or ""
        if tag == "option" and ("selected" in has or self._list not in self.typed):
            self.typed[self._list] = has.get("value") or ""
            self._takes_text = "value" not in has

    def handle_data(self, data: str) -> None:
        if self._takes_text:
            self.typed[self._list] = data
            self._takes_text = False


def mapping_of(meanings: Meanings) -> dict:
    """Return the mapping that gives codes these meanings."""
    questions = {}
    for key, answers in meanings.items():
        texts = {code: answer for code, answer in answers.items() if answer is not None}
        missing = [code for code, answer in answers.items() if answer is None]
        questions[key] = ({"texts": texts} if texts else {}) | (
            {"missing": missing} if missing else {}
        )
    return {"questions": questions, "rows_without_answers": "count"}


def send_by_page(survey: Survey, data: bytes, name: str, meanings: Meanings) -> None:
    """Choose the file, fill in the tables, and add what the preview shows, as somebody does without a script."""
    client = Client()
    client.force_login(survey.owner)
    address = f"/surveys/{survey.slug}/import/"
    looked_at = client.post(address, {"do": "look", "file": SimpleUploadedFile(name, data)})
    page = looked_at.content.decode()
    for key, rows in _asked_on(page).items():
        # Lists that are filled in already are a proposal, which somebody still has to look at.
        if rows.keys() - meanings.get(key, {}).keys():
            raise Refused(html.unescape(page), _asked_on(page))
    typed = ImportForm(page).typed
    for key, answers in meanings.items():
        for code, answer in answers.items():
            assert f"meaning-{key}-{code}" in typed, f"the page does not ask for {code} of {key}"
            typed[f"meaning-{key}-{code}"] = "missing" if answer is None else str(answer)
    typed["do"] = "preview"
    answer = client.post(address, {**typed, "file": SimpleUploadedFile(name, data)})
    if answer.status_code != 302:
        raise Refused(html.unescape(answer.content.decode()), _asked_on(answer.content.decode()))
    client.post(address, {"do": "add", "count": "1", "file": answer["Location"].split("file=")[1]})


def _asked_on(page: str) -> dict[str, dict[str, int]]:
    """Return the codes in the tables of questions that are not clear yet."""
    tables = {}
    for line in re.findall(
        r'<details class="fold" open id="line-(\w+)">(.*?)</details>', page, re.DOTALL
    ):
        key, content = line
        rows = re.findall(
            r'<th class="num" scope="row">(\S+)</th>\s*<td class="num">([\d,]+)</td>', content
        )
        if rows:
            tables[key] = {code: int(count.replace(",", "")) for code, count in rows}
    return tables


def send_by_api(survey: Survey, data: bytes, name: str, meanings: Meanings) -> None:
    client = Client(headers={"Authorization": f"Token {issue_token(survey.owner, name)}"})
    asked = {"mapping": mapping_of(meanings)}
    begun = client.post(
        f"/api/v1/surveys/{survey.slug}/imports/", asked, content_type="application/json"
    )
    assert begun.status_code == 201, begun.json()
    address = f"/api/v1/surveys/{survey.slug}/imports/{begun.json()['id']}/"
    client.put(f"{address}parts/1/", data, content_type="text/csv")
    end = client.post(f"{address}finish/", {"parts": 1}, content_type="application/json")
    if end.status_code != 200:
        assert end.status_code == 422
        client.delete(address)
        raise Refused(json.dumps(end.json(), ensure_ascii=False), end.json().get("codes", {}))


def send_by_command(
    survey: Survey, data: bytes, name: str, meanings: Meanings, folder: Path
) -> None:
    path, mapping = folder / name, folder / "mapping.json"
    path.write_bytes(data)
    mapping.write_text(json.dumps(mapping_of(meanings)))
    try:
        call_command(
            "import_responses", survey.slug, str(path), mapping=str(mapping), stdout=io.StringIO()
        )
    except CommandError as refused:
        asked = {}
        for line in re.findall(r"questions\.(\w+)\.texts: (.*)", str(refused)):
            key, message = line
            rows = re.findall(r"“(-?\d+)” \(([\d,]+) rows?\)", message)
            asked[key] = {code: int(count.replace(",", "")) for code, count in rows}
        raise Refused(str(refused), asked) from refused


def door(request: pytest.FixtureRequest, folder: Path) -> Send:
    """Return the way in that the parameter of a fixture names."""
    if request.param == "command":
        return lambda *sent: send_by_command(*sent, folder)
    return send_by_page if request.param == "page" else send_by_api


def nothing_is_stored(survey: Survey) -> bool:
    return tally(survey) == {} and not Batch.objects.exists() and not Import.objects.exists()
