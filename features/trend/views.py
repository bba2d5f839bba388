"""The trend over an earlier version: the page, its table and its figure."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from features.trend.files import trend_csv, trend_svg
from features.trend.trend import CAUSE, SAME_PEOPLE, NothingInCommon, Trend, trend
from features.trend.versions import earlier_versions
from surveys.accounts import access
from surveys.fieldwork.responses.sealing import seal
from surveys.models import Instrument
from surveys.results.disclosure.access import ReaderView, view_for_reader
from surveys.web.workspace.report.report import file


@login_required
@require_safe
@cache_control(private=True, no_cache=True)
def earlier(request: HttpRequest, slug: str) -> HttpResponse:
    instrument, versions, chosen = _versions(request, slug)
    context = {
        "survey": instrument.survey,
        "versions": versions,
        "chosen": chosen,
        "new_version": access.Right.WRITE in access.rights(request.user, instrument.survey),
        "foot": (SAME_PEOPLE, CAUSE),
    }
    if chosen:
        context |= _result(_view(request, instrument), _view(request, chosen))
    return render(request, "trend/trend.html", context)


def _result(now: ReaderView, before: ReaderView) -> dict[str, object]:
    try:
        result = trend(now, before)
    except NothingInCommon as refusal:
        return {"left_out": refusal.left_out, "refusal": str(refusal)}
    return {"trend": result, "left_out": result.left_out}


@login_required
@require_safe
@cache_control(private=True, no_cache=True)
def download(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    instrument, _, chosen = _versions(request, slug)
    if chosen is None:
        raise Http404("There is no earlier version that you can read.")
    try:
        result: Trend = trend(_view(request, instrument), _view(request, chosen))
    except NothingInCommon as refusal:
        raise Http404(str(refusal)) from None
    content = trend_csv(result) if form == "csv" else trend_svg(result)
    return file(content, f"{slug}-trend", form)


def _versions(
    request: HttpRequest, slug: str
) -> tuple[Instrument, list[Instrument], Instrument | None]:
    """Return the survey's instrument, those of earlier versions, and the one that is chosen.

    By default the last version is chosen; None if there is none.
    """
    instrument = get_object_or_404(
        Instrument.objects.select_related("survey"),
        survey__in=access.readable_by(request.user),
        survey__slug=slug,
    )
    versions = earlier_versions(request.user, instrument.survey)
    if "with" not in request.GET:
        return instrument, versions, versions[0] if versions else None
    chosen = next((each for each in versions if each.survey.slug == request.GET["with"]), None)
    if chosen is None:
        raise Http404("There is no such earlier version.")
    return instrument, versions, chosen


def _view(request: HttpRequest, instrument: Instrument) -> ReaderView:
    seal(instrument)
    instrument.refresh_from_db()
    return view_for_reader(
        instrument, has_rows=access.Right.ROWS in access.rights(request.user, instrument.survey)
    )
