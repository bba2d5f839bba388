"""Links under which anyone reads the report of a closed survey, by program."""

from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from features.shared_reports import links
from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.models import ReportLink
from surveys.site.shape import ApiResult, api_field, as_json
from surveys.web.api.fields import Date, Strict, Text
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views.base import View, created, errors, valid


@dataclass(frozen=True)
class ReportLinkResult(ApiResult):
    id: UUID = api_field()
    note: str = api_field("only the team sees it")
    until: date = api_field("the last day on which it works, in UTC")
    by: str | None = api_field("who made it; null: that account was deleted")
    created: date = api_field()


@dataclass(frozen=True)
class NewReportLink(ReportLinkResult):
    link: str = api_field("shown only now; anyone who has it can read the report")


@dataclass(frozen=True)
class ReportLinksResult(ApiResult):
    links: tuple[ReportLinkResult, ...] = api_field(
        "links that work; you can’t read their addresses again"
    )


class ReportLinkInputSerializer(Strict):
    note = Text(help_text=f"only the team sees it; at most {links.NOTE_LENGTH} characters")
    until = Date(
        required=False,
        allow_null=True,
        help_text=f"the last day on which it works, in UTC; at most {links.MOST_DAYS} days from now, {links.DAYS} if "
        "left out",
    )


class ReportLinks(View):
    @extend_schema(
        summary="The links to the report",
        responses=errors() | {200: serializer_for(ReportLinksResult)},
    )
    def get(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.SEE)
        return Response(as_json(ReportLinksResult(tuple(map(_told, links.active_links(survey))))))

    @extend_schema(
        summary="Make a link to the report of a closed survey, shown only once",
        description=(
            "Anyone who has it can read what public results show. 422 until the survey is closed, 409 until its last "
            "update is done. Reopening the survey ends all links."
        ),
        request=ReportLinkInputSerializer,
        responses=errors(409, 415, 422) | {201: serializer_for(NewReportLink)},
        examples=[
            OpenApiExample("For the ethics board", {"note": "Ethics board"}, request_only=True)
        ],
    )
    def post(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        asked = valid(ReportLinkInputSerializer, request)
        about = {"until": str(asked.get("until") or ""), "note": asked.get("note", "")}
        return _created(request, *links.create(survey=survey, by=request.user, **about))


class ReportLinkDetail(View):
    @extend_schema(summary="Switch a link to the report off", responses=errors(409) | {204: None})
    def delete(self, request: Request, slug: str, pk: UUID) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        links.switch_off(link=get_object_or_404(survey.report_links, pk=pk), by=request.user)
        return Response(status=204)


class RenewReportLink(View):
    @extend_schema(
        summary="Replace the link by a new one",
        request=None,
        responses=errors(409) | {201: serializer_for(NewReportLink)},
    )
    def post(self, request: Request, slug: str, pk: UUID) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        link = get_object_or_404(survey.report_links, pk=pk)
        return _created(request, *links.renew(link=link, by=request.user))


def _created(request: Request, link: ReportLink, secret: str) -> Response:
    address = request.build_absolute_uri(reverse("report-link", args=[secret]))
    told = NewReportLink.from_object(link, by=_name(link), link=address)
    return created(
        as_json(told), "report-link", link.survey.slug, link.pk, **{"Cache-Control": "no-store"}
    )


def _told(link: ReportLink) -> ReportLinkResult:
    return ReportLinkResult.from_object(link, by=_name(link))


def _name(link: ReportLink) -> str | None:
    return link.by.get_username() if link.by else None
