"""The report page and what leaves from it: figures, tables and the methods section."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from surveys.accounts import access
from surveys.definition.instrument import FrozenSurvey
from surveys.fieldwork.responses.progress import is_neglected
from surveys.fieldwork.responses.sealing import seal
from surveys.models import Instrument
from surveys.results.disclosure.access import ReaderView, sight
from surveys.results.disclosure.subgroups import TooSmall
from surveys.results.estimates import intervals
from surveys.results.estimates.on_request import has_curve
from surveys.results.estimates.report import QuestionReport, SurveyReport, report as make_report
from surveys.results.report import quality, tickets
from surveys.results.report.data_quality import inspect
from surveys.results.report.figures import FIGURES, png
from surveys.results.report.header import standing
from surveys.results.report.lines import ShareLine
from surveys.results.report.methods import Methods, methods
from surveys.results.report.quality_shape import CheckLine
from surveys.results.report.summary import glance
from surveys.web.workspace.report.options import Options, OptionsForm
from surveys.web.workspace.report.page import counted, shown

View = Callable[..., HttpResponse]


@dataclass(frozen=True)
class Reading:
    """What a reader asked for and gets. `result` is None where the filter is refused."""

    instrument: Instrument
    seen: ReaderView
    form: OptionsForm
    options: Options
    result: SurveyReport | None

    @property
    def methods(self) -> Methods:
        return methods(self.frozen, self.result, self.about, self.instrument.survey.reason)

    @property
    def about(self) -> str:
        """Whom a filtered report is about; empty for everybody."""
        return self.seen.words(self.options.group)

    @property
    def frozen(self) -> FrozenSurvey:
        """The survey's questions, as the reader sees their answers."""
        return self.seen.frozen


def reading(view: View) -> View:
    """Gives the view what the query asks for, of a published survey whose report the person may read."""

    @login_required
    @require_safe
    @cache_control(private=True, no_cache=True)
    @wraps(view)
    def inner(request: HttpRequest, slug: str, **rest: object) -> HttpResponse:
        instrument = get_object_or_404(
            Instrument.objects.select_related("survey"),
            survey__in=access.readable_by(request.user),
            survey__slug=slug,
        )
        seal(instrument)
        return view(request, _read(request, instrument), **rest)

    return inner


def _read(request: HttpRequest, instrument: Instrument) -> Reading:
    seen = sight(instrument, has_rows=access.Right.ROWS in access.rights(request.user, instrument.survey))
    form = OptionsForm(request.GET, seen)
    options = form.options()
    try:
        asked = options.confidence, options.interval, options.group
        level = {"simultaneous": options.simultaneous, "sampling": options.sampling}
        result = make_report(instrument, *asked, **level, seen=seen)
    except TooSmall as refusal:
        key = options.group.conditions[0][0]
        form.add_error(form.place(key), str(refusal))
        result = None
    return Reading(instrument, seen, form, options, result)


def download(view: View) -> View:
    """As reading, for files: where something is wrong with the query, the page says what."""

    @reading
    @wraps(view)
    def inner(request: HttpRequest, read: Reading, **rest: object) -> HttpResponse:
        return _page(request, read) if read.form.errors else view(read, **rest)

    return inner


@reading
def report(request: HttpRequest, read: Reading) -> HttpResponse:
    return _page(request, read)


def _page(request: HttpRequest, read: Reading) -> HttpResponse:
    may = access.rights(request.user, read.instrument.survey)
    context = {
        "survey": read.instrument.survey,
        "slug": read.frozen.survey,
        "title": read.frozen.title,
        "form": read.form,
        "options": read.options,
        "about": read.about,
        "report": read.result,
        "query": request.GET.urlencode(),
        "sees": access.Right.SEE in may,
        "exports": access.Right.ROWS in may,
        "is_over": read.instrument.survey.is_over,
        "deleted_on": read.instrument.deleted_on,
        "closing_only": read.frozen.results_after_closing,
        "neglected": access.Right.WRITE in may and is_neglected(read.instrument.survey),
        "seen": read.seen.note,
        "nbsp": "\N{NO-BREAK SPACE}",
    }
    if read.result:
        level = read.result.confidence, read.result.simultaneous
        context["intervals_in_short"] = intervals.in_short(*level, read.result.sampling)
        context["invited"] = tickets.in_words(read.result.invited) if read.result.invited else ""
        context["intervals_in_full"] = intervals.meaning(*level, filtered=bool(read.about))
        checks = counted(read.frozen, read.result, read.options)
        questions = shown(read.result, read.form, read.options, checks)
        context |= {
            "questions": questions,
            "glance": glance((each.question, each.finding) for each in questions),
            "standing": standing(read.instrument.survey, read.result),
            "verdict": quality.worst(checks),
            "reorder": _reordered(request, read.options),
        }
        context["methods"] = read.methods
    return render(request, "workspace/report/report.html", context, status=422 if read.form.errors else 200)


def _reordered(request: HttpRequest, options: Options) -> str:
    """The query that asks for the other order of answers, and leaves all else."""
    query = request.GET.copy()
    query["order"] = "asked" if options.by_size else "size"
    return query.urlencode()


@reading
def check(request: HttpRequest, read: Reading) -> HttpResponse:
    checks = inspect(read.instrument, rows=_may_have_rows(request, read))
    context = {
        "survey": read.instrument.survey,
        "slug": read.frozen.survey,
        "title": read.frozen.title,
        "checks": checks,
        "deleted_on": read.instrument.deleted_on,
        "summary": quality.summary(checks),
        "verdict": quality.worst(checks),
        "rates": quality.RATES,
        "tickets": tickets.QUALITY if read.frozen.tickets else "",
    }
    return render(request, "workspace/report/quality.html", context)


def _may_have_rows(request: HttpRequest, read: Reading) -> bool:
    return access.Right.ROWS in access.rights(request.user, read.instrument.survey)


@reading
def checks_table(request: HttpRequest, read: Reading) -> HttpResponse:
    checks = inspect(read.instrument, rows=_may_have_rows(request, read))
    return file(CheckLine.csv(checks), f"{read.frozen.survey}-quality", "csv")


@download
def table(read: Reading, key: str | None = None) -> HttpResponse:
    name = f"{read.frozen.survey}-{_question(read, key).key if key else 'report'}"
    return file(ShareLine.csv(read.result, key, about=read.about), name, "csv")


@download
def figure(read: Reading, key: str, drawing: str, form: str) -> HttpResponse:
    question = _question(read, key)
    if drawing == "likelihood" and not has_curve(question):
        raise Http404("Only yes/no questions have a likelihood curve of one share.")
    svg = FIGURES[drawing](read.result, question, about=read.about, by_size=read.options.by_size)
    return file(svg if form == "svg" else png(svg), f"{read.frozen.survey}-{key}-{drawing}", form)


@download
def methods_text(read: Reading) -> HttpResponse:
    return file(str(read.methods), f"{read.frozen.survey}-methods", "txt")


def _question(read: Reading, key: str) -> QuestionReport:
    for question in read.result.questions:
        if question.key == key:
            return question
    raise Http404("There is no such question.")


TYPES = {
    "csv": "text/csv; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "txt": "text/plain; charset=utf-8",
}


def file(content: str | bytes, name: str, form: str) -> HttpResponse:
    """Variable names and slugs hold letters, digits and lines only, so they may stand in a header as they are."""
    response = HttpResponse(content, content_type=TYPES[form])
    response["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    return response
