"""The page on which an author lets everybody read the results of a closed survey, or takes them back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from surveys.accounts.access import Right
from surveys.definition.instrument import paper
from surveys.models import Survey
from surveys.results.report.publication import NOT_OVER, set_public
from surveys.site.errors import Refused
from surveys.web.workspace.access import survey_page


@survey_page(Right.WRITE)
def public(request: HttpRequest, survey: Survey) -> HttpResponse:
    if not survey.is_over:
        raise Refused(NOT_OVER)
    if request.method == "POST":
        wanted = request.POST.get("public") == "yes"
        set_public(survey, request.user, public=wanted)
        messages.success(request, "Everybody can read the results now." if wanted else "The results are taken back.")
        return redirect("workspace:public", survey.slug)
    address = request.build_absolute_uri(reverse("results", args=[survey.slug]))
    context = {"survey": survey, "address": address, "questions": paper(survey.instrument).items}
    return render(request, "workspace/public.html", context)
