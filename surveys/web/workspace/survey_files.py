"""Pages that start a survey from something: a file, or a ready instrument; and the file of a survey."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from features.survey_templates import catalogue as ready
from features.xlsform import question_types
from features.xlsform.writer import WORKBOOK, as_xlsx
from surveys.accounts.access import Right
from surveys.authoring.files import any_file, survey_file
from surveys.fieldwork.page import rendered
from surveys.models import Survey
from surveys.site.errors import Unreadable
from surveys.site.headers import answer
from surveys.site.page_program import PAGE
from surveys.web.said import said
from surveys.web.workspace.access import own_page, survey_page
from surveys.web.workspace.forms import ImportForm


@survey_page(Right.SEE)
@require_safe
def as_json(request: HttpRequest, survey: Survey) -> HttpResponse:
    response = HttpResponse(survey_file.as_text(survey), content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{survey.slug}.json"'
    return response


@survey_page(Right.SEE)
@require_safe
def as_xlsform(request: HttpRequest, survey: Survey) -> HttpResponse:
    response = HttpResponse(as_xlsx(survey), content_type=WORKBOOK)
    response["Content-Disposition"] = f'attachment; filename="{survey.slug}.xlsx"'
    return response


@own_page
def bring(request: HttpRequest) -> HttpResponse:
    """A survey from its JSON or from an XLSForm, as a file or as text."""
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
                return said(request, "The survey is imported as a draft", left_out, things=notes, then=then)
            messages.success(request, "The survey is now your draft.")
            return redirect("workspace:survey", survey.slug)
    shown = {"form": form, "designs": question_types.designs()}
    return render(request, "workspace/import.html", shown, status=422 if form.errors else 200)


def _brought(request: HttpRequest, form: ImportForm) -> tuple[Survey, list[str]]:
    """The draft, and what could not be taken over into it. A chosen file goes before what stands in the field."""
    file = request.FILES.get("file")
    if file is None:
        return any_file.bring(form.typed("text").encode(), request.user)
    return any_file.bring(file.read(any_file.LARGEST + 1), request.user, file.name)


@own_page
def start(request: HttpRequest) -> HttpResponse:
    """The ready instruments; POST starts from one."""
    chosen = ready.READY.get(request.POST.get("ready", ""))
    if request.method == "POST" and chosen:
        survey = ready.start(chosen, request.user)
        messages.success(request, "This is your draft. Change anything you like. It is not published.")
        return redirect("workspace:survey", survey.slug)
    return render(request, "survey_templates/ready_instruments.html", {"ready": ready.READY.values()})


@own_page
@require_safe
def look(request: HttpRequest, key: str) -> HttpResponse:
    """What a ready instrument asks, costs and shows, before anybody starts from it."""
    seen = _look(request, key)
    shown = {"look": seen, "ready": key, "survey": seen.survey, "overview": seen.overview}
    return render(request, "survey_templates/ready_instrument.html", shown | {"wanted": seen.ready.target})


@own_page
@require_safe
def look_as_respondent(request: HttpRequest, key: str) -> HttpResponse:
    """The respondents' page that it would have. It sends nothing, and nothing is stored."""
    return _respondents(request, "respondent/survey.html", key, PAGE)


@own_page
@require_safe
def look_at_help(request: HttpRequest, key: str) -> HttpResponse:
    """The page of its help lines."""
    return _respondents(request, "respondent/help.html", key)


def _respondents(request: HttpRequest, template: str, key: str, entry: str = "") -> HttpResponse:
    return answer(request, rendered(template, _look(request, key).paper, entry, preview=True, ready=key))


def _look(request: HttpRequest, key: str) -> ready.Look:
    if key not in ready.READY:
        raise Http404
    return ready.look(ready.READY[key], request.user)
