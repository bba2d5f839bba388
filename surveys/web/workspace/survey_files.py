"""The page that makes a draft from a file, and the files of a survey."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from surveys.accounts.access import Right
from surveys.authoring.files import any_file, survey_file
from surveys.models import Survey
from surveys.site.errors import Unreadable
from surveys.web.said import message_page
from surveys.web.workspace.access import own_page, survey_page
from surveys.web.workspace.forms import ImportForm
from surveys.web.workspace.sections import rendered


@survey_page(Right.SEE)
@require_safe
def as_json(request: HttpRequest, survey: Survey) -> HttpResponse:
    response = HttpResponse(
        survey_file.as_text(survey), content_type="application/json; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{survey.slug}.json"'
    return response


@own_page
def bring(request: HttpRequest) -> HttpResponse:
    """A survey from its JSON, or from a format that a feature reads, as a file or as text."""
    form = ImportForm(request.POST if request.method == "POST" else None)
    if form.is_bound:
        try:
            survey, notes = _brought(request, form)
        except Unreadable as wrong:
            form.full_clean()
            for line in wrong.lines[:50]:
                form.add_error("file" if request.FILES.get("file") else "text", line)
        else:
            if notes:
                left_out = "Some of the form was left out or changed:"
                then = reverse("workspace:survey", args=[survey.slug]), "Open the draft"
                return message_page(
                    request, "The survey is imported as a draft", left_out, things=notes, then=then
                )
            messages.success(request, "The survey is now your draft.")
            return redirect("workspace:survey", survey.slug)
    context: dict[str, Any] = {"form": form}
    context["sections"] = rendered("import", request, None, context)
    return render(request, "workspace/import.html", context, status=422 if form.errors else 200)


def _brought(request: HttpRequest, form: ImportForm) -> tuple[Survey, list[str]]:
    """The draft, and what could not be taken over into it. A chosen file goes before what stands in the field."""
    file = request.FILES.get("file")
    if file is None:
        return any_file.bring(form.typed("text").encode(), request.user)
    return any_file.bring(file.read(any_file.largest_size() + 1), request.user, file.name)
