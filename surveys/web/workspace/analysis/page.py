"""The page of the analyses and their files. Each is asked by `?what=` and its own fields."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from surveys.results.analysis import files
from surveys.results.analysis.analyses import ANALYSES, COMPARE, MODEL, TABLE, WEIGHTED
from surveys.results.analysis.analysis import Analysis, Looking
from surveys.results.analysis.model.model import SHARES
from surveys.results.estimates.intervals import Asked
from surveys.web.workspace.analysis.model import ModelForm
from surveys.web.workspace.analysis.section import AnalysisForm, Shown, show
from surveys.web.workspace.analysis.table import TableForm
from surveys.web.workspace.analysis.weighting import WeightedForm
from surveys.web.workspace.report.report import Reading, file, reading

PAGE = tuple(each for each in ANALYSES if each is not COMPARE)  # groups have a page of their own
OWN = {MODEL: ModelForm, TABLE: TableForm, WEIGHTED: WeightedForm}  # forms that are more than a list for a parameter


@reading
def analysis(request: HttpRequest, read: Reading) -> HttpResponse:
    if compared := _compared(request, read):
        return redirect(f"{reverse('workspace:compare', args=[read.frozen.survey])}?{compared}")
    return _page(request, read, request.GET.get("what", ""))


def _compared(request: HttpRequest, read: Reading) -> str:
    """The query of the comparison that a model of one question of groups alone is; nothing for any other."""
    query = request.GET.copy()
    explain, outcome = [each for each in query.getlist("explain") if each], query.get("outcome", "")
    offered = AnalysisForm(COMPARE, read.seen, None)
    by, outcomes = ({value for value, _ in offered.fields[name].choices} for name in ("by", "outcome"))
    is_model = query.get("what") == "model" and query.get("model", "") in ("", SHARES)
    if not is_model or len(explain) != 1 or explain[0] not in by or outcome not in outcomes:
        return ""
    for name in ("explain", "model", "outcome", "what"):
        query.pop(name, None)
    query["by"] = explain[0]
    return query.urlencode()


def _page(request: HttpRequest, read: Reading, asked: str) -> HttpResponse:
    errors = [message for messages in read.form.errors.values() for message in messages]
    offered = [each for each in PAGE if each.offer(read.seen)]
    shown = [_shown(request, read, each, asked=each.name == asked and not errors) for each in offered]
    context = {
        "survey": read.instrument.survey,
        "slug": read.frozen.survey,
        "title": read.frozen.title,
        "about": read.about,
        "note": read.seen.note,
        "refused": errors,
        "sections": shown,
        "query": request.GET.urlencode(),
        "kept": _kept(request, read),
    }
    wrong = errors or any(each.refused or each.form.errors for each in shown)
    return render(request, "workspace/analysis.html", context, status=422 if wrong else 200)


def _shown(request: HttpRequest, read: Reading, analysis: Analysis, *, asked: bool) -> Shown:
    form = OWN.get(analysis, AnalysisForm)(analysis, read.seen, request.GET if asked else None)
    return show(analysis, form, Looking(read.seen, Asked(read.options.confidence), read.options.group))


def _kept(request: HttpRequest, read: Reading) -> list[tuple[str, str]]:
    """What the report's own form set in the address, which every analysis keeps."""
    return [(name, value) for name, values in request.GET.lists() if name in read.form.fields for value in values]


@reading
def file_of(request: HttpRequest, read: Reading, what: str, form: str) -> HttpResponse:
    """Of the analysis of this name; where nothing was found, the page says why."""
    analysis = next((each for each in PAGE if each.name == what and each.offer(read.seen)), None)
    if analysis is None:
        raise Http404("This survey has nothing for this analysis.")
    shown = None if read.form.errors else _shown(request, read, analysis, asked=True)
    if shown is None or shown.found is None:
        return _page(request, read, what)
    name, content = files.file(analysis, shown.found, form, read.seen.paper, read.about, read.instrument.survey.reason)
    return file(content, name, form)
