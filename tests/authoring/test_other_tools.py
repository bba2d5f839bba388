"""The files of other survey tools are recognised at every door that takes a survey's file."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from surveys import extensions
from surveys.authoring.files import survey_file
from surveys.authoring.files.other_tools import (
    LIMESURVEY,
    QUALTRICS,
    SURVEYJS,
    OtherTool,
    recognised,
)
from tests.api.test_reading import client_of
from tests.factories.malicious_workbooks import build_zip
from tests.factories.surveys import add_yes_no, create_draft, create_researcher

LSS = (
    b'\xef\xbb\xbf<?xml version="1.0" encoding="UTF-8"?>\n<document>\n <LimeSurveyDocType>Survey</LimeSurveyDocType>\n'
    b" <DBVersion>623</DBVersion>\n</document>\n"
)
TABLE = b"\xef\xbb\xbf" + b"\t".join(
    b'"%s"' % name
    for name in (b"id", b"related_id", b"class", b"type/scale", b"name", b"relevance", b"text")
)
OLD_TABLE = b"class\ttype/scale\tname\trelevance\ttext\thelp\tlanguage\nS\t\tsid\t1\t123"
DEEP = {"Payload": {"Flow": [{"a": {"b": {"c": {"d": [{"e": {}}]}}}}]}}
QSF = json.dumps({"SurveyEntry": {"SurveyID": "SV_1"}, "SurveyElements": [DEEP]}).encode()
PAGES = {
    "pages": [
        {"name": "page1", "elements": [{"type": "radiogroup", "name": "q1", "choices": ["a", "b"]}]}
    ]
}
FILES = [
    ("survey.lss", LSS, LIMESURVEY),
    ("survey.txt", TABLE, LIMESURVEY),
    ("survey.tsv", OLD_TABLE, LIMESURVEY),
    ("survey.lsa", build_zip({"survey_123.lss": LSS}), LIMESURVEY),
    ("survey.qsf", QSF, QUALTRICS),
    ("survey.json", json.dumps(PAGES, indent=2).encode(), SURVEYJS),
    ("survey.json", b'{"elements": [{"type": "boolean", "name": "x"}]}', SURVEYJS),
]


@pytest.mark.parametrize(("name", "content", "tool"), FILES)
@pytest.mark.django_db
class TestEveryDoor:
    def test_the_workspace(self, name: str, content: bytes, tool: OtherTool) -> None:
        client = Client()
        client.force_login(create_researcher())
        page = client.post("/surveys/import/", {"file": SimpleUploadedFile(name, content)})
        assert page.status_code == 422
        assert page.context["form"].errors == {"file": [tool.message]}
        assert tool.message in page.content.decode()

    def test_the_workspace_with_pasted_text(
        self, name: str, content: bytes, tool: OtherTool
    ) -> None:
        if name.endswith("lsa"):
            return
        client = Client()
        client.force_login(create_researcher())
        page = client.post("/surveys/import/", {"text": content.decode()})
        assert page.status_code == 422
        assert tool.message in page.content.decode()

    def test_the_api_for_files(self, name: str, content: bytes, tool: OtherTool) -> None:
        answer = client_of(create_researcher()).post(
            "/api/v1/files/", content, content_type="application/json"
        )
        assert (answer.status_code, answer.json()["errors"]) == (422, {"0": tool.message})


@pytest.mark.parametrize(
    ("name", "tool"), [("a.LSS", LIMESURVEY), ("a.lsq", LIMESURVEY), ("a.qsf", QUALTRICS)]
)
def test_a_name_is_enough(name: str, tool: OtherTool) -> None:
    assert recognised(b"broken", name) == tool.message


def test_no_steps_are_named_without_a_format_into_which_a_survey_can_be_copied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(extensions, "survey_formats", ())
    assert (
        recognised(b"broken", "a.qsf")
        == "This is a Qualtrics file (.qsf), which Candor can’t import."
    )


@pytest.mark.django_db
def test_a_survey_of_our_own_is_no_neighbour() -> None:
    survey = create_draft(title='"pages": [{"type": "text"')
    add_yes_no(survey, key="elements")
    text = survey_file.as_text(survey)
    assert recognised(text) == ""
    assert recognised(json.dumps(survey_file.parse(text))) == ""


def test_many_brackets_take_no_time() -> None:
    assert recognised('{"x": "' + '"pages":' * 100_000) == ""
