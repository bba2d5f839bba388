"""The languages of a draft by program: which there are, its texts in them, and the same as a table for translators."""

from typing import Any

from django.http import HttpResponse, JsonResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from features.translation.table import LARGEST, as_csv, take
from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.authoring.drafts.languages import set_languages, translate
from surveys.definition.text_places import iter_texts, missing_translations
from surveys.models import Survey
from surveys.site.errors import Unreadable
from surveys.web.api.fields import Choice, Items, Named, Strict, Text, Whole
from surveys.web.api.serializers import MOST_QUESTIONS
from surveys.web.api.uploads import OCTETS, described, parsers, uploaded
from surveys.web.api.views.base import View, errors, valid
from surveys.web.api.views.responses import AnyFile
from surveys.web.api.views.survey_files import unreadable

LANGUAGE = Choice(Survey.Language.choices)
WRITTEN = {"texts": [{"key": "tax", "field": "text", "texts": {"de": "Haben Sie …?"}}]}


class WantedSerializer(Strict):
    languages = Items(
        child=LANGUAGE,
        min_length=1,
        max_length=len(Survey.Language),
        help_text="all, the first one first",
    )


class PlaceSerializer(Strict):
    """One text. key: the variable name of its question, empty for the survey's own; choice: from 1, 0 for none."""

    place = Text(help_text="the place in words; ignored when you send it back")
    key = Text(max_length=32)
    field = Text(
        max_length=40,
        required=True,
        allow_blank=False,
        help_text="for example title, text, help or label",
    )
    choice = Whole(required=False, min_value=0, max_value=10_000)
    texts = Named(child=Text(max_length=5000), help_text="by language; an empty text is removed")


class TextsInputSerializer(Strict):
    texts = PlaceSerializer(many=True, max_length=200 * MOST_QUESTIONS)


class CompletenessSerializer(serializers.Serializer):
    code = serializers.CharField()
    name = serializers.CharField()
    missing = serializers.IntegerField(
        help_text="missing texts; you can publish once there are none"
    )


class LanguagesSerializer(serializers.Serializer):
    languages = Items(child=serializers.CharField(), help_text="the first one first")
    further = CompletenessSerializer(many=True)
    texts = PlaceSerializer(many=True, help_text="every text respondents read, in order")


class Languages(View):
    @extend_schema(
        summary="The languages of a survey, and its texts in each",
        responses=errors() | {200: LanguagesSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(_shown(access.survey_for(request.user, slug, Right.SEE)))

    @extend_schema(
        summary="Choose the languages of a draft",
        description="Texts in a language you remove are kept, and come back with it.",
        request=WantedSerializer,
        responses=errors(409, 415, 422) | {200: LanguagesSerializer},
    )
    def put(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        return Response(
            _shown(
                set_languages(survey=survey, by=request.user, **valid(WantedSerializer, request))
            )
        )

    @extend_schema(
        summary="Write texts of a draft in further languages",
        description="All or nothing. Texts you don’t send stay.",
        request=TextsInputSerializer,
        responses=errors(409, 415, 422) | {200: LanguagesSerializer},
        examples=[OpenApiExample("One question", WRITTEN, request_only=True)],
    )
    def patch(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        asked = valid(TextsInputSerializer, request)["texts"]
        texts = {
            (each.get("key", ""), each["field"], each.get("choice", 0)): each["texts"]
            for each in asked
        }
        translate(survey=survey, texts=texts, by=request.user)
        return Response(_shown(Survey.objects.get(pk=survey.pk)))


def _shown(survey: Survey) -> dict[str, Any]:
    all_places = iter_texts(survey)
    return {
        "languages": list(survey.languages),
        "further": [
            {
                "code": code,
                "name": Survey.Language(code).label,
                "missing": len(missing_translations(all_places, code)),
            }
            for code in survey.further_languages
        ],
        "texts": [
            {
                "place": str(place),
                "key": place.key,
                "field": place.name,
                "choice": place.choice,
                "texts": {survey.language: str(place.text)} | place.text.others,
            }
            for place in all_places
        ],
    }


class TextsTable(View):
    renderer_classes = (AnyFile,)
    parser_classes = parsers(LARGEST, "text/csv", OCTETS)

    @extend_schema(
        summary="All texts as a table for translators",
        description="CSV with place, key, field and choice, and a column for each language.",
        responses=errors() | {(200, "text/csv"): OpenApiTypes.STR},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        survey = access.survey_for(request.user, slug, Right.SEE)
        return HttpResponse(as_csv(survey), content_type="text/csv; charset=utf-8")

    @extend_schema(
        summary="Import the texts of such a table",
        description="All or nothing: `errors` names each row and column that is wrong. An empty cell changes nothing.",
        request=described("text/csv", OCTETS),
        responses=errors(409, 413, 415, 422) | {204: None},
    )
    def put(self, request: Request, slug: str) -> HttpResponse | JsonResponse:
        survey = access.survey_for(request.user, slug, Right.WRITE)
        try:
            take(survey, uploaded(request, LARGEST), request.user)
        except Unreadable as wrong:
            return unreadable("We can’t import this table.", wrong)
        return HttpResponse(status=204)
