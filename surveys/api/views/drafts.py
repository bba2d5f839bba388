"""A survey as its author reads it before publishing: what would be frozen, what it costs, and what is to be mended."""

import json
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.api.views.base import View, errors
from surveys.authoring import budgets
from surveys.authoring.overview import Line, overview
from surveys.people import access
from surveys.people.access import Right
from surveys.publishing.odds import said
from surveys.publishing.sharing import frozen_paper
from surveys.reporting.numbers import finite


class PreviewSerializer(serializers.Serializer):
    sha256 = serializers.CharField(help_text="what to publish with as `instrument`, to publish this and nothing else")
    epsilon = serializers.FloatField(allow_null=True, help_text="total privacy loss per respondent; null: no limit")
    instrument = serializers.DictField(help_text="all that respondents get, as it is or would be frozen")


class VerdictSerializer(serializers.Serializer):
    """What the question will show with n respondents: the number wanted, or 1,000 where none is set."""

    n = serializers.IntegerField()
    margin = serializers.FloatField(help_text="half the length of the 95 % interval, at the share where it is widest")
    grade = serializers.ChoiceField(["useful", "rough", "nothing"], help_text="up to 5 points, up to 10, beyond")
    needed = serializers.IntegerField(help_text="respondents for a margin of 5 points")


class RemedySerializer(serializers.Serializer):
    """A change after which the question would show more, within the budget."""

    choice = serializers.CharField(help_text="a level of protection, or yes-no: one question for each choice")
    epsilon = serializers.FloatField(help_text="what the question, or all in its place, would cost")
    questions = serializers.IntegerField(help_text="how many there would be")
    verdict = VerdictSerializer()


class LineSerializer(serializers.Serializer):
    key = serializers.CharField()
    design = serializers.CharField(allow_null=True, help_text="in words; null where nothing is randomized")
    epsilon = serializers.FloatField(allow_null=True, help_text="null where there is no limit, or no design")
    problem = serializers.CharField(allow_blank=True, help_text="why it cannot be published as it is")
    advice = serializers.ListField(child=serializers.CharField(), help_text="about the wording, of a draft only")
    verdict = VerdictSerializer(allow_null=True, help_text="null for a number, and where there is a problem")
    remedies = RemedySerializer(many=True, help_text="of a draft whose question would show too little")


class TogetherSerializer(serializers.Serializer):
    """What a person spends who answers this survey and those that belong with it, as far as you may see them."""

    epsilon = serializers.FloatField(allow_null=True)
    versions = serializers.IntegerField(help_text="published versions of this survey, without this one")
    project = serializers.CharField(allow_blank=True)
    others = serializers.IntegerField(help_text="other published surveys of the project")


class BudgetSerializer(serializers.Serializer):
    epsilon = serializers.FloatField(allow_null=True, help_text="total privacy loss per respondent; null: no limit")
    limit = serializers.FloatField(help_text="privacy budget")
    limit_reason = serializers.CharField(allow_blank=True)
    is_over = serializers.BooleanField(help_text="over its budget a survey cannot be published")
    sentences = serializers.ListField(
        child=serializers.CharField(), help_text="what respondents read about all questions together, in English"
    )
    questions = LineSerializer(many=True)
    together = TogetherSerializer()


class Preview(View):
    @extend_schema(
        summary="What respondents get, or would get if the draft were published now",
        description="409 says what is missing, or which question cannot be published.",
        responses=errors(409) | {200: PreviewSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        frozen = frozen_paper(access.survey_for(request.user, slug, Right.SEE))
        instrument = json.loads(frozen.content)
        return Response({"sha256": frozen.sha256, "epsilon": finite(frozen.epsilon), "instrument": instrument})


class Budget(View):
    @extend_schema(
        summary="What the survey costs a respondent in privacy, question by question and with others of its project",
        responses=errors() | {200: BudgetSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.SEE)
        seen = overview(survey)
        budget = budgets.budget(survey, seen.epsilon)
        together = budgets.together(survey, seen.epsilon, access.surveys_of(request.user))
        return Response(
            {
                "epsilon": finite(budget.spent),
                "limit": budget.limit,
                "limit_reason": budget.reason,
                "is_over": budget.is_over,
                "sentences": [] if survey.import_only else said(seen.epsilon, seen.has_background),
                "questions": [_line(line) for line in seen.lines],
                "together": {
                    "epsilon": finite(together.epsilon),
                    "versions": together.versions,
                    "project": together.project,
                    "others": together.others,
                },
            }
        )


def _line(line: Line) -> dict[str, Any]:
    protection = line.protection
    return {
        "key": line.key,
        "design": protection.design if protection else None,
        "epsilon": finite(protection.epsilon) if protection else None,
        "problem": line.problem,
        "advice": list(line.advice),
        "verdict": VerdictSerializer(line.verdict).data if line.verdict else None,
        "remedies": RemedySerializer(line.remedies, many=True).data,
    }
