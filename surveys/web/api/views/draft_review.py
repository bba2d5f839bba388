"""A survey as its author reads it before publishing: what would be published, and what is to be mended."""

import json
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.authoring.planning.checklist import MENDS, WORTH
from surveys.authoring.planning.overview import Line, Overview
from surveys.definition.protection_wording import for_respondents
from surveys.fieldwork.link import frozen_paper
from surveys.models import Survey
from surveys.site.number_format import finite
from surveys.web.api.fields import Choice, Items, Named
from surveys.web.api.views.base import View, errors


class PreviewSerializer(serializers.Serializer):
    sha256 = serializers.CharField(help_text="what to publish with as `instrument`, to publish this and nothing else")
    epsilon = serializers.FloatField(allow_null=True, help_text="total privacy loss per respondent; null: no limit")
    instrument = Named(help_text="all that respondents get, as it is or would be frozen")


class VerdictSerializer(serializers.Serializer):
    """What the question will show with n respondents: the number wanted, or 1,000 where none is set."""

    n = serializers.IntegerField()
    margin = serializers.FloatField(help_text="half the length of the 95% interval, at the share where it is widest")
    grade = Choice(["useful", "rough", "nothing"], help_text="up to 5 points, up to 10, beyond")
    needed = serializers.IntegerField(help_text="respondents for a margin of 5 points")
    asked = serializers.IntegerField(help_text="of the n respondents, about so many are asked this question")
    for_number = serializers.IntegerField(help_text="respondents until a number is shown: a margin of 10 points")


class RemedySerializer(serializers.Serializer):
    """A change after which the question would clearly show more."""

    choice = serializers.CharField(
        help_text="fewer: sensitive questions, people, the next level of protection, or rows: yes/no rows of a grid"
    )
    number = serializers.IntegerField(help_text="of sensitive questions, people or rows; 0 for a level")
    verdict = VerdictSerializer()


class LineSerializer(serializers.Serializer):
    key = serializers.CharField()
    design = serializers.CharField(allow_null=True, help_text="in words; null where nothing is randomized")
    epsilon = serializers.FloatField(allow_null=True, help_text="null where there is no limit, or no design")
    problem = serializers.CharField(allow_blank=True, help_text="why it cannot be published as it is")
    advice = Items(child=serializers.CharField(), help_text="about the wording, of a draft only")
    verdict = VerdictSerializer(allow_null=True, help_text="null for a number, and where there is a problem")
    remedies = RemedySerializer(many=True, help_text="the first three that help, where a draft’s target is too small")


class TogetherSerializer(serializers.Serializer):
    """What a person spends who answers this survey and those that belong with it, as far as you may see them."""

    epsilon = serializers.FloatField(allow_null=True)
    versions = serializers.IntegerField(help_text="published versions of this survey, without this one")
    project = serializers.CharField(allow_blank=True)
    others = serializers.IntegerField(help_text="other published surveys of the project")


class PointSerializer(serializers.Serializer):
    """One thing to know before publishing, as the page that publishes shows it."""

    severity = Choice(
        WORTH, help_text="must: publishing waits for it; think: deserves a thought; fine: is as it should be"
    )
    short = serializers.CharField()
    sentence = serializers.CharField()
    mend = Choice(
        MENDS,
        allow_blank=True,
        help_text="what mends it: a question, one more question, the survey’s protection, the texts (edit), "
        "times and target (schedule), the texts in further languages (languages), "
        "what is said about the data (data-protection)",
    )
    question = serializers.CharField(allow_blank=True, help_text="the key of the question to look at, if it is one")


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


def read(survey: Survey, seen: Overview) -> list[str]:
    """What respondents read of all questions together, in English."""
    return [] if survey.import_only else for_respondents(seen.protection, as_it_is=seen.has_background)


def line_told(line: Line) -> dict[str, Any]:
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
