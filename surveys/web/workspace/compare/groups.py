"""All questions compared between the groups of one background question: the page, its table and its figures."""

from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from surveys.results.analysis.groups.figure import question_svg
from surveys.results.analysis.groups.files import compared_csv
from surveys.results.analysis.groups.page import GroupsPage, page_of, question_of_page
from surveys.results.disclosure.subgroups import TooSmall
from surveys.results.estimates.intervals import IntervalOptions
from surveys.results.report.figures import png
from surveys.results.report.groups import SideBySide, all_groups, groupable_questions
from surveys.site.errors import Invalid
from surveys.web.workspace.report.report import Reading, file, reading

NO_GROUPS = "This survey has no background question with few enough answers to compare groups."


def by_group(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view that takes the groups of the query: where they may not be shown, say why."""

    @reading
    @wraps(view)
    def inner(request: HttpRequest, read: Reading, **rest: str) -> HttpResponse:
        for messages in read.form.errors.values():
            return _render(request, read, None, messages[0])
        try:
            return view(request, read, _groups(request, read), **rest)
        except (TooSmall, Invalid) as error:
            return _render(request, read, None, str(error))

    return inner


def _groups(request: HttpRequest, read: Reading) -> SideBySide:
    """Return the groups of the question that the query names, or of the first one."""
    items = groupable_questions(read.seen)
    if not items:
        raise Invalid({"by": read.seen.note or NO_GROUPS})
    options = read.options
    asked = IntervalOptions(
        confidence=options.confidence,
        kind=options.interval,
        simultaneous=options.simultaneous,
        sampling=options.sampling,
    )
    by = request.GET.get("by") or items[0].key
    return all_groups(read.seen, by, asked=asked, group=options.group)


@by_group
def groups(request: HttpRequest, read: Reading, sides: SideBySide) -> HttpResponse:
    return _render(request, read, page_of(sides), "")


def _render(
    request: HttpRequest, read: Reading, page: GroupsPage | None, refused: str
) -> HttpResponse:
    items = groupable_questions(read.seen)
    context = {
        "survey": read.instrument.survey,
        "slug": read.frozen.survey,
        "title": read.frozen.title,
        "about": read.about,
        "comparable": [(item.key, item.short or item.full_text) for item in items],
        "by": page.by.key if page else request.GET.get("by", ""),
        "kept": [
            (name, value)
            for name, values in request.GET.lists()
            if name != "by"
            for value in values
        ],
        "query": request.GET.urlencode(),
        "page": page,
        "refused": refused,
    }
    return render(
        request, "workspace/compare/groups.html", context, status=422 if refused and items else 200
    )


@by_group
def table(request: HttpRequest, read: Reading, sides: SideBySide) -> HttpResponse:
    text = compared_csv(page_of(sides), read.about or "everybody")
    return file(text, f"{read.frozen.survey}-compare-{sides.by.key}", "csv")


@by_group
def figure(
    request: HttpRequest, read: Reading, sides: SideBySide, key: str, form: str
) -> HttpResponse:
    try:
        question = question_of_page(sides, key)
    except KeyError:
        raise Http404("This question is not compared.") from None
    content: str | bytes = question_svg(question.answers, question.sentences, read.about)
    if form == "png":
        content = png(content)
    return file(content, f"{read.frozen.survey}-{key}-by-{sides.by.key}", form)


ROOT = "<slug:slug>/compare/"
routes = [
    path(ROOT, groups, name="compare"),
    path(f"{ROOT}compare.csv", table, name="compare-table"),
    *(
        path(f"{ROOT}<slug:key>.{form}", figure, {"form": form}, name=f"compare-{form}")
        for form in ("svg", "png")
    ),
]
