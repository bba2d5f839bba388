"""The sheet of a survey that is answered on paper, made for print, and the table into which it is typed."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language_info
from django.views.decorators.http import require_safe

from features.paper_forms import printed as sheet
from surveys.accounts.access import Right
from surveys.models import Survey
from surveys.web.widgets import Languages
from surveys.web.workspace.access import survey_page


class LanguageForm(forms.Form):
    language = forms.Field(required=False, label="Language of the sheet", widget=Languages())


@survey_page(Right.SEE)
@require_safe
def show(request: HttpRequest, survey: Survey) -> HttpResponse:
    """In the language that ?language= names, else in the survey's first."""
    printed = sheet.sheet(survey, request.GET.get("language", ""))
    code, names = printed.paper.language, dict(Survey.Language.choices)
    form = LanguageForm(initial={"language": code})
    form.fields["language"].widget.choices = [(each, names[each]) for each in survey.languages]
    context = {
        "survey": survey,
        "paper": printed.paper,
        "parts": printed.parts,
        "form": form,
        "code": code,
        "first": names[survey.language],
        "dir": "rtl" if get_language_info(code)["bidi"] else "ltr",
    }
    return render(request, "paper_forms/sheet.html", context)


@survey_page(Right.SEE)
@require_safe
def entry(request: HttpRequest, survey: Survey, table: sheet.EntryTable) -> HttpResponse:
    response = HttpResponse(table.of(survey), content_type=table.media_type)
    response["Content-Disposition"] = f'attachment; filename="{survey.slug}-entry.{table.form}"'
    return response
