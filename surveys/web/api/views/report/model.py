"""What goes with an answer, by program: the numbers, the table and the figure of the page."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.results.analysis.as_json import model_as_json
from surveys.results.analysis.groups.differences import VERDICTS
from surveys.results.analysis.model.files import model_csv, model_file
from surveys.results.analysis.model.model import MODELS, Model, model
from surveys.results.disclosure.access import ReaderView
from surveys.web.api.views.base import errors
from surveys.web.api.views.report.analysis_base import FILE, NAMES, PARAMETERS, RULES, Analysis, AnalysisFile
from surveys.web.api.views.report.analysis_shapes import OF, references

OWN = ("outcome", "explain", "model", *NAMES)
ASKED = [
    OpenApiParameter(
        "outcome",
        str,
        required=True,
        description="a question and the code of an answer, as `tax:1`; a number by itself, whose mean is explained, as "
        "`hours`",
    ),
    OpenApiParameter(
        "explain",
        str,
        required=True,
        description="what may go with it, as `sex,age:number`: background questions; of a number `age:number` (per 10 "
        "more) or `age:groups` (four groups); with the right to rows also one answer to a scrambled question, as `x:1`",
    ),
    OpenApiParameter(
        "model",
        enum=list(MODELS),
        description="logit by default; shares: least squares; all: all answers at once, with `outcome=fruit`; mean: "
        "of a number, where there is no other",
    ),
    *PARAMETERS,
]


def _ends(**more: Any) -> serializers.ListField:
    return serializers.ListField(child=serializers.FloatField(), allow_null=True, min_length=2, max_length=2, **more)


def _number(**more: Any) -> serializers.FloatField:
    return serializers.FloatField(allow_null=True, **more)


class TermSerializer(serializers.Serializer):
    key = serializers.CharField(help_text="`sex:1`, `age:0-11`, or of a number `age`")
    label = serializers.CharField()
    answer = serializers.IntegerField(
        allow_null=True, help_text="the code of the answer that is compared; null: the mean"
    )
    n = serializers.IntegerField()
    observed = _number(help_text="of this group by itself")
    corrected = _number(help_text="of this group by itself, of a number its mean")
    reference = serializers.CharField(allow_null=True, help_text="the group that it is compared with")
    difference = _number(help_text="of adjusted shares or means; null for the reference, and a group of too few")
    difference_error = _number()
    interval = _ends(help_text="of the difference, by itself")
    simultaneous = _ends(help_text="such that those of all terms hold at once")
    p = _number()
    p_together = _number(help_text="for all terms together (Bonferroni)")
    p_holm = _number(help_text="adjusted for all terms; decides nothing")
    clear = serializers.BooleanField(allow_null=True, help_text="whether it is said which is higher")
    verdict = serializers.CharField(allow_null=True, help_text=" or ".join(VERDICTS))
    corrected_interval = _ends(help_text="of the corrected share of this group by itself")
    coefficient = _number(help_text="log odds, or of least squares the difference")
    standard_error = _number(help_text="of the coefficient, as standard_errors says")
    robust_error = _number(help_text="of the coefficient, by the sandwich")
    odds_ratio = _number()
    odds_interval = _ends()


class TermTestSerializer(serializers.Serializer):
    key = serializers.CharField()
    kind = serializers.CharField(help_text="likelihood ratio or Wald")
    statistic = serializers.FloatField(help_text="chi-square")
    degrees = serializers.IntegerField()
    p_value = serializers.FloatField()


class ModelSerializer(serializers.Serializer):
    survey = serializers.CharField()
    instrument = serializers.CharField()
    n = serializers.IntegerField()
    left_out = serializers.IntegerField(help_text="people without an answer to one of the questions")
    outcome = serializers.CharField()
    of = serializers.ChoiceField(OF, help_text="what is explained; of means all numbers are in their unit")
    unit = serializers.CharField(allow_blank=True, help_text="of the numbers whose mean is explained")
    explain = serializers.ListField(child=serializers.CharField())
    asked = serializers.CharField(help_text="the model that was asked for")
    model = serializers.CharField(help_text="the one that is shown: logit, shares, all or mean")
    reason = serializers.CharField(allow_blank=True, help_text="why it is another one than was asked for")
    verdict = serializers.CharField(allow_null=True, help_text="of the odds: fine, few or boundary")
    effective_events = _number()
    needed_n = serializers.IntegerField(allow_null=True, help_text="how many responses would make the verdict fine")
    standard_errors = serializers.CharField()
    log_likelihood = _number()
    confidence = serializers.FloatField()
    terms = TermSerializer(many=True)
    tests = TermTestSerializer(many=True)
    sentence = serializers.CharField()
    method = serializers.CharField(help_text="how it was estimated, for a methods section")
    references = references()
    note = serializers.CharField(allow_blank=True, help_text="what this reader sees of background answers")


def _find(request: Request, seen: ReaderView, **options: Any) -> Model:
    asked = request.query_params
    explain = asked.get("explain", "").split(",")
    return model(seen, asked.get("outcome", ""), explain, kind=asked.get("model", ""), **options)


class ModelView(Analysis):
    parameters, name, find = OWN, "model", staticmethod(_find)

    @extend_schema(
        summary="What goes with an answer: adjusted differences between groups",
        description=RULES,
        parameters=ASKED,
        responses=errors(422) | {200: ModelSerializer, 304: None},
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.as_json(request, slug, model_as_json)


class ModelFiles(AnalysisFile):
    parameters, name, find = OWN, "model", staticmethod(_find)

    @extend_schema(
        summary="What goes with an answer: a row for each group as CSV, differences as SVG or PNG, methods as text",
        description=RULES,
        parameters=ASKED,
        responses=FILE,
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        return self.as_any(request, slug, (model_csv, model_file))
