"""Pages to look at a survey as a respondent does, to publish it, and to pause, close and reopen it."""

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from surveys import extensions
from surveys.accounts.access import Right, surveys_of
from surveys.authoring.files import survey_file
from surveys.authoring.planning.checklist import points, verdict
from surveys.authoring.planning.overview import survey_overview
from surveys.authoring.planning.precision import target_or_default
from surveys.authoring.planning.together import together
from surveys.definition import short_names
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork import lifecycle
from surveys.fieldwork.link import current_definition
from surveys.fieldwork.page import render_page
from surveys.fieldwork.responses.closing import close_survey, reopen_survey
from surveys.fieldwork.responses.destruction import destroy as destroy_survey
from surveys.models import Survey
from surveys.site.errors import Invalid, Refused
from surveys.site.headers import answer
from surveys.site.page_program import PAGE
from surveys.web.confirm import confirm
from surveys.web.optional_urls import optional_url
from surveys.web.workspace.access import post_only, survey_page
from surveys.web.workspace.forms import DestroyForm
from surveys.web.workspace.protection import remedy

NO_MORE = "No one can answer after this, including people who already have the page open. You can reopen it later."
LAST_UPDATE = "The report is updated once more. If fewer than 20 came last, they stay hidden."
FIXES_GROUPS = (
    "Closing also fixes the report groups. They can’t be split later. Responses after a reopening are added at the "
    "next closing, if each group gains enough."
)
AGAIN = (
    "It takes answers again at the same link, with the same questions. People who already answered can answer again. "
    "We can’t recognize them. New responses enter the report from 40, or from 20 when the survey closes again."
)
ALL_GONE = (
    "This permanently deletes the responses, the report, the questions and the history for the whole team. Download "
    "what you need first. The site’s operator keeps one line: who deleted it and when. Backups may hold copies until "
    "the operator deletes them."
)


