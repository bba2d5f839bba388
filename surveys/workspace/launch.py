"""Pages to look at a survey as a respondent does, to publish it, and to close and reopen it."""

from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string

from surveys import publishing
from surveys.access import Right
from surveys.ballots.closing import close_survey, reopen_survey
from surveys.instruments import Paper
from surveys.models import Survey
from surveys.publishing import Refused
from surveys.workspace.access import survey_page
from surveys.workspace.overview import Overview, line


@survey_page(Right.SEE)
def preview(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The respondent's page of what is written now. It sends nothing, and nothing is stored."""
    # Without the request, as respondents get it: no context processor can bring anything in.
    return HttpResponse(render_to_string("respond/survey.html", {"paper": _paper(survey), "preview": True}))


def _paper(survey: Survey) -> Paper:
    return publishing.freeze(survey) if survey.is_draft else publishing.paper(survey.instrument)


@survey_page(Right.WRITE)
def publish(request: HttpRequest, survey: Survey) -> HttpResponse:
    if request.method == "POST":
        _publish_as_read(survey, request.POST.get("instrument", ""), request.user)
        messages.success(request, "The survey is published and open. Send the link to your respondents.")
        return redirect("workspace:survey", survey.slug)
    if not survey.is_draft:
        raise Refused("This survey is published already.")
    frozen = publishing.freeze(survey)
    overview = Overview([line(item) for item in frozen.items])
    return render(request, "workspace/publish.html", {"survey": survey, "paper": frozen, "overview": overview})


@transaction.atomic
def _publish_as_read(survey: Survey, read: str, by: AbstractBaseUser) -> None:
    """Publish, unless the author read something else: `read` is the hash of what the page showed."""
    survey = publishing.locked(survey)
    if read and survey.is_draft and publishing.freeze(survey).sha256 != read:
        raise Refused("The survey was changed in another window after you read it. Read it again, then publish.")
    publishing.publish(survey, by)


@survey_page(Right.WRITE)
def close(request: HttpRequest, survey: Survey) -> HttpResponse:
    if request.method == "POST":
        close_survey(survey, request.user)
        messages.success(request, "The survey is closed. All its responses are in the report.")
        return redirect("workspace:survey", survey.slug)
    if survey.status != Survey.Status.OPEN:
        raise Refused("Only an open survey can be closed.")
    return render(request, "workspace/close.html", {"survey": survey})


@survey_page(Right.WRITE)
def reopen(request: HttpRequest, survey: Survey) -> HttpResponse:
    if request.method == "POST":
        reopen_survey(survey, request.user)
        messages.success(request, "The survey is open again.")
        return redirect("workspace:survey", survey.slug)
    if survey.status != Survey.Status.CLOSED:
        raise Refused("Only a closed survey can be reopened.")
    return render(request, "workspace/reopen.html", {"survey": survey})
