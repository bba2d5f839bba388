"""Surveys by program: listed, written, changed, deleted. The same services as the workspace."""

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.authoring.drafts import content, drafts
from surveys.definition.search import matches_text
from surveys.models import Survey
from surveys.web.api import serializers, survey_object
from surveys.web.api.views.base import View, WrongParameter, created, errors, one_of, valid
from surveys.web.api.views.paging import PARAMETERS, Pages

SURVEY = serializers.SurveyDetailSerializer
EXAMPLE = OpenApiExample(
    "A survey with one question",
    {
        "title": "Taxes",
        "contact": "Institute of examples, ada@example.org",
        "questions": [
            {
                "key": "tax",
                "kind": "yes-no",
                "text": "Have you ever evaded taxes?",
                "design": "two-coin",
            },
        ],
    },
    request_only=True,
)
ORDERINGS = {"-created": ("-created", "pk"), "created": ("created", "pk"), "title": ("title", "pk")}


class SurveyList(View):
    parameters = ("cursor", "page_size", "status", "project", "search", "archived", "ordering")

    @extend_schema(
        summary="Your surveys and those of your teams",
        description="Newest first by default; `next` and `previous` are the addresses of further pages.",
        parameters=[
            *PARAMETERS,
            OpenApiParameter("status", enum=Survey.Status.values),
            OpenApiParameter("project", str),
            OpenApiParameter("search", str, description="part of the title or of a question"),
            OpenApiParameter(
                "archived", bool, description="only those in the archive, or only the others"
            ),
            OpenApiParameter("ordering", enum=list(ORDERINGS)),
        ],
        operation_id="surveys_list",
        responses=errors() | {200: serializers.SurveyPageSerializer},
    )
    def get(self, request: Request) -> Response:
        pages = Pages()
        page = pages.paginate_queryset(self._filtered(request), request, view=self)
        return pages.get_paginated_response(serializers.SurveySerializer(page, many=True).data)

    def _filtered(self, request: Request) -> QuerySet[Survey]:
        asked, surveys = (
            request.query_params,
            access.surveys_of(request.user).select_related("instrument"),
        )
        if any("\x00" in value for value in asked.values()):
            raise WrongParameter("A parameter contains a NUL.")
        if "status" in asked:
            surveys = surveys.filter(status=one_of("status", asked["status"], Survey.Status.values))
        if "project" in asked:
            surveys = surveys.filter(project=asked["project"])
        if "search" in asked:
            surveys = surveys.filter(matches_text(asked["search"]))
        if "archived" in asked:
            surveys = surveys.filter(
                archived=one_of("archived", asked["archived"], ("true", "false")) == "true"
            )
        return surveys

    def ordering(self, request: Request) -> tuple[str, ...]:
        return ORDERINGS[
            one_of("ordering", request.query_params.get("ordering", "-created"), list(ORDERINGS))
        ]

    @extend_schema(
        summary="Create a draft, with its questions",
        request=serializers.SurveyInputSerializer,
        responses=errors(415, 422) | {201: SURVEY},
        examples=[EXAMPLE],
    )
    def post(self, request: Request) -> Response:
        survey = content.create(
            valid(serializers.SurveyInputSerializer, request), owner=request.user
        )
        return created(survey_object.shown(survey), "survey", survey.slug)


class SurveyDetail(View):
    @extend_schema(
        summary="One survey, with all its texts and settings", responses=errors() | {200: SURVEY}
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(survey_object.shown(access.survey_for(request.user, slug, Right.SEE)))

    @extend_schema(
        summary="Replace a draft",
        description=(
            "A setting you don’t send gets the value of a new survey. Sender, logo, colours, tickets, target and the "
            "day of deletion stay. The questions you send replace all there are."
        ),
        request=serializers.SurveyInputSerializer,
        responses=errors(409, 415, 422) | {200: SURVEY},
        examples=[EXAMPLE],
    )
    def put(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        data = valid(serializers.SurveyInputSerializer, request)
        return Response(survey_object.shown(content.replace(survey, data, request.user)))

    @extend_schema(
        summary="Change a draft",
        description=(
            "A setting you don’t send stays, and so does a text in a language you don’t send. The questions you send "
            "replace all there are."
        ),
        request=serializers.SurveyInputSerializer(partial=True),
        responses=errors(409, 415, 422) | {200: SURVEY},
    )
    def patch(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        data = valid(serializers.SurveyInputSerializer, request, partial=True)
        return Response(survey_object.shown(content.change(survey, data, request.user)))

    @extend_schema(summary="Delete a draft", responses=errors(409) | {204: None})
    def delete(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.MANAGE)
        drafts.delete_survey(survey=survey)
        return Response(status=204)
