"""What an ethics board asks for."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.exchange.ethics_board import as_json, bundle
from surveys.web.api.fields import Items, Named
from surveys.web.api.views.base import View, errors


class AskedSerializer(serializers.Serializer):
    key = serializers.CharField()
    text = serializers.CharField()
    help = serializers.CharField(allow_blank=True)
    kind = serializers.CharField()
    choices = Items(child=serializers.CharField(), help_text="as respondents see them")
    design = serializers.CharField(help_text="in words")
    epsilon = serializers.FloatField(allow_null=True, help_text="null where there is no limit, or no design")
    consequence = serializers.CharField(help_text="what its report amounts to")
    odds = serializers.CharField(allow_blank=True, help_text="as respondents read it; empty where it is sent as it is")
    chances = Items(child=serializers.CharField(), help_text="of every report, in Markdown")
    whom = serializers.CharField(allow_blank=True, help_text="where it is asked; empty: everywhere")


class PassageSerializer(serializers.Serializer):
    heading = serializers.CharField(allow_blank=True)
    lines = Items(child=serializers.CharField())


class EthicsSerializer(serializers.Serializer):
    survey = serializers.CharField()
    title = serializers.CharField()
    is_published = serializers.BooleanField()
    sha256 = serializers.CharField(help_text="of the questions, as they are or would be frozen")
    epsilon = serializers.FloatField(allow_null=True, help_text="total privacy loss per respondent; null: no limit")
    questions = AskedSerializer(many=True)
    consequences = Items(child=serializers.CharField())
    wording = Named(
        child=PassageSerializer(many=True), help_text="language -> what respondents read, passage by passage"
    )
    storage = Items(child=serializers.CharField())
    data_protection = Named(child=serializers.CharField())
    instrument = Named(help_text="all that respondents get, as it is or would be frozen")


class Ethics(View):
    @extend_schema(
        summary="What an ethics board asks for: questions, odds, consequences, wording, storage, data protection",
        description="Of a draft as it would be published now; 409 says what is missing.",
        responses=errors(409) | {200: EthicsSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(as_json(bundle(access.survey_for(request.user, slug, Right.SEE))))
