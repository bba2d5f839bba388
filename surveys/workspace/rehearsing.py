"""The page of a rehearsal: what the report would say if so many people answered, and these were the truths."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from surveys import rehearsal
from surveys.models import Survey
from surveys.people.access import Right
from surveys.publishing.instruments import Paper
from surveys.publishing.sharing import frozen_paper
from surveys.reporting.figures import question_figure
from surveys.workspace.access import survey_page
from surveys.workspace.forms import RehearsalForm


@survey_page(Right.SEE)
def rehearse(request: HttpRequest, survey: Survey) -> HttpResponse:
    """Stores nothing: the report is made for this one answer. GET, so that a rehearsal can be bookmarked."""
    frozen = frozen_paper(survey)
    form = RehearsalForm(request.GET if "n" in request.GET else None, frozen=frozen)
    context = {"survey": survey, "form": form, "paper": frozen}
    result = form.attempt(_report, frozen=frozen, form=form) if form.is_bound else None
    if result:
        context |= {
            "report": result,
            "questions": [(each, each.ordered(), question_figure(each)) for each in result.questions],
        }
    return render(request, "workspace/rehearsal.html", context, status=422 if form.errors else 200)


def _report(*, frozen: Paper, form: RehearsalForm) -> rehearsal.SurveyReport:
    return rehearsal.rehearse(frozen, form.shares(frozen), form.people())
