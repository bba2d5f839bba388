"""What a question can be randomized with: the designs with their parameters, and the levels of protection."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.definition.designs.construction import fits
from surveys.definition.designs.design import Design
from surveys.definition.designs.external import ELSEWHERE, EVERY
from surveys.definition.designs.levels import AUTOMATIC, EPSILONS
from surveys.definition.kinds import KINDS, Kind
from surveys.web.api.fields import Choice, Items
from surveys.web.api.views.base import View, errors


class ParameterSerializer(serializers.Serializer):
    name = serializers.CharField()
    meaning = serializers.CharField()


class OneDesignSerializer(serializers.Serializer):
    key = serializers.CharField(help_text="as `design` of a question takes it")
    title = serializers.CharField()
    parameters = ParameterSerializer(many=True, help_text="all are needed, each as text: 3/4 or 0.75")
    kinds = Items(child=Choice(Kind.choices), help_text="of questions that it serves")
    two_answers_only = serializers.BooleanField()
    import_only = serializers.BooleanField(help_text="only for surveys that take their responses from files")
    devices_only = serializers.BooleanField(help_text="not for surveys that take their responses from files")


class LevelSerializer(serializers.Serializer):
    key = serializers.CharField(help_text="in the place of a design; the most precise one is taken")
    epsilon = serializers.CharField(allow_null=True, help_text="null: of your own, as the parameter `epsilon`")


class DesignsSerializer(serializers.Serializer):
    levels = LevelSerializer(many=True)
    designs = OneDesignSerializer(many=True)


class Designs(View):
    @extend_schema(
        summary="The designs that a question can have, with their parameters, and the levels of protection",
        responses=errors() | {200: DesignsSerializer},
    )
    def get(self, request: Request) -> Response:
        levels = [{"key": key, "epsilon": epsilon} for key, epsilon in (*EPSILONS.items(), (AUTOMATIC, None))]
        return Response({"levels": levels, "designs": [_shown(design) for design in EVERY.values()]})


def _shown(design: Design) -> dict[str, Any]:
    sensitive = [traits for traits in KINDS.values() if traits.sensitive]
    return {
        "key": design.key,
        "title": design.title,
        "parameters": [{"name": name, "meaning": meaning} for name, meaning in design.parameters.items()],
        "kinds": [traits.key for traits in sensitive if fits(design, traits.select)],
        "two_answers_only": design.two_answers_only,
        "import_only": design.key in ELSEWHERE,
        "devices_only": design.devices_only,
    }