@survey_page(Right.SEE)
def preview(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The respondent's page of what is written now. It sends nothing, and nothing is stored."""
    if survey.import_only:
        raise Refused("An import-only survey has no page for respondents.")
    return _previewed(request, "respondent/survey.html", survey, PAGE)


@survey_page(Right.SEE)
def preview_help(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The page of the help lines as they are written now."""
    if survey.import_only:
        raise Refused("An import-only survey has no page for respondents.")
    return _previewed(request, "respondent/help.html", survey)


def _previewed(
    request: HttpRequest, template: str, survey: Survey, entry: str = ""
) -> HttpResponse:
    return answer(
        request, render_page(template, current_definition(survey), entry, preview="draft")
    )


@survey_page(Right.WRITE)
def publish(request: HttpRequest, survey: Survey) -> HttpResponse:
    wrong: dict[str, str] = {}
    if request.method == "POST":
        given = {
            "reason": request.POST.get("reason", ""),
            "no_number": request.POST.get("no_number") == "yes",
        }
        try:
            lifecycle.publish(
                survey, request.user, read=request.POST.get("instrument", ""), **given
            )
        except Invalid as error:
            wrong = error.errors
        else:
            return _published(request, survey)
    if not survey.is_draft:
        raise Refused("This survey is already published.")
    if survey.import_only:
        raise Refused("An import-only survey can’t be published to respondents.")
    typed = {"survey": survey, "wrong": wrong, "reason": request.POST.get("reason", "")}
    context = _ready(survey, surveys_of(request.user)) | typed
    return render(request, "workspace/publish.html", context, status=422 if wrong else 200)


def _published(request: HttpRequest, survey: Survey) -> HttpResponse:
    invitation_list = optional_url("workspace:invite", survey.slug)
    if survey.tickets and invitation_list:
        messages.success(request, "The survey is published. Now send the invitation links.")
        return redirect(invitation_list)
    messages.success(request, "The survey is published. Send the link to your respondents.")
    return redirect(f"{reverse('workspace:survey', args=[survey.slug])}?published")


def _ready(survey: Survey, visible: QuerySet[Survey]) -> dict[str, Any]:
    """What the page shows before the button, and what the button waits for."""
    seen = survey_overview(survey)
    names = short_names.short_names_to_store(survey, seen.questions)
    seen.lines[:] = [replace(line, short=names[line.key][survey.language]) for line in seen.lines]
    told = points(survey, seen)
    try:
        frozen, waits = lifecycle.check_publishable(survey, seen.questions), ""
    except Refused as reason:
        frozen, waits = None, str(reason)
    return {
        "paper": frozen,
        "waits": waits,
        "points": told,
        "verdict": verdict(told),
        "claimed": [line.protection.item for line in seen.lines if line.protection],
        "wanted": target_or_default(survey),
        "overview": seen,
        "remedy": remedy(survey, seen),
        "together": together(survey, seen.epsilon, visible),
        "asks": lifecycle.required_confirmations(survey, frozen) if frozen else {},
    }


@survey_page(Right.WRITE)
@post_only
def pause(request: HttpRequest, survey: Survey) -> HttpResponse:
    lifecycle.pause(survey, request.user)
    messages.success(request, "The survey is paused. It takes no answers until you open it again.")
    return redirect("workspace:survey", survey.slug)


@survey_page(Right.WRITE)
def close(request: HttpRequest, survey: Survey) -> HttpResponse:
    if request.method == "POST":
        close_survey(survey, request.user)
        messages.success(
            request, "The survey is closed. If fewer than 20 responses came last, they stay hidden."
        )
        return redirect("workspace:survey", survey.slug)
    if survey.status not in (Survey.Status.OPEN, Survey.Status.PAUSED):
        raise Refused("Only an open survey can be closed.")
    said = [
        NO_MORE,
        LAST_UPDATE,
        *([FIXES_GROUPS] if parse_instrument(survey.instrument).cut else []),
    ]
    return confirm(
        request,
        survey,
        f"Close “{survey.title}”?",
        *said,
        do="Close survey",
        stay="Keep it open",
        is_bad=False,
    )


@survey_page(Right.WRITE)
def reopen(request: HttpRequest, survey: Survey) -> HttpResponse:
    if request.method == "POST":
        reopen_survey(survey, request.user)
        messages.success(request, "The survey is open again.")
        return redirect("workspace:survey", survey.slug)
    if survey.status not in (Survey.Status.CLOSED, Survey.Status.PAUSED):
        raise Refused("Only a paused or closed survey can be reopened.")
    said = [AGAIN, *(note for notes_of in extensions.reopening_notes for note in notes_of(survey))]
    return confirm(
        request,
        survey,
        f"Reopen “{survey.title}”?",
        *said,
        do="Reopen",
        stay="Not now",
        is_bad=False,
    )


@survey_page(Right.MANAGE)
def destroy(request: HttpRequest, survey: Survey) -> HttpResponse:
    if not survey.is_over:
        raise Refused("Only a closed survey can be deleted permanently. Close it first.")
    form = DestroyForm(request.POST if request.method == "POST" else None)
    if form.is_bound:
        form.attempt(destroy_survey, survey=survey, by=request.user, confirm=form.typed("title"))
        if not form.errors:
            messages.success(request, f"“{survey.title}” is deleted permanently.")
            return redirect("workspace:surveys")
    asked = f"Delete “{survey.title}” permanently?"
    return confirm(
        request, survey, asked, ALL_GONE, do="Delete permanently", stay="Keep it", form=form
    )


@survey_page(Right.WRITE)
@post_only
def new_version(request: HttpRequest, survey: Survey) -> HttpResponse:
    """A draft that names this survey as its predecessor."""
    fresh = survey_file.new_version(survey, request.user)
    messages.success(
        request,
        "This is the draft of a new version, with its own address. The old one does not change.",
    )
    return redirect("workspace:survey", fresh.slug)


@survey_page(Right.SEE)
@post_only
def duplicate(request: HttpRequest, survey: Survey) -> HttpResponse:
    """A draft of one's own with the same texts and questions; with `paper`, one that takes files."""
    for_paper = "paper" in request.POST
    copy = survey_file.duplicate(survey, request.user, import_only=for_paper)
    said = ""
    if for_paper:
        print_sheet = "print its sheet, " if optional_url("workspace:sheet", copy.slug) else ""
        said = (
            f" It takes its responses from files. Prepare it, {print_sheet}then import the answers. "
            "Read its texts again: on paper there is no device."
        )
    messages.success(request, f"This is your copy. Only you see it.{said}")
    if for_paper and (kept := survey_file.not_on_a_sheet(copy)):
        messages.warning(request, kept)
    return redirect("workspace:survey", copy.slug)
