"""The download of a survey as an XLSForm."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from features.xlsform.writer import as_xlsx
from surveys.accounts.access import Right
from surveys.models import Survey
from surveys.site.files.workbook import WORKBOOK_TYPE
from surveys.web.workspace.access import survey_page


@survey_page(Right.SEE)
@require_safe
def download(request: HttpRequest, survey: Survey) -> HttpResponse:
    response = HttpResponse(as_xlsx(survey), content_type=WORKBOOK_TYPE)
    response["Content-Disposition"] = f'attachment; filename="{survey.slug}.xlsx"'
    return response
