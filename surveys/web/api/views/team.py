"""A survey's team by program: who is in it, who is invited, who did what."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.accounts import access, team
from surveys.accounts.access import Right
from surveys.models import Invitation, Role
from surveys.site.errors import Refused
from surveys.site.shape import ApiResult, api_field, as_json
from surveys.web.api.fields import Choice, Strict
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views.base import View, created, errors, valid


@dataclass(frozen=True)
class MemberResult(ApiResult):
    id: UUID = api_field()
    name: str = api_field()
    role: Role = api_field()


@dataclass(frozen=True)
class InvitationResult(ApiResult):
    id: UUID = api_field()
    role: Role = api_field()
    expires: datetime = api_field()


@dataclass(frozen=True)
class TeamResult(ApiResult):
    owner: str = api_field()
    members: tuple[MemberResult, ...] = api_field()
    invitations: tuple[InvitationResult, ...] = api_field(
        "open invitations; you can’t read their links again"
    )


@dataclass(frozen=True)
class Invited(InvitationResult):
    link: str = api_field("shown only now; the first person who opens it joins")
    secret: str = api_field("its last part, for `join/`")


@dataclass(frozen=True)
class Offer(ApiResult):
    survey: str = api_field("its title")
    owner: str = api_field()
    role: Role = api_field()
    expires: datetime = api_field()


@dataclass(frozen=True)
class Joined(ApiResult):
    survey: str = api_field("its slug")
    role: Role = api_field()


class InviteSerializer(Strict):
    role = Choice(Role.choices)


class OfTeams(View):
    """Who may see what is a matter of its own: a token that writes surveys cannot choose who reads them."""

    reading = writing = "team"


class Team(OfTeams):
    @extend_schema(
        summary="The team and its open invitations",
        responses=errors() | {200: serializer_for(TeamResult)},
    )
    def get(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.MANAGE)
        members, invitations = survey.memberships.select_related("user"), survey.invitations.all()
        told = (MemberResult.from_object(each, name=each.user.get_username()) for each in members)
        invited = tuple(map(InvitationResult.from_object, invitations))
        return Response(as_json(TeamResult(survey.owner.get_username(), tuple(told), invited)))


class Invite(OfTeams):
    @extend_schema(
        summary="Invite a colleague by a link, shown only once",
        request=InviteSerializer,
        responses=errors(409, 415, 422) | {201: serializer_for(Invited)},
        examples=[
            OpenApiExample("Someone who reads the report", {"role": "analyst"}, request_only=True)
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.MANAGE)
        secret = team.invite(
            survey=survey, by=request.user, role=valid(InviteSerializer, request)["role"]
        )
        link = request.build_absolute_uri(reverse("workspace:join", args=[secret]))
        made = _invitation(secret)
        shown = Invited.from_object(made, link=link, secret=secret)
        return created(as_json(shown), "withdraw", slug, made.pk, **{"Cache-Control": "no-store"})


class Withdraw(OfTeams):
    @extend_schema(
        summary="Withdraw an invitation: its link no longer works", responses=errors() | {204: None}
    )
    def delete(self, request: Request, slug: str, pk: UUID) -> Response:
        survey = access.survey_for(request.user, slug, Right.MANAGE)
        team.revoke_invitation(
            invitation=get_object_or_404(survey.invitations, pk=pk), by=request.user
        )
        return Response(status=204)


class Member(OfTeams):
    @extend_schema(summary="Take someone off the team", responses=errors() | {204: None})
    def delete(self, request: Request, slug: str, pk: UUID) -> Response:
        survey = access.survey_for(request.user, slug, Right.MANAGE)
        membership = get_object_or_404(survey.memberships.select_related("user"), pk=pk)
        team.remove(membership=membership, by=request.user)
        return Response(status=204)


class Transfer(OfTeams):
    @extend_schema(
        summary="Make a member the owner; you stay as an editor",
        request=None,
        responses=errors(409) | {204: None},
    )
    def post(self, request: Request, slug: str, pk: UUID) -> Response:
        survey = access.survey_for(request.user, slug, Right.MANAGE)
        team.transfer(membership=get_object_or_404(survey.memberships, pk=pk), by=request.user)
        return Response(status=204)


class Join(OfTeams):
    @extend_schema(
        summary="What an invitation offers", responses=errors() | {200: serializer_for(Offer)}
    )
    def get(self, request: Request, secret: str) -> Response:
        invitation = _invitation(secret)
        survey, owner = invitation.survey.title, invitation.survey.owner.get_username()
        return Response(as_json(Offer.from_object(invitation, survey=survey, owner=owner)))

    @extend_schema(
        summary="Accept an invitation: you join the team",
        request=None,
        responses=errors(409) | {200: serializer_for(Joined)},
    )
    def post(self, request: Request, secret: str) -> Response:
        invitation = _invitation(secret)
        try:
            survey = team.join(invitation=invitation, user=request.user)
        except Refused:
            if not access.rights(
                request.user, invitation.survey
            ):  # used up meanwhile: it offers nothing any more
                raise Http404 from None
            raise
        return Response(as_json(Joined(survey.slug, invitation.role)))


def _invitation(secret: str) -> Invitation:
    invitation = team.find_invitation(secret)
    if invitation is None:
        raise NotFound(
            "This invitation has been used or withdrawn, or has expired. Ask for a new one."
        )
    return invitation
