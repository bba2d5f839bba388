"""What the feature adds to pages of the core: the columns of a form, and its download."""

from typing import Any

from django.http import HttpRequest

from features.xlsform import question_types
from surveys.extensions import Section
from surveys.models import Survey


def _columns(request: HttpRequest, survey: Survey | None) -> dict[str, Any]:
    return {"designs": question_types.designs()}


COLUMNS = Section("import", "xlsform", "xlsform/columns.html", _columns)
DOWNLOAD = Section("files.survey", "xlsform", "xlsform/row.html")
