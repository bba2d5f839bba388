"""Candidates for a question with written answers: a page of the report, on which the survey's editors give more."""

from dataclasses import dataclass
from functools import wraps
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from features.text_candidates import candidate_rounds
from features.text_candidates.shape import candidates_csv
from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.definition.instrument import QuestionDefinition
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.sealing import seal
from surveys.models import Instrument
from surveys.site.errors import Refused
from surveys.web.widgets import Area
from surveys.web.workspace.access import refusal_page
from surveys.web.workspace.forms import TypedForm
from surveys.web.workspace.report.report import View, file

PLANNED = 100  # candidates of the list that the page says something of before one is given
AT_ONCE = 200  # rows of a round that the page shows; the file holds all


class CandidatesForm(TypedForm):
    candidates = forms.Field(
        required=False,
        label="Further candidates",
        help_text="One per line, at most 10,000. Capitals and spaces don’t count.",
        widget=Area(8),
    )


@dataclass(frozen=True)
class Asked:
    instrument: Instrument
    item: QuestionDefinition


def candidates_page(view: View) -> View:
    """Gives the view the question of a published survey whose report the person may read."""

    @login_required
    @cache_control(private=True, no_cache=True)
    @wraps(view)
    def inner(request: HttpRequest, slug: str, key: str) -> HttpResponse:
        surveys = access.readable_by(request.user)
        instrument = get_object_or_404(
            Instrument.objects.select_related("survey"), survey__in=surveys, survey__slug=slug
        )
        item = next((each for each in parse_instrument(instrument).items if each.key == key), None)
        if item is None:
            raise Http404("There is no such question.")
        seal(instrument)
        return view(request, Asked(instrument, item))

    return inner


@candidates_page
@require_http_methods(["GET", "HEAD", "POST"])
def candidates(request: HttpRequest, asked: Asked) -> HttpResponse:
    form = CandidatesForm(request.POST or None)
    slug, key = asked.instrument.survey.slug, asked.item.key
    if request.method == "POST":
        survey = access.survey_for(request.user, slug, Right.WRITE)
        lines = form.typed("candidates").replace("\r\n", "\n").split("\n")
        try:
            given = form.attempt(
                candidate_rounds.create_round,
                instrument=asked.instrument,
                key=key,
                lines=lines,
                by=request.user,
            )
        except Refused as refusal:
            return refusal_page(request, survey, str(refusal))
        if given:
            messages.success(request, f"Count {given.number} is added.")
            return redirect("workspace:report-candidates", slug, key)
    return render(
        request,
        "text_candidates/candidates.html",
        _context(request, asked, form),
        status=422 if form.errors else 200,
    )


def _context(request: HttpRequest, asked: Asked, form: CandidatesForm) -> dict[str, Any]:
    survey, item = asked.instrument.survey, asked.item
    rounds = candidate_rounds.round_results(asked.instrument, item.key)
    n, coming = candidate_rounds.count_answers(asked.instrument, item.key), len(rounds) + 1
    return {
        "survey": survey,
        "slug": survey.slug,
        "title": parse_instrument(asked.instrument).title,
        "question": item,
        "rounds": rounds,
        "n": n,
        "form": form,
        "coming": coming,
        "level": candidate_rounds.level_of(coming),
        "planned": PLANNED,
        "at_once": AT_ONCE,
        "smallest": candidate_rounds.detectable_candidate_share(item, n, PLANNED, coming)
        if item.is_written
        else None,
        "deleted_on": asked.instrument.deleted_on,
        "may_give": Right.WRITE in access.rights(request.user, survey)
        and coming <= candidate_rounds.MOST_ROUNDS,
        "searched": candidate_rounds.SEARCHED,
        "hides_nothing": candidate_rounds.HIDES_NOTHING,
    }


@candidates_page
@require_safe
def table(request: HttpRequest, asked: Asked) -> HttpResponse:
    rounds = candidate_rounds.round_results(asked.instrument, asked.item.key)
    name = f"{asked.instrument.survey.slug}-{asked.item.key}-candidates"
    return file(candidates_csv(asked.item.key, rounds), name, "csv")
