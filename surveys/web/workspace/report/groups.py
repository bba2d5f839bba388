"""Groups side by side: the page, its table and its figures."""

from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from surveys.results.disclosure.subgroups import TooSmall
from surveys.results.estimates.intervals import Asked, meaning
from surveys.results.report.figures import groups_file, png
from surveys.results.report.groups import SideBySide, comparable, side_by_side
from surveys.results.report.lines import GroupLine
from surveys.site.errors import Invalid
from surveys.web.workspace.report.report import Reading, View, file, reading


def found(view: View) -> View:
    """Gives the view the groups that the query asks for; where they may not be shown, the page says why."""

    @reading
    @wraps(view)
    def inner(request: HttpRequest, read: Reading, **rest: object) -> HttpResponse:
        for messages in read.form.errors.values():
            return _page(request, read, None, messages[0])
        try:
            return view(request, read, _found(request, read), **rest)
        except (TooSmall, Invalid) as error:
            return _page(request, read, None, str(error))

    return inner


def _found(request: HttpRequest, read: Reading) -> SideBySide:
    """By the question that is asked for, else by the first one."""
    items = comparable(read.seen)
    if not items:
        if read.seen.note:
            raise Invalid({"by": read.seen.note})
        raise Http404("This survey has no background question with few enough answers to compare groups by.")
    options = read.options
    asked = Asked(options.confidence, options.interval, options.simultaneous, options.sampling)
    return side_by_side(read.seen, request.GET.get("by", items[0].key), asked=asked, group=options.group)


@found
def groups(request: HttpRequest, read: Reading, compared: SideBySide) -> HttpResponse:
    return _page(request, read, compared, "")


def _page(request: HttpRequest, read: Reading, compared: SideBySide | None, refused: str) -> HttpResponse:
    query = request.GET.copy()
    kept = [(name, value) for name, values in query.lists() if name != "by" for value in values]
    context = {
        "survey": read.instrument.survey,
        "slug": read.frozen.survey,
        "title": read.frozen.title,
        "about": read.about,
        "comparable": comparable(read.seen),
        "by": request.GET.get("by", ""),
        "kept": kept,
        "query": query.urlencode(),
        "found": compared,
        "refused": refused,
        "meaning": meaning(read.options.confidence, read.options.simultaneous, filtered=True),
    }
    return render(request, "workspace/report/groups.html", context, status=422 if refused else 200)


@found
def table(request: HttpRequest, read: Reading, compared: SideBySide) -> HttpResponse:
    return file(GroupLine.csv(compared), f"{read.frozen.survey}-groups-{compared.by.key}", "csv")


@found
def figure(request: HttpRequest, read: Reading, compared: SideBySide, key: str, form: str) -> HttpResponse:
    try:
        svg = groups_file(compared, key, about=read.about)
    except KeyError:
        raise Http404("There is no such question, or its answers are not scrambled.") from None
    return file(svg if form == "svg" else png(svg), f"{read.frozen.survey}-{key}-by-{compared.by.key}", form)
