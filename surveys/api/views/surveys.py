"""Surveys by program: listed, written, published, closed, copied. The same services as the workspace."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import pagination
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.api import content, serializers
from surveys.api.views.base import View, WrongParameter, errors
from surveys.authoring import drafts
from surveys.ballots.closing import close_survey, reopen_survey
from surveys.models import Survey
from surveys.people import access
from surveys.people.access import Right
from surveys.publishing import freezing, lifecycle

SURVEY = serializers.SurveyDetailSerializer
EXAMPLE = OpenApiExample(
    "A survey with one question",
    {
        "title": "Taxes",
        "contact": "Institute of examples, ada@example.org",
        "questions": [
            {"key": "tax", "kind": "yes-no", "text": "Have you ever evaded taxes?", "design": "two-coin"},
        ],
    },
    request_only=True,
)
ORDERINGS = {"-created": ("-created", "pk"), "created": ("created", "pk"), "title": ("title", "pk")}


class Pages(pagination.CursorPagination):
    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 100

    def get_ordering(self, request: Request, queryset: QuerySet, view: Any) -> tuple[str, ...]:
        return view.ordering(request)

    def paginate_queryset(self, queryset: QuerySet, request: Request, view: Any = None) -> list[Survey] | None:
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValidationError, ValueError):  # a cursor that somebody made up
            raise NotFound(self.invalid_cursor_message) from None


class SurveyList(View):
    parameters = ("cursor", "page_size", "status", "project", "search", "ordering")

    @extend_schema(
        summary="Your surveys, and those of your teams",
        description="Newest first unless ordered otherwise; `next` and `previous` are addresses of more.",
        parameters=[
            OpenApiParameter("cursor", str, description="from `next` or `previous`"),
            OpenApiParameter("page_size", {"type": "integer", "minimum": 1, "maximum": 100}),
            OpenApiParameter("status", enum=Survey.Status.values),
            OpenApiParameter("project", str),
            OpenApiParameter("search", str, description="part of the title"),
            OpenApiParameter("ordering", enum=list(ORDERINGS)),
        ],
        operation_id="surveys_list",
        responses=errors() | {200: serializers.SurveyPageSerializer},
    )
    def get(self, request: Request) -> Response:
        pages = Pages()
        page = pages.paginate_queryset(self._found(request), request, view=self)
        return pages.get_paginated_response(serializers.SurveySerializer(page, many=True).data)

    def _found(self, request: Request) -> QuerySet[Survey]:
        asked, found = request.query_params, access.surveys_of(request.user).select_related("instrument")
        if any("\x00" in value for value in asked.values()):
            raise WrongParameter("A parameter has a NUL in it.")
        if "status" in asked:
            found = found.filter(status=_one_of("status", asked["status"], Survey.Status.values))
        if "project" in asked:
            found = found.filter(project=asked["project"])
        if "search" in asked:
            found = found.filter(title__icontains=asked["search"])
        return found

    def ordering(self, request: Request) -> tuple[str, ...]:
        return ORDERINGS[_one_of("ordering", request.query_params.get("ordering", "-created"), list(ORDERINGS))]

    @extend_schema(
        summary="Write a draft, with its questions",
        request=serializers.SurveyInputSerializer,
        responses=errors(415, 422) | {201: SURVEY},
        examples=[EXAMPLE],
    )
    def post(self, request: Request) -> Response:
        survey = content.create(_valid(serializers.SurveyInputSerializer, request), request.user)
        return Response(content.shown(survey), status=201)


class SurveyDetail(View):
    @extend_schema(summary="One survey, with everything that was written", responses=errors() | {200: SURVEY})
    def get(self, request: Request, slug: str) -> Response:
        return Response(content.shown(access.survey_for(request.user, slug, Right.SEE)))

    @extend_schema(
        summary="Replace a draft",
        description="Texts that are not given become empty. Questions that are given take the place of all there are.",
        request=serializers.SurveyInputSerializer,
        responses=errors(409, 415, 422) | {200: SURVEY},
        examples=[EXAMPLE],
    )
    def put(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        return self._change(request, survey, _valid(serializers.SurveyInputSerializer, request))

    @extend_schema(
        summary="Change a draft",
        description="Texts that are not given stay. Questions that are given take the place of all there are.",
        request=serializers.SurveyInputSerializer(partial=True),
        responses=errors(409, 415, 422) | {200: SURVEY},
    )
    def patch(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        kept = {name: value for name, value in content.written(survey).items() if name != "questions"}
        return self._change(request, survey, kept | _valid(serializers.SurveyInputSerializer, request, partial=True))

    def _change(self, request: Request, survey: Survey, data: dict[str, Any]) -> Response:
        return Response(content.shown(content.change(survey, data, request.user)))

    @extend_schema(summary="Delete a draft", responses=errors(409) | {204: None})
    def delete(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.OWN)
        drafts.delete_survey(survey=survey)
        return Response(status=204)


class Action(View):
    """A step of a survey that a POST takes."""

    def step(self, request: Request, slug: str, take: Any) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        take(survey, request.user)
        return Response(content.shown(Survey.objects.select_related("instrument").get(pk=survey.pk)))


class Publish(Action):
    @extend_schema(
        summary="Publish: freeze the survey and open it",
        description="Asked once more, it changes nothing and answers the same.",
        request=serializers.PublishSerializer,
        responses=errors(409, 415, 422) | {200: SURVEY},
    )
    def post(self, request: Request, slug: str) -> Response:
        expected = _valid(serializers.PublishSerializer, request).get("instrument")
        return self.step(request, slug, lambda survey, by: _publish(survey, by, expected))


@transaction.atomic
def _publish(survey: Survey, by: Any, expected: str | None) -> None:
    survey = survey.locked()
    sha256 = freezing.freeze(survey).sha256 if survey.is_draft else survey.instrument.sha256
    if expected not in (None, sha256):
        raise lifecycle.Refused(f"The frozen survey has the SHA-256 {sha256}, not the one that you expected.")
    if survey.is_draft:
        lifecycle.publish(survey, by)


class Pause(Action):
    @extend_schema(summary="Take no responses for a while", request=None, responses=errors(409) | {200: SURVEY})
    def post(self, request: Request, slug: str) -> Response:
        return self.step(request, slug, lifecycle.pause)


class Close(Action):
    @extend_schema(
        summary="Close: take no more responses and seal all", request=None, responses=errors(409) | {200: SURVEY}
    )
    def post(self, request: Request, slug: str) -> Response:
        return self.step(request, slug, close_survey)


class Reopen(Action):
    @extend_schema(summary="Open a closed or paused survey", request=None, responses=errors(409) | {200: SURVEY})
    def post(self, request: Request, slug: str) -> Response:
        return self.step(request, slug, reopen_survey)


class Duplicate(View):
    @extend_schema(
        summary="A new draft of yours with the same texts and questions",
        request=None,
        responses=errors() | {201: SURVEY},
    )
    def post(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.SEE)
        return Response(content.shown(content.duplicate(survey, request.user)), status=201)


def _valid(serializer: type, request: Request, **options: Any) -> dict[str, Any]:
    checked = serializer(data=request.data, **options)
    checked.is_valid(raise_exception=True)
    return dict(checked.validated_data)


def _one_of(name: str, value: str, allowed: list[str]) -> str:
    if value not in allowed:
        raise WrongParameter(f"{name} must be one of {', '.join(allowed)}.")
    return value
