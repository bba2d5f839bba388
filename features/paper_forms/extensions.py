from typing import Any

from django.http import HttpRequest

from features.paper_forms.printed import no_sheet
from surveys.extensions import Section, sections
from surveys.models import Survey


def context(request: HttpRequest, survey: Survey) -> dict[str, Any]:
    return {"no_sheet": no_sheet(survey)}


sections.register(Section("files.documents", "sheet", "paper_forms/row.html", context))
