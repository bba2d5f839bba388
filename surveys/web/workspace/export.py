"""The page from which every file of a survey can be downloaded, and the files."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from surveys.accounts import access
from surveys.authoring.planning.overview import survey_overview
from surveys.definition.parsing import definition_for_readers
from surveys.export import earlier_names, files as all_files
from surveys.export.access import files_for, published
from surveys.export.bundle import contents
from surveys.export.formats import GONE, in_report, lacks, without_room
from surveys.export.readme import has_scripts
from surveys.export.scrambled import NOTE, has_scrambled
from surveys.fieldwork.responses.sealing import seal
from surveys.models import Instrument, Survey
from surveys.site.errors import Refused
from surveys.web.downloads import download
from surveys.web.said import message_page
from surveys.web.workspace.access import refusal_page
from surveys.web.workspace.sections import rendered


@login_required
@require_safe
@cache_control(private=True, no_cache=True)
def files(request: HttpRequest, slug: str) -> HttpResponse:
    """Of a draft, the files of the survey itself; of a published one, to whoever may read its report, the rest too."""
    readable = Instrument.objects.select_related("survey").filter(
        survey__in=access.readable_by(request.user)
    )
    instrument = readable.filter(survey__slug=slug).first()
    survey = (
        instrument.survey if instrument else access.survey_for(request.user, slug, access.Right.SEE)
    )
    rights = access.rights(request.user, survey)
    context = {"survey": survey, "may": {right.name.lower(): True for right in rights}}
    if instrument is None:
        seen = survey_overview(survey)
        context["is_written"] = bool(seen.lines) and not seen.has_problem
        context |= _sections(request, survey, context)
        return render(request, "workspace/files.html", context)
    seal(instrument)
    every = files_for(request.user, instrument)
    had = [file for file in every if file.has_rows]
    small = lacks(had, instrument)
    offered = {file.name: file for file in had if file not in small}
    others = [(file.name, file.title) for file in every if not file.has_rows]
    codebooks = [each for each in others if each[0].startswith(("codebook", "README"))]
    context |= {
        "n": in_report(instrument),
        "scrambled_note": NOTE if has_scrambled(definition_for_readers(instrument)) else "",
        "deleted_on": instrument.deleted_on,
        "offered": offered,
        "formats": [(name, offered[name].title) for name in offered if name != "everything.zip"],
        "codebooks": codebooks,
        # The zip is among the files with rows, and the CSV for spreadsheets is not.
        "number_of_formats": len(had) + len(codebooks),
        "in_the_zip": contents(all_files()),
        "scripts": [name for name, _ in others if has_scripts([name])],
        "too_small": without_room(small),
    }
    context |= _sections(request, survey, context)
    return render(request, "workspace/files.html", context)


def _sections(request: HttpRequest, survey: Survey, context: dict[str, Any]) -> dict[str, Any]:
    """Return the sections that features add to the page, by their place in its template."""
    return {
        "response_files": rendered("files.responses", request, survey, context),
        "documents": rendered("files.documents", request, survey, context),
        "survey_files": rendered("files.survey", request, survey, context),
    }


@login_required
@require_safe
@cache_control(private=True, no_cache=True)
def get(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    try:
        return download(request, slug, name)
    except Refused as reason:
        return refusal_page(
            request, access.survey_for(request.user, slug, access.Right.SEE), str(reason)
        )


@login_required
@require_safe
def gone(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Answer the address of a file that there was once with the name of another one."""
    survey = published(request.user, slug).survey
    then = reverse("workspace:files", args=[survey.slug]), "Files of the survey"
    return message_page(
        request, "There is no such file any more", GONE[name], status=410, then=then
    )


ROOT = "<slug:slug>/export/"
routes = [
    path("<slug:slug>/files/", files, name="files"),
    *(
        path(f"{ROOT}{file.name}", get, {"name": file.name}, name=f"export-{file.name}")
        for file in (*all_files(), *earlier_names())
    ),
    *(path(f"{ROOT}{name}", gone, {"name": name}, name=f"export-{name}") for name in GONE),
]
