"""What else a question's result says on request: a test, a sum of choices, the price of privacy, and fakes."""

import math
from typing import Any

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.fieldwork.responses.sealing import seal
from surveys.results.estimates import on_request
from surveys.results.estimates.report import QuestionReport
from surveys.results.report.headlines import finding
from surveys.web.api.views import query
from surveys.web.api.views.base import View, WrongParameter, errors
from surveys.web.api.views.report.report import readable


class TestSerializer(serializers.Serializer):
    share = serializers.FloatField(help_text="of Yes, as asked")
    statistic = serializers.FloatField(allow_null=True, help_text="likelihood ratio; null where it is without limit")
    p_value = serializers.FloatField(help_text="0 where no reports like these could come under that share")
    is_contradicted = serializers.BooleanField(help_text="at the confidence asked for")


class SumSerializer(serializers.Serializer):
    choices = serializers.ListField(child=serializers.CharField(), source="labels")
    share = serializers.FloatField(help_text="of all respondents under any of them")
    standard_error = serializers.FloatField()
    interval = serializers.ListField(child=serializers.FloatField(), help_text="Wald's")


class CentralSerializer(serializers.Serializer):
    local = serializers.FloatField(help_text="expected error of a share here")
    central = serializers.FloatField(help_text="expected error if a server were trusted with the truth")
    ratio = serializers.FloatField()


class FakesSerializer(serializers.Serializer):
    choice = serializers.CharField(source="label")
    low = serializers.FloatField()
    high = serializers.FloatField()


class ReadingsSerializer(serializers.Serializer):
    key = serializers.CharField()
    n = serializers.IntegerField()
    headline = serializers.CharField(help_text="what was found, in words")
    test = TestSerializer(allow_null=True, help_text="null unless `share` is given")
    sum = SumSerializer(allow_null=True, help_text="null unless `choices` is given")
    central = CentralSerializer(allow_null=True)
    fakes = FakesSerializer(
        allow_null=True,
        help_text=f"where the estimate could lie if {on_request.FAKES:.0%} of the reports are fakes of the worst kind",
    )


class Readings(View):
    parameters = (*query.NAMES, "share", "choices")

    @extend_schema(
        summary="What else one question's result says: a test, a sum, the price of privacy, fakes",
        description="All is null as long as there is no response.",
        parameters=[
            *query.PARAMETERS,
            OpenApiParameter("share", {"type": "number", "minimum": 0, "maximum": 1}, description="of Yes, to test"),
            OpenApiParameter("choices", str, description="codes to add up, as `0,2`"),
        ],
        responses=errors(422) | {200: ReadingsSerializer},
    )
    def get(self, request: Request, slug: str, key: str) -> Response:
        instrument = readable(request, slug)
        seal(instrument)
        group = query.group(request, instrument)
        result = query.report_as_asked(request, instrument)
        question = next((each for each in result.questions if each.key == key), None)
        if question is None:
            raise Http404
        share, picked = _share(request, question), _picked(request, question)
        found: dict[str, Any] = dict.fromkeys(("test", "sum", "central", "fakes"))
        if question.basis is not None:
            found = {
                "test": None if share is None else _test(question, share),
                "sum": on_request.add_up(question, picked) if picked else None,
                "central": on_request.central(question),
                "fakes": on_request.fakes(question) if question.design else None,
            }
        said = finding(question, filtered=key in dict(group.conditions)).headline
        return Response(ReadingsSerializer({"key": key, "n": question.n, "headline": said, **found}).data)


def _share(request: Request, question: QuestionReport) -> float | None:
    text = request.query_params.get("share")
    if text is None:
        return None
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0 <= share <= 1:
        raise WrongParameter("share must be a number from 0 to 1, as 0.1.")
    if not on_request.has_test(question):
        raise WrongParameter("share is for yes/no questions with two answers.")
    return share


def _picked(request: Request, question: QuestionReport) -> list[int]:
    text = request.query_params.get("choices")
    if text is None:
        return []
    picked = [int(code) if code.isascii() and code.isdigit() else -1 for code in text[:1000].split(",")]
    if len(set(picked)) != len(picked) or not all(0 <= code < len(question.choices) for code in picked):
        raise WrongParameter(f"choices must be codes from 0 to {len(question.choices) - 1}, each once, as 0,2.")
    if question.basis is not None and not question.adds_up:
        raise WrongParameter("Shares of a question where all that apply are chosen do not add up.")
    return picked


def _test(question: QuestionReport, share: float) -> dict[str, Any]:
    test = on_request.against(question, share)
    statistic = test.result.statistic if test.result and math.isfinite(test.result.statistic) else None
    p_value = test.result.p_value if test.result else 0.0
    return {
        "share": share,
        "statistic": statistic,
        "p_value": p_value,
        "is_contradicted": test.is_contradicted,
    }
