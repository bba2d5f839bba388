"""All questions compared between the groups of one background question: the page, its table and its figures."""

from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from surveys.results.analysis.groups.figure import question_svg
from surveys.results.analysis.groups.files import compared_csv
from surveys.results.analysis.groups.page import GroupsPage, groups_page
from surveys.results.disclosure.subgroups import TooSmall
from surveys.results.estimates.intervals import IntervalOptions
from surveys.results.report.figures import png
from surveys.results.report.groups import groupable_questions
from surveys.site.errors import Invalid
from surveys.web.workspace.report.report import Reading, file, reading

NO_GROUPS = "This survey has no background question with few enough answers to compare groups."


def by_group(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Gives the view the groups that the query names; where they may not be shown, the page says why."""

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


def _groups(request: HttpRequest, read: Reading) -> GroupsPage:
    """By the question that is named, else by the first one."""
    items, options = groupable_questions(read.seen), read.options
    if not items:
        raise Invalid({"by": read.seen.note or NO_GROUPS})
    asked = IntervalOptions(
        options.confidence, options.interval, options.simultaneous, options.sampling
    )
    return groups_page(
        read.seen, request.GET.get("by") or items[0].key, asked=asked, group=options.group
    )


@by_group
def groups(request: HttpRequest, read: Reading, page: GroupsPage) -> HttpResponse:
    return _render(request, read, page, "")


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
def table(request: HttpRequest, read: Reading, page: GroupsPage) -> HttpResponse:
    return file(
        compared_csv(page, read.about or "everybody"),
        f"{read.frozen.survey}-compare-{page.by.key}",
        "csv",
    )


@by_group
def figure(
    request: HttpRequest, read: Reading, page: GroupsPage, key: str, form: str
) -> HttpResponse:
    try:
        question = page.question(key)
    except KeyError:
        raise Http404("This question is not compared.") from None
    svg = question_svg(question.answers, question.sentences, read.about)
    return file(
        svg if form == "svg" else png(svg), f"{read.frozen.survey}-{key}-by-{page.by.key}", form
    )


ROOT = "<slug:slug>/compare/"
routes = [
    path(ROOT, groups, name="compare"),
    path(f"{ROOT}compare.csv", table, name="compare-table"),
    *(
        path(f"{ROOT}<slug:key>.{form}", figure, {"form": form}, name=f"compare-{form}")
        for form in ("svg", "png")
    ),
]
