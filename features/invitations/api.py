"""Inviting by program: who can answer, the list, links, mails, replacing, finishing; by the services of the pages."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from features.invitations import links, outbox, roster
from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.authoring.drafts.drafts import update_settings
from surveys.fieldwork.responses.progress import count_received
from surveys.fieldwork.responses.ticket_completion import finish
from surveys.fieldwork.tickets import invitees
from surveys.fieldwork.tickets.invitees import MOST_AT_ONCE
from surveys.models import Mail, Survey
from surveys.site.errors import Invalid
from surveys.site.shape import ApiResult, api_field, as_json
from surveys.web.api.fields import Choice, Flag, Strict, Text, Whole
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views.base import View, errors, valid
from surveys.web.api.views.paging import PARAMETERS, Pages
from surveys.web.api.views.responses import AnyFile

KINDS = (Mail.Kind.REMINDER, Mail.Kind.GENERAL)
ORDER = ("label", "email", "pk")


class StepsSerializer(Strict):
    tickets = Choice(
        Survey.Tickets.choices,
        help_text='"": anyone with the link; for invited people "one" (answer right away) or "two" (tickets first)',
    )


class PersonSerializer(Strict):
    label = Text(max_length=roster.LABEL_LENGTH, help_text="helps you find the person again")
    email = Text(max_length=254)


class PeopleSerializer(Strict):
    people = PersonSerializer(many=True, required=False, max_length=MOST_AT_ONCE)
    unnamed = Whole(
        required=False,
        min_value=0,
        max_value=MOST_AT_ONCE,
        help_text="how many access codes without a name to add, for letters",
    )
    skip = Flag(required=False, help_text="skip people who are on the list already, or here twice")


@dataclass(frozen=True)
class InviteeResult(ApiResult):
    pk: UUID = api_field(name="id")
    label: str = api_field()
    email: str = api_field()


@dataclass(frozen=True)
class InviteePage(ApiResult):
    next: str | None = api_field()
    previous: str | None = api_field()
    results: tuple[InviteeResult, ...] = api_field()
    invited: int = api_field("including people taken off the list after publishing")
    fetched: int = api_field(
        "people who took a ticket: as of the last update, in steps of 20; exact once the survey is closed"
    )
    tickets: int = api_field(
        "that these people have taken; while the survey is open an upper bound, with every replaced ticket"
    )
    answered: int = api_field("responses in the report, as of the last update")
    waiting: int = api_field("invitations and new links still to be sent")
    delayed: int = api_field(
        "of these, how many the mail server refused for now; they are tried again for three days"
    )
    set_aside: int = api_field(
        "invitations that may have been sent before the site was restored; decide with `invitees/mail/`"
    )
    refused: tuple[str, ...] = api_field(
        "addresses that the mail server refused, for good or for three days"
    )


@dataclass(frozen=True)
class Linked(ApiResult):
    id: UUID = api_field()
    code: str = api_field()
    link: str = api_field()
    mailed: bool = api_field("whether a mail with the link is still to be sent")


@dataclass(frozen=True)
class Queued(ApiResult):
    mails: int = api_field("mails now waiting to be sent")


@dataclass(frozen=True)
class Added(ApiResult):
    added: tuple[UUID, ...] = api_field()


@dataclass(frozen=True)
class Removed(ApiResult):
    removed: int = api_field()


class RemindSerializer(Strict):
    kind = Choice(
        [(str(kind), kind.label) for kind in KINDS],
        required=False,
        help_text="`reminder` (the default) for people without a ticket; `general`, only once, for all who have one",
    )


class InviteMailSerializer(Strict):
    set_aside = Choice(
        [("send", "send them"), ("discard", "discard them")],
        required=False,
        help_text="what happens to the mails that a restore set aside, and only to these",
    )


class FinishTicketsSerializer(Strict):
    confirm = Text(required=True, max_length=200, help_text="the survey's title")


class OfTickets(View):
    """Reading takes the scope of inviting too: it shows people."""

    reading = writing = "invite"


class Steps(View):
    @extend_schema(
        summary="Who can answer: anyone with the link, or invited people",
        operation_id="surveys_steps_retrieve",
        responses=errors() | {200: StepsSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response({"tickets": access.survey_for(request.user, slug, Right.SEE).tickets})

    @extend_schema(
        summary="Choose who can answer",
        description="Only for a draft: people take their tickets on this promise.",
        request=StepsSerializer,
        responses=errors(409, 415, 422) | {200: StepsSerializer},
        examples=[
            OpenApiExample(
                "Invited people: tickets first, answers later",
                {"tickets": "two"},
                request_only=True,
            )
        ],
    )
    def put(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        saved = update_settings(survey, valid(StepsSerializer, request), request.user)
        return Response({"tickets": saved.tickets})


class Invitees(OfTickets):
    parameters = ("cursor", "page_size")

    @extend_schema(
        summary="The invited people, and how many took a ticket and answered",
        description="The list doesn’t say who took a ticket. No one knows who answered.",
        parameters=PARAMETERS,
        responses=errors() | {200: serializer_for(InviteePage)},
    )
    def get(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.INVITE)
        pages = Pages()
        invitees_on_page = pages.paginate_queryset(self.listed(survey), request, self)
        shown = pages.get_paginated_response(
            [as_json(InviteeResult.from_object(each)) for each in invitees_on_page]
        )
        shown.data |= _counted(survey)
        return shown

    @extend_schema(
        summary="Invite people",
        description=f"At most {MOST_AT_ONCE:,} at once. All or nothing: the error names people who are there twice. A "
        "draft that is open to anyone becomes one for invited people: “tickets first, answers later” from 20 people, "
        "“answer right away” below.",
        request=PeopleSerializer,
        responses=errors(409, 415, 422) | {201: serializer_for(Added)},
        examples=[
            OpenApiExample(
                "One by mail, 20 by letter",
                {"people": [{"label": "Ada", "email": "ada@example.org"}], "unnamed": 20},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.INVITE)
        asked = valid(PeopleSerializer, request)
        more = {"unnamed": asked.get("unnamed", 0), "skip": asked.get("skip", False)}
        made = roster.add(survey, _people(asked.get("people", [])), **more, by=request.user)
        return Response(as_json(Added(tuple(each.pk for each in made))), status=201)

    @extend_schema(
        summary="Take everyone off the list of a draft",
        operation_id="surveys_invitees_clear",
        responses=errors(409) | {200: serializer_for(Removed)},
    )
    def delete(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.INVITE)
        return Response(as_json(Removed(roster.remove_everyone(survey, request.user))))

    def listed(self, survey: Survey) -> QuerySet:
        return links.invited_people(survey)

    def ordering(self, request: Request) -> tuple[str, ...]:
        return ORDER


class InviteeDetail(OfTickets):
    @extend_schema(
        summary="Take someone off the list",
        description=(
            "Deletes the label, address and code. A ticket the person took still works, because no one can tell which "
            "one it is. A published survey keeps an empty row, so the counts stay right."
        ),
        responses=errors() | {204: None},
    )
    def delete(self, request: Request, slug: str, pk: UUID) -> Response:
        survey = access.survey_for(request.user, slug, Right.INVITE)
        roster.take_off(get_object_or_404(links.invited_people(survey), pk=pk), request.user)
        return Response(status=204)


class InviteLinks(OfTickets):
    renderer_classes = (AnyFile,)

    @extend_schema(
        summary="The link and access code of each person, as CSV",
        description="409 for a draft, and once the tickets are finished.",
        responses=errors(409) | {(200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        survey = access.survey_for(request.user, slug, Right.INVITE)
        return HttpResponse(
            links.as_csv(_site(request), survey), content_type="text/csv; charset=utf-8"
        )


class InviteMail(OfTickets):
    @extend_schema(
        summary="Email an invitation to everyone with an address who has not had one",
        description=(
            "The mails are sent one by one within minutes. Those the mail server refused before are tried again. 409 "
            "where the site sends no mail, for a draft, and when no one can take a ticket any more. After a restore, "
            "`set_aside` decides about the mails that may have been sent before."
        ),
        request=InviteMailSerializer,
        responses=errors(409, 415, 422) | {202: serializer_for(Queued)},
    )
    def post(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.INVITE)
        decision = valid(InviteMailSerializer, request).get("set_aside")
        if decision == "send":
            return Response(as_json(Queued(outbox.send_set_aside(survey))), status=202)
        if decision == "discard":
            outbox.discard_set_aside(survey)
            return Response(as_json(Queued(0)), status=202)
        made = outbox.invite(survey, request.user)
        return Response(as_json(Queued(made + outbox.try_again(survey))), status=202)


class Remind(OfTickets):
    @extend_schema(
        summary="Remind by mail",
        description=(
            "People without a ticket as often as you like. People with one only once, because no one knows who "
            "answered. The answer doesn’t say how many mails wait: that would show how many people have a ticket now."
        ),
        request=RemindSerializer,
        responses=errors(409, 415, 422) | {202: None},
    )
    def post(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.INVITE)
        kind = valid(RemindSerializer, request).get("kind", Mail.Kind.REMINDER)
        outbox.remind(survey, kind, request.user)
        return Response(status=202)


class Replace(OfTickets):
    @extend_schema(
        summary="A new link for someone who lost the link or the ticket",
        description=(
            "The old link no longer works; a ticket taken with it does. 409 when no one can take a ticket any more."
        ),
        request=None,
        responses=errors(409) | {200: serializer_for(Linked)},
    )
    def post(self, request: Request, slug: str, pk: UUID) -> Response:
        survey = access.survey_for(request.user, slug, Right.INVITE)
        links.require_links(survey)
        new = invitees.replace(get_object_or_404(links.invited_people(survey), pk=pk), request.user)
        mailed = outbox.send_replacement(new)
        [made] = links.iter_links(_site(request), [new], survey)
        return Response(as_json(Linked.from_object(made, id=new.pk, mailed=mailed)))


class FinishTickets(OfTickets):
    @extend_schema(
        summary="Finish the tickets for good",
        description=(
            "Only for a closed survey. Deletes the key, the list, codes, addresses and the list of used tickets. "
            "Responses and the three numbers stay. You can never reopen the survey."
        ),
        request=FinishTicketsSerializer,
        responses=errors(409, 415, 422) | {204: None},
    )
    def post(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.INVITE)
        if valid(FinishTicketsSerializer, request)["confirm"].strip() != survey.title:
            raise Invalid({"confirm": "This is not the title of the survey. Nothing was deleted."})
        finish(survey, request.user)
        return Response(status=204)


def _people(given: list[dict[str, str]]) -> list[tuple[int, Any]]:
    """Raises Invalid with the place of each that is wrong."""
    people, wrong = [], {}
    for place, each in enumerate(given):
        try:
            people.append(
                (place + 1, roster.validate_person(each.get("label", ""), each.get("email", "")))
            )
        except ValueError as error:
            wrong[f"people.{place}"] = f"{error}"[:1].upper() + f"{error}"[1:]
    if wrong:
        raise Invalid(wrong)
    return people


def _counted(survey: Survey) -> dict[str, Any]:
    answered = 0 if survey.is_draft else count_received(survey)["released"]
    refused = [
        each.invitee.email for each in outbox.refused_mails(survey).select_related("invitee")
    ]
    mails = {
        "waiting": outbox.count_queued(survey),
        "delayed": outbox.delayed(survey),
        "refused": refused,
    }
    mails["set_aside"] = outbox.set_aside(survey)
    return invitees.counts(survey)._asdict() | {"answered": answered} | mails


def _site(request: Request) -> str:
    return str(request.build_absolute_uri("/"))
