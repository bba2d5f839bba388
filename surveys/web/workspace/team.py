"""Pages of a survey's team: who is in it, who is invited, who did what."""

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from surveys.accounts import team
from surveys.accounts.access import Right, rights
from surveys.accounts.history_wording import chronicle
from surveys.models import INVITATION_DAYS, Role, Survey
from surveys.site.errors import Refused
from surveys.web.workspace.access import own_page, refused, survey_page
from surveys.web.workspace.forms import InvitationForm

EVENTS = 100  # of the history on a page


@survey_page(Right.OWN)
def show(request: HttpRequest, survey: Survey) -> HttpResponse:
    """The team; POST invites, and shows the link this one time."""
    form = InvitationForm(request.POST if request.method == "POST" else None)
    secret = (
        form.attempt(team.invite, survey=survey, by=request.user, role=form.typed("role")) if form.is_bound else None
    )
    context = {
        "survey": survey,
        "form": form,
        "link": request.build_absolute_uri(reverse("workspace:join", args=[secret])) if secret else "",
        "role": Role(form.typed("role")).label if secret else "",
        "days": INVITATION_DAYS,
        "members": survey.memberships.select_related("user"),
        "invitations": survey.invitations.all(),
    }
    return render(request, "workspace/team.html", context, status=422 if form.errors else 200)


@survey_page(Right.OWN)
@require_POST
def withdraw(request: HttpRequest, survey: Survey, pk: UUID) -> HttpResponse:
    team.withdraw(invitation=get_object_or_404(survey.invitations, pk=pk), by=request.user)
    messages.success(request, "The invitation is withdrawn: its link opens nothing any more.")
    return redirect("workspace:team", survey.slug)


@survey_page(Right.OWN)
@require_POST
def remove(request: HttpRequest, survey: Survey, pk: UUID) -> HttpResponse:
    membership = get_object_or_404(survey.memberships.select_related("user"), pk=pk)
    team.remove(membership=membership, by=request.user)
    messages.success(request, f"{membership.user.get_username()} is no longer in the team.")
    return redirect("workspace:team", survey.slug)


@survey_page(Right.OWN)
def transfer(request: HttpRequest, survey: Survey, pk: UUID) -> HttpResponse:
    membership = get_object_or_404(survey.memberships.select_related("user"), pk=pk)
    if request.method == "POST":
        team.transfer(membership=membership, by=request.user)
        messages.success(request, f"The survey belongs to {membership.user.get_username()} now. You are an editor.")
        return redirect("workspace:survey", survey.slug)
    return render(request, "workspace/transfer.html", {"survey": survey, "membership": membership})


@own_page
def join(request: HttpRequest, secret: str) -> HttpResponse:
    """What an invitation's link opens. Whoever follows it reads what it offers, then accepts."""
    invitation = team.find_invitation(secret)
    if invitation is None:
        return render(request, "workspace/no_invitation.html", status=404)
    survey = invitation.survey
    if request.method != "POST":
        return render(request, "workspace/join.html", {"invitation": invitation})
    try:
        team.join(invitation=invitation, user=request.user)
    except Refused as refusal:
        if not rights(request.user, survey):
            return render(request, "workspace/no_invitation.html", status=404)
        return refused(request, survey, str(refusal))
    messages.success(request, "You are in the team.")
    return redirect("workspace:survey", survey.slug)


@survey_page(Right.SEE)
@require_safe
def history(request: HttpRequest, survey: Survey) -> HttpResponse:
    page = Paginator(survey.events.all(), EVENTS).get_page(request.GET.get("page"))
    lines = chronicle(page, request.user)
    return render(request, "workspace/history.html", {"survey": survey, "lines": lines, "page": page})
