"""Every design of the catalogue can be written by program, and is read again as it was written."""

from typing import Any

import pytest
from django.test import Client

from features.xlsform.reader import bring
from features.xlsform.writer import as_xlsx
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.design import Design
from surveys.definition.designs.external import ALL_DESIGNS, IMPORT_ONLY_DESIGNS
from surveys.models import Survey
from tests.factories.surveys import create_researcher

COLOURS = ["Red", "Green"]  # as many as the matrix that the catalogue starts with
KINDS = {
    "one": {"kind": "choice", "choices": COLOURS},
    "two": {"kind": "yes-no"},
    "any": {"kind": "any", "choices": COLOURS},
    "ordered": {"kind": "quantity", "minimum": 0, "maximum": 20},
    "text": {"kind": "written", "choices": COLOURS},
}


def asked(design: Design) -> dict[str, Any]:
    own = {"key": design.key.replace("-", "_"), "text": f"By {design.key}?"}
    chances = {"design": design.key, "parameters": design.start}
    return own | chances | KINDS["two" if design.two_answers_only else design.select]


@pytest.mark.django_db
def test_every_design_goes_through_the_api_and_through_xlsform_and_back(client: Client) -> None:
    client.force_login(create_researcher())
    schema = client.get("/api/v1/schema/?format=json").json()["components"]["schemas"]
    letters = schema["Question"]["properties"]["parameters"]["properties"]
    listed = {each["key"]: each for each in client.get("/api/v1/designs/").json()["designs"]}
    assert [*listed] == [*ALL_DESIGNS]
    for key, design in ALL_DESIGNS.items():
        assert key in schema["DesignEnum"]["enum"]
        assert design.parameters.keys() <= letters.keys()
        assert [each["name"] for each in listed[key]["parameters"]] == [*design.parameters]
        assert (listed[key]["import_only"], listed[key]["devices_only"]) == (
            key in IMPORT_ONLY_DESIGNS,
            key == "rappor",
        )

    for designs, import_only in ((DESIGNS, False), (IMPORT_ONLY_DESIGNS, True)):
        questions = sent = [asked(design) for design in designs.values()]
        for _ in range(2):  # what is read can be written
            whole = {"title": "Colours", "import_only": import_only, "questions": sent}
            answer = client.post("/api/v1/surveys/", whole, content_type="application/json")
            assert answer.status_code == 201, answer.content
            sent = client.get(f"/api/v1/surveys/{answer.json()['slug']}/").json()["questions"]
            assert all(
                back.items() >= question.items()
                for back, question in zip(sent, questions, strict=True)
            )

    survey = Survey.objects.filter(import_only=False)[0]
    again, notes = bring(as_xlsx(survey), survey.owner)
    assert notes == []
    fields = ("key", "kind", "design", "parameters")
    assert [*again.questions.values(*fields)] == [*survey.questions.values(*fields)]
    assert again.questions.count() == len(DESIGNS)
