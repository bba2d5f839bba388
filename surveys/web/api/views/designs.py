"""What a question can be randomized with: the designs with their parameters, and the levels of protection."""

from dataclasses import dataclass
from typing import Self

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.definition.designs.construction import design_fits
from surveys.definition.designs.design import Design
from surveys.definition.designs.external import ALL_DESIGNS, IMPORT_ONLY_DESIGNS
from surveys.definition.designs.levels import AUTOMATIC, EPSILONS
from surveys.definition.kinds import KINDS, Kind
from surveys.site.shape import ApiResult, api_field, as_json
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views.base import View, errors


@dataclass(frozen=True)
class Parameter(ApiResult):
    name: str = api_field()
    meaning: str = api_field()


@dataclass(frozen=True)
class OneDesign(ApiResult):
    key: str = api_field("the value for a question’s `design`")
    title: str = api_field()
    parameters: tuple[Parameter, ...] = api_field("all are required, each as text: 3/4 or 0.75")
    kinds: tuple[Kind, ...] = api_field("that it works for")
    two_answers_only: bool = api_field()
    import_only: bool = api_field("only for surveys that take their responses from files")
    devices_only: bool = api_field("not for surveys that take their responses from files")

    @classmethod
    def tell(cls, design: Design) -> Self:
        sensitive = [traits for traits in KINDS.values() if traits.sensitive]
        parameters = tuple(Parameter(*pair) for pair in design.parameters.items())
        kinds = tuple(
            Kind(traits.key) for traits in sensitive if design_fits(design, traits.select)
        )
        files = design.key in IMPORT_ONLY_DESIGNS
        return cls(
            *(
                design.key,
                design.title,
                parameters,
                kinds,
                design.two_answers_only,
                files,
                design.devices_only,
            )
        )


@dataclass(frozen=True)
class Level(ApiResult):
    key: str = api_field("used instead of a design; picks the most precise one")
    epsilon: str | None = api_field("null: you choose it, as the parameter `epsilon`")


@dataclass(frozen=True)
class DesignsResult(ApiResult):
    levels: tuple[Level, ...] = api_field()
    designs: tuple[OneDesign, ...] = api_field()


class Designs(View):
    @extend_schema(
        summary="The designs that a question can have, with their parameters, and the levels of protection",
        responses=errors() | {200: serializer_for(DesignsResult)},
    )
    def get(self, request: Request) -> Response:
        levels = tuple(Level(*pair) for pair in (*EPSILONS.items(), (AUTOMATIC, None)))
        return Response(
            as_json(DesignsResult(levels, tuple(map(OneDesign.tell, ALL_DESIGNS.values()))))
        )
