"""The report page and what leaves from it: figures, tables and the methods section."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from surveys.accounts import access
from surveys.definition.instrument import SurveyDefinition
from surveys.fieldwork.responses.progress import is_neglected
from surveys.fieldwork.responses.sealing import seal
from surveys.fieldwork.responses.updates import update_times
from surveys.models import Instrument
from surveys.results.disclosure.access import ReaderView, view_for_reader
from surveys.results.disclosure.subgroups import TooSmall
from surveys.results.estimates import intervals
from surveys.results.estimates.on_request import has_curve
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import SurveyReport, report as make_report
from surveys.results.report import quality, tickets
from surveys.results.report.data_quality import inspect
from surveys.results.report.figures import FIGURES, png
from surveys.results.report.header import field_period
from surveys.results.report.lines import shares_csv
from surveys.results.report.methods import Methods, methods
from surveys.results.report.quality_kinds import by_kind
from surveys.results.report.quality_shape import checks_csv
from surveys.results.report.summary import glance, statements_of
from surveys.web.workspace.report.options import Options, OptionsForm
from surveys.web.workspace.report.page import counted, details, shown

View = Callable[..., HttpResponse]
PARTS = (
    ("numbers", "Numbers"),
    ("method", "Method"),
    ("download", "Download"),
)  # the folds of a question


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
        return self.seen.describe_group(self.options.group)

    @property
    def meaning(self) -> tuple[str, str]:
        """What the intervals mean, in short and in full."""
        level = self.result.confidence, self.result.simultaneous
        full = intervals.confidence_explanation(*level, filtered=bool(self.about))
        return intervals.in_short(*level, self.result.sampling), full

    @property
    def frozen(self) -> SurveyDefinition:
        """The survey's questions, as the reader sees their answers."""
        return self.seen.definition


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
    seen = view_for_reader(
        instrument, has_rows=access.Right.ROWS in access.rights(request.user, instrument.survey)
    )
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
    survey, result = read.instrument.survey, read.result
    everything, received = (request.GET.get(name) == "yes" for name in ("everything", "received"))
    context = _base(request, read) | {
        "report": result,
        "updates": update_times(survey),
        "days": field_period(survey),
        "is_over": survey.is_over,
        "closing_only": read.frozen.results_after_closing,
        "neglected": access.Right.WRITE in access.rights(request.user, survey)
        and is_neglected(survey),
        "access_note": read.seen.note,
        "everything": everything,
        "received": received,
        "with_everything": _query(request, everything="yes"),
        "with_received": _query(request, received="" if received else "yes"),
        "kept": [
            (name, value)
            for name, value in _pairs(request)
            if name.startswith(("test-", "sum-", "received"))
        ],
        "sender": read.frozen.sender,
    }
    if result:
        checks = counted(read.frozen, result, read.options)
        questions = shown(
            result, read.form, read.options, checks, everything=everything, received=received
        )
        numbered = [
            (number, each.question, each.finding) for number, each in enumerate(questions, 1)
        ]
        context |= {
            "questions": questions,
            "glance": glance(numbered, statements_of(read.frozen)),
            "verdict": quality.worst(checks),
            "invited": tickets.in_words(result.invited) if result.invited else "",
            "meaning": read.meaning,
            "methods": read.methods,
        }
    return render(
        request, "workspace/report/report.html", context, status=422 if read.form.errors else 200
    )


def _base(request: HttpRequest, read: Reading) -> dict[str, Any]:
    """What the report's page and the page of one question's details have."""
    root = reverse("workspace:report", args=[read.frozen.survey])
    return {
        "survey": read.instrument.survey,
        "slug": read.frozen.survey,
        "title": read.frozen.title,
        "form": read.form,
        "options": read.options,
        "about": read.about,
        "query": request.GET.urlencode(),
        "pairs": _pairs(request),
        "parts": PARTS,
        "root": "" if request.path == root else root,  # 180 links of 60 questions begin with it
        "deleted_on": read.instrument.deleted_on,
        "nbsp": "\N{NO-BREAK SPACE}",
    }


def _pairs(request: HttpRequest) -> list[tuple[str, str]]:
    return [(name, value) for name, values in request.GET.lists() for value in values]


def _query(request: HttpRequest, **changes: str) -> str:
    query = request.GET.copy()
    for name, value in changes.items():
        query[name] = value
    return query.urlencode()


@reading
def question_details(request: HttpRequest, read: Reading, key: str) -> HttpResponse:
    """What the three folds of one question hold. The report's page takes them from here when a fold opens."""
    if read.result is None:
        return _page(request, read)
    question = _question(read, key)
    view = details(
        question, read.form, read.options, counted(read.frozen, read.result, read.options)
    )
    context = _base(request, read) | {"report": read.result, "shown": view, "question": question}
    if not view.has_details:  # as before the first results
        context["parts"] = ()
    return render(
        request, "workspace/report/details.html", context, status=422 if read.form.errors else 200
    )


@reading
def check(request: HttpRequest, read: Reading) -> HttpResponse:
    checks = inspect(read.instrument, rows=_may_have_rows(request, read))
    context = {
        "survey": read.instrument.survey,
        "slug": read.frozen.survey,
        "title": read.frozen.title,
        "checks": checks,
        "kinds": by_kind(checks),
        "deleted_on": read.instrument.deleted_on,
        "summary": quality.summary(checks),
        "passed": sum(check.verdict is quality.Verdict.FINE for check in checks),
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
    return file(checks_csv(checks), f"{read.frozen.survey}-quality", "csv")


@download
def table(read: Reading, key: str | None = None) -> HttpResponse:
    name = f"{read.frozen.survey}-{_question(read, key).key if key else 'report'}"
    return file(shares_csv(read.result, key, about=read.about), name, "csv")


@download
def figure(read: Reading, key: str, drawing: str, form: str) -> HttpResponse:
    question = _question(read, key)
    if drawing == "likelihood" and not has_curve(question):
        raise Http404("Choose a yes/no question. Only those have a likelihood curve of one share.")
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
