"""How well a survey protects each person: its level, the two numbers, and what each level would show."""

from dataclasses import asdict

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.authoring.planning.checklist import points
from surveys.authoring.planning.levels import prices
from surveys.authoring.planning.overview import overview
from surveys.authoring.planning.precision import wanted
from surveys.authoring.planning.together import published_versions, together
from surveys.definition import protection
from surveys.definition.protection import Losses, losses_of
from surveys.models import Survey
from surveys.site.number_format import finite
from surveys.web.api.fields import Items
from surveys.web.api.serializers import DrawSerializer
from surveys.web.api.views.base import View, errors
from surveys.web.api.views.draft_review import LineSerializer, PointSerializer, TogetherSerializer, line_told, read


class LossSerializer(serializers.Serializer):
    epsilon = serializers.FloatField(allow_null=True, help_text="privacy loss; null: no limit")
    times = serializers.IntegerField(
        help_text="in 100: how often a guess between two answers is right at most; above 99 it is more than 99"
    )


class WidestSerializer(serializers.Serializer):
    question = serializers.CharField(help_text="the key of the one that shows its share least precisely")
    margin = serializers.FloatField(help_text="half the length of its 95% interval with `people`, at the widest share")
    people_for_number = serializers.IntegerField(help_text="from how many people on its number is shown")


class LevelPriceSerializer(serializers.Serializer):
    key = serializers.CharField()
    one = serializers.IntegerField(help_text="in 100, from one answer alone")
    all = serializers.IntegerField(help_text="in 100, from all answers together")
    epsilon = serializers.FloatField(help_text="of all answers together")
    widest = WidestSerializer(allow_null=True, help_text="null where there is no sensitive question")


class VersionsSerializer(serializers.Serializer):
    """In 100, rounded up to a tenth, for whoever answers all versions and gets the same question in each."""

    one = serializers.FloatField()
    all = serializers.FloatField()


class ProtectionSerializer(serializers.Serializer):
    protection = serializers.CharField(allow_null=True, help_text="null: every question is set by itself")
    people = serializers.IntegerField(help_text="the target, or 1,000 where there is none")
    one = LossSerializer(help_text="one answer alone")
    together = LossSerializer(help_text="all answers of a person together")
    colour = serializers.CharField(
        allow_null=True, help_text="calm, amber or red; publishing in red needs a reason. null for files"
    )
    reason = serializers.CharField(allow_blank=True, help_text="given when it was published")
    draw = DrawSerializer(allow_null=True, help_text="which questions each person gets `count` of; null: all get all")
    levels = LevelPriceSerializer(many=True, help_text="what each would come to, of a draft for people")
    questions = LineSerializer(many=True)
    sentences = Items(
        child=serializers.CharField(), help_text="what respondents read about all questions together, in English"
    )
    summary = Items(child=serializers.CharField(), help_text="what its author reads about the same")
    points = PointSerializer(many=True, help_text="of a draft that is to be published, the worst first")
    versions = VersionsSerializer(allow_null=True, help_text="null where no other version is published")
    with_others = TogetherSerializer()


class Protection(View):
    @extend_schema(
        summary="How well the survey protects each person, and what each level of protection would show",
        description="Of a draft also what publishing waits for, and what deserves a thought before.",
        responses=errors() | {200: ProtectionSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.SEE)
        seen, visible = overview(survey), access.surveys_of(request.user)
        loss, draw, others = seen.protection, seen.draw, together(survey, seen.epsilon, visible)
        told = {
            "protection": survey.protection or None,
            "people": wanted(survey),
            "one": _told(loss.one, loss.times[0]),
            "together": _told(loss.together, loss.times[1]),
            "colour": None if survey.import_only else loss.colour,
            "reason": survey.reason,
            "draw": draw and {"count": draw.count, "of": list(draw.of)},
            "levels": prices(survey, seen.questions),
            "questions": [line_told(line) for line in seen.lines],
            "sentences": read(survey, seen),
            "summary": seen.summary,
            "points": points(survey, seen),
            "versions": _versions(survey, loss, [losses_of(each) for each in published_versions(survey, visible)]),
            "with_others": asdict(others) | {"epsilon": finite(others.epsilon)},
        }
        return Response(ProtectionSerializer(told).data)


def _told(epsilon: float, times: int) -> dict[str, float | int | None]:
    return {"epsilon": finite(epsilon), "times": times}


def _versions(survey: Survey, own: Losses, others: list[Losses]) -> protection.Versions | None:
    return protection.versions([own, *others]) if others and not survey.import_only else None
