"""The pages of the analyses and their files."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path

from surveys.results.analysis.analyses import COMPARE, analyses
from surveys.results.analysis.analysis import FORMS, Analysis, AnalysisRequest
from surveys.results.analysis.files import analysis_file
from surveys.results.estimates.intervals import IntervalOptions
from surveys.web.workspace.analysis.section import AnalysisForm, Shown, show
from surveys.web.workspace.head import GROUPS
from surveys.web.workspace.report.report import Reading, file, reading

ROOT = "<slug:slug>/compare/"


@reading
def analysis(request: HttpRequest, read: Reading, what: str) -> HttpResponse:
    named = _named(what)
    return analysis_page(request, read, named, _form(named, read, request))


def analysis_page(
    request: HttpRequest, read: Reading, analysis: Analysis, form: AnalysisForm
) -> HttpResponse:
    """Return the page of an analysis, with a result if the query names something of the form."""
    refused = any(read.form.errors.values())
    shown = (
        show(analysis, form, _looking(read))
        if form.is_sent and not refused
        else Shown(analysis, form)
    )
    context = {
        "survey": read.instrument.survey,
        "slug": read.frozen.survey,
        "title": read.frozen.title,
        "about": read.about,
        "note": read.seen.note,
        "options": read.form,
        "shown": shown,
        "form": form,
        "found": shown.found,
        "action": GROUPS if analysis is COMPARE else f"compare-{analysis.page_slug}",
        "heading": next(each.title for each in analyses() if each.page_slug == analysis.page_slug),
        "offered": any(
            each.offer(read.seen) for each in analyses() if each.page_slug == analysis.page_slug
        ),
        "files": shown.files(read.frozen.survey, request.GET),
        "wrong": refused or shown.refused or form.errors,
    }
    return render(
        request, "workspace/analysis.html", context, status=422 if context["wrong"] else 200
    )


def _named(what: str) -> Analysis:
    return next(each for each in analyses() if each.name == what)


def _form(analysis: Analysis, read: Reading, request: HttpRequest) -> AnalysisForm:
    return (analysis.form or AnalysisForm)(analysis, read.seen, request.GET)


def _looking(read: Reading) -> AnalysisRequest:
    return AnalysisRequest(read.seen, IntervalOptions(read.options.confidence), read.options.group)


@reading
def file_of(request: HttpRequest, read: Reading, what: str, form: str) -> HttpResponse:
    """Of the analysis of this name; where nothing was found, the page says why."""
    analysis = _named(what)
    if not analysis.offer(read.seen):
        raise Http404("This survey has no questions for this analysis.")
    fields = _form(analysis, read, request)
    shown = (
        show(analysis, fields, _looking(read)) if fields.is_sent and not read.form.errors else None
    )
    if shown is None or shown.found is None:
        return analysis_page(request, read, analysis, fields)
    name, content = analysis_file(
        analysis,
        shown.found,
        form,
        read.seen.paper,
        about=read.about,
        reason=read.instrument.survey.reason,
    )
    return file(content, name, form)


def routes() -> list[URLPattern]:
    """Return the patterns of the pages and of the files of all analyses. Groups have a page of their own."""
    patterns = []
    for each in analyses():
        if each is COMPARE:
            continue
        if not each.has_own_view:
            patterns.append(
                path(
                    f"{ROOT}{each.page_slug}/",
                    analysis,
                    {"what": each.name},
                    name=f"compare-{each.page_slug}",
                )
            )
        for form in FORMS:
            patterns.append(
                path(
                    f"<slug:slug>/report/{each.name}.{form}",
                    file_of,
                    {"what": each.name, "form": form},
                    name=f"report-{each.name}-{form}",
                )
            )
    return patterns
