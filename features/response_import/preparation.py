"""The page that freezes an import-only survey, so that files of responses can be checked against it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from surveys.accounts.access import Right
from surveys.authoring.planning.overview import of_paper
from surveys.definition.freezing import build_definition
from surveys.fieldwork import lifecycle
from surveys.models import Survey
from surveys.site.errors import Refused
from surveys.web.workspace.access import survey_page


@survey_page(Right.WRITE)
def prepare(request: HttpRequest, survey: Survey) -> HttpResponse:
    if request.method == "POST":
        lifecycle.lock_questions(survey, request.user, read=request.POST.get("instrument", ""))
        messages.success(request, "The survey is prepared. Now import the responses.")
        return redirect("workspace:survey", survey.slug)
    if not (survey.import_only and survey.is_draft):
        raise Refused("Only the draft of an import-only survey can be prepared for import.")
    frozen = build_definition(survey)
    context = {"survey": survey, "paper": frozen, "overview": of_paper(frozen, survey)}
    return render(request, "response_import/preparation.html", context)
