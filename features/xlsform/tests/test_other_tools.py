"""The files of other survey tools are recognised where a form is imported, and what to do with them is said."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from surveys.authoring.files.other_tools import LIMESURVEY, QUALTRICS, SURVEYJS, OtherTool
from surveys.models import Survey
from surveys.site.files.workbook import WORKBOOK_TYPE
from tests.api.test_reading import client_of
from tests.authoring.test_other_tools import FILES
from tests.factories.surveys import create_researcher


@pytest.mark.parametrize(("name", "content", "tool"), FILES)
@pytest.mark.django_db
class TestEveryDoor:
    def test_the_api_for_forms(self, name: str, content: bytes, tool: OtherTool) -> None:
        answer = client_of(create_researcher()).post(
            "/api/v1/xlsform/", content, content_type=WORKBOOK_TYPE
        )
        assert (answer.status_code, answer.json()["errors"]) == (422, {"0": tool.message})

    def test_the_command(self, name: str, content: bytes, tool: OtherTool, tmp_path: Path) -> None:
        create_researcher()
        (tmp_path / name).write_bytes(content)
        with pytest.raises(CommandError, match="Nothing was imported") as wrong:
            call_command("import_xlsform", str(tmp_path / name), owner="ada")
        assert tool.message in str(wrong.value)
        assert not Survey.objects.exists()


def test_what_to_do_is_said() -> None:
    for tool in (LIMESURVEY, QUALTRICS, SURVEYJS):
        assert "XLSForm" in tool.message
        assert "docs/xlsform.md" in tool.message
