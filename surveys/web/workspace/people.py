"""Who can answer a survey, and who works on it: the page of both, and the steps of a team."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from surveys.accounts import team
from surveys.accounts.access import Right, require_right, rights
from surveys.fieldwork.tickets import invitees
from surveys.models import INVITATION_DAYS, Membership, Role, Survey
from surveys.site.errors import Refused
from surveys.web.confirm import confirm
from surveys.web.said import message_page
from surveys.web.workspace.access import own_page, refusal_page, survey_page
from surveys.web.workspace.forms import ROLE_HINTS, InvitationForm


@survey_page(Right.SEE)
def people(request: HttpRequest, survey: Survey) -> HttpResponse:
    """POST invites to the team, and shows the link this one time."""
    may = {right.name.lower(): True for right in rights(request.user, survey)}
    form, secret = InvitationForm(request.POST if request.method == "POST" else None), None
    if form.is_bound:
        require_right(request.user, survey, Right.MANAGE)
        secret = form.attempt(team.invite, survey=survey, by=request.user, role=form.typed("role"))
    context = {
        "survey": survey,
        "may": may,
        "form": form,
        "link": request.build_absolute_uri(reverse("workspace:join", args=[secret]))
        if secret
        else "",
        "role": Role(form.typed("role")).label if secret else "",
        "days": INVITATION_DAYS,
        "members": [
            (member, ROLE_HINTS[Role(member.role)])
            for member in survey.memberships.select_related("user")
        ],
        "invitations": survey.invitations.all() if "manage" in may else [],
        "counts": invitees.counts(survey) if survey.tickets else None,
    }
    return render(request, "workspace/people.html", context, status=422 if form.errors else 200)


def _team(survey: Survey) -> HttpResponseRedirect:
    return HttpResponseRedirect(f"{reverse('workspace:people', args=[survey.slug])}#team")


@survey_page(Right.MANAGE)
@require_POST
def withdraw(request: HttpRequest, survey: Survey, pk: UUID) -> HttpResponse:
    team.revoke_invitation(invitation=get_object_or_404(survey.invitations, pk=pk), by=request.user)
    messages.success(request, "The invitation is withdrawn. Its link no longer works.")
    return _team(survey)


def _member(survey: Survey, pk: UUID) -> Membership:
    membership: Membership = get_object_or_404(survey.memberships.select_related("user"), pk=pk)
    return membership


@survey_page(Right.MANAGE)
@require_POST
def remove(request: HttpRequest, survey: Survey, pk: UUID) -> HttpResponse:
    membership = _member(survey, pk)
    team.remove(membership=membership, by=request.user)
    messages.success(request, f"{membership.user.get_username()} has left the team.")
    return _team(survey)


@survey_page(Right.MANAGE)
def transfer(request: HttpRequest, survey: Survey, pk: UUID) -> HttpResponse:
    membership = _member(survey, pk)
    if request.method == "POST":
        team.transfer(membership=membership, by=request.user)
        messages.success(
            request, f"{membership.user.get_username()} owns the survey now. You are an editor."
        )
        return redirect("workspace:survey", survey.slug)
    stays = "You stay in the team as an editor. Only the new owner can give the survey back to you."
    asked, back = f"Make {membership.user.get_username()} the owner?", _team(survey).url
    return confirm(request, survey, asked, stays, do="Make owner", stay="Keep it", back=back)


def _no_invitation(request: HttpRequest) -> HttpResponse:
    why = "Ask the survey’s owner for a new one. This one was used, withdrawn, has expired, or is incomplete."
    then = reverse("workspace:surveys"), "Your surveys"
    return message_page(request, "This invitation no longer works", why, status=404, then=then)


@own_page
def join(request: HttpRequest, secret: str) -> HttpResponse:
    """What an invitation's link opens. Whoever follows it reads what it offers, then accepts."""
    invitation = team.find_invitation(secret)
    if invitation is None:
        return _no_invitation(request)
    survey = invitation.survey
    if request.method != "POST":
        asked, role = f"Join the team of “{survey.title}”?", invitation.get_role_display().lower()
        invites = format_html(
            "<bdi>{}</bdi> invites you. Your role: {}.", survey.owner.get_username(), role
        )
        own = request.user.get_username()
        name = format_html("You are logged in as <bdi>{}</bdi>. The team sees this name.", own)
        words = {"do": "Join the team", "stay": "Not now", "back": reverse("workspace:surveys")}
        return confirm(request, None, asked, invites, name, **words, is_bad=False)
    try:
        team.join(invitation=invitation, user=request.user)
    except Refused as refusal:
        if not rights(request.user, survey):
            return _no_invitation(request)
        return refusal_page(request, survey, str(refusal))
    messages.success(request, "You are in the team.")
    return redirect("workspace:survey", survey.slug)
