"""What else a question's result says on request: a test, a sum of choices, the price of privacy, and fakes."""

import math

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.fieldwork.responses.sealing import seal
from surveys.results.estimates import on_request
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.report.readings_shape import Readings
from surveys.site.shape import as_json
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views import query
from surveys.web.api.views.base import View, WrongParameter, errors
from surveys.web.api.views.report.report import readable


class ReadingsOfQuestion(View):
    parameters = (*query.NAMES, "share", "choices")

    @extend_schema(
        summary="More about one question's result: a test, a sum, the cost of scrambling, the effect of fakes",
        description="Everything is null until there is a response.",
        parameters=[
            *query.PARAMETERS,
            OpenApiParameter(
                "share",
                {"type": "number", "minimum": 0, "maximum": 1},
                description="of Yes, to test",
            ),
            OpenApiParameter("choices", str, description="codes to add up, for example `0,2`"),
        ],
        responses=errors(422) | {200: serializer_for(Readings)},
    )
    def get(self, request: Request, slug: str, key: str) -> Response:
        instrument = readable(request, slug)
        seal(instrument)
        group = query.parse_group(request, instrument)
        result = query.report_as_asked(request, instrument)
        question = next((each for each in result.questions if each.key == key), None)
        if question is None:
            raise Http404
        share, picked = _share(request, question), _picked(request, question)
        told = Readings.tell(question, share, picked, filtered=key in dict(group.conditions))
        return Response(as_json(told))


def _share(request: Request, question: QuestionReport) -> float | None:
    text = request.query_params.get("share")
    if text is None:
        return None
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0 <= share <= 1:
        raise WrongParameter("share must be a number from 0 to 1, for example 0.1.")
    if not on_request.has_test(question):
        raise WrongParameter("share is for yes/no questions with two answers.")
    return share


def _picked(request: Request, question: QuestionReport) -> list[int]:
    text = request.query_params.get("choices")
    if text is None:
        return []
    picked = [
        int(code) if code.isascii() and code.isdigit() else -1 for code in text[:1000].split(",")
    ]
    if len(set(picked)) != len(picked) or not all(
        0 <= code < len(question.choices) for code in picked
    ):
        raise WrongParameter(
            f"choices must be codes from 0 to {len(question.choices) - 1}, each once, for example 0,2."
        )
    if question.basis is not None and not question.adds_up:
        raise WrongParameter(
            "Choose a question with one answer each. Shares of multiple choice can’t be added up."
        )
    return picked
