"""The page from which every file of a published survey can be downloaded, and the files."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import path
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from surveys.accounts import access
from surveys.exchange.export import FILES, FORMS
from surveys.exchange.export.downloads import download, files_for, published
from surveys.exchange.export.formats import in_report, lacks, without_room
from surveys.fieldwork.responses.sealing import seal
from surveys.site.errors import Refused
from surveys.web.workspace.access import refused


@login_required
@require_safe
@cache_control(private=True, no_cache=True)
def index(request: HttpRequest, slug: str) -> HttpResponse:
    instrument = published(request.user, slug)
    seal(instrument)
    files = files_for(request.user, instrument)
    small = lacks(files, instrument)
    context = {
        "survey": instrument.survey,
        "n": in_report(instrument),
        "deleted_on": instrument.deleted_on,
        "with_rows": [file for file in files if file.has_rows and file not in small],
        "too_small": without_room(small),
        "without_rows": [file for file in files if not file.has_rows],
    }
    return render(request, "workspace/exports.html", context)


@login_required
@require_safe
@cache_control(private=True, no_cache=True)
def get(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    try:
        return download(request, slug, name)
    except Refused as reason:
        return refused(request, access.survey_for(request.user, slug, access.Right.SEE), str(reason))


ROOT = "<slug:slug>/export/"
routes = [
    path(ROOT, index, name="exports"),
    *(path(f"{ROOT}{file.name}", get, {"name": file.name}, name=f"export-{file.name}") for file in (*FILES, *FORMS)),
]
