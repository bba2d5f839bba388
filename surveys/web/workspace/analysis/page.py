"""The page of the analysis and its files. Each section is asked by `?what=` and its own fields."""

from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from surveys.results.analysis.methods import methods
from surveys.results.analysis.model.model import SHARES
from surveys.results.report.figures import png
from surveys.web.workspace.analysis.groups import CompareForm
from surveys.web.workspace.analysis.section import Section, Shown, Wanted, show
from surveys.web.workspace.analysis.sections import SECTIONS
from surveys.web.workspace.report.report import Reading, View, file, reading


@reading
def analysis(request: HttpRequest, read: Reading) -> HttpResponse:
    if compared := _compared(request, read):
        return redirect(f"{request.path}?{compared}#compare")
    return _page(request, read, request.GET.get("what", ""))


def _compared(request: HttpRequest, read: Reading) -> str:
    """The query of the comparison that a model of one question of groups alone is; nothing for any other."""
    query = request.GET.copy()
    explain, outcome = [each for each in query.getlist("explain") if each], query.get("outcome", "")
    offered = CompareForm(read.seen, None)
    by, outcomes = ({value for value, _ in offered.fields[name].choices} for name in ("by", "outcome"))
    is_model = query.get("what") == "model" and query.get("model", "") in ("", SHARES)
    if not is_model or len(explain) != 1 or explain[0] not in by or outcome not in outcomes:
        return ""
    del query["explain"]
    query.pop("model", None)
    query["by"], query["what"] = explain[0], "compare"
    return query.urlencode()


def _page(request: HttpRequest, read: Reading, asked: str) -> HttpResponse:
    wanted = _wanted(request, read)
    offered = [section for section in SECTIONS if section.offer(read.seen)]
    errors = [message for messages in read.form.errors.values() for message in messages]
    shown = [show(section, wanted, asked=section.name == asked and not errors) for section in offered]
    context = {
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


def _wanted(request: HttpRequest, read: Reading) -> Wanted:
    return Wanted(read.seen, request.GET, read.options.group, read.options.confidence)


def _kept(request: HttpRequest, read: Reading) -> list[tuple[str, str]]:
    """What the report's own form set in the address, which every section keeps."""
    return [(name, value) for name, values in request.GET.lists() if name in read.form.fields for value in values]


def found(view: View) -> View:
    """Gives the view the section of this name with its result; where there is none, the page says why."""

    @reading
    @wraps(view)
    def inner(request: HttpRequest, read: Reading, what: str, **rest: object) -> HttpResponse:
        section = _section(what, read)
        if read.form.errors:
            return _page(request, read, what)
        shown = show(section, _wanted(request, read), asked=True)
        return view(request, read, shown, **rest) if shown.found else _page(request, read, what)

    return inner


def _section(what: str, read: Reading) -> Section:
    for section in SECTIONS:
        if section.name == what and section.offer(read.seen):
            return section
    raise Http404("This survey has nothing for this analysis.")


@found
def table(request: HttpRequest, read: Reading, shown: Shown) -> HttpResponse:
    return file(shown.section.csv(shown.found, about=read.about), _name(read, shown), "csv")


@found
def figure(request: HttpRequest, read: Reading, shown: Shown, form: str) -> HttpResponse:
    svg = shown.section.svg(shown.found, about=read.about)
    return file(svg if form == "svg" else png(svg), _name(read, shown), form)


@found
def methods_text(request: HttpRequest, read: Reading, shown: Shown) -> HttpResponse:
    return file(
        str(methods(read.seen.paper, shown.found, read.about, read.instrument.survey.reason)),
        f"{_name(read, shown)}-methods",
        "txt",
    )


def _name(read: Reading, shown: Shown) -> str:
    return f"{read.frozen.survey}-{shown.section.name}"
