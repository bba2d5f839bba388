"""What a question can be randomized with: the designs with their parameters, and the levels of protection."""

from dataclasses import dataclass
from typing import Self

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.definition.designs.construction import fits
from surveys.definition.designs.design import Design
from surveys.definition.designs.external import ELSEWHERE, EVERY
from surveys.definition.designs.levels import AUTOMATIC, EPSILONS
from surveys.definition.kinds import KINDS, Kind
from surveys.site.shape import Result, as_json, of
from surveys.web.api.shapes import shape
from surveys.web.api.views.base import View, errors


@dataclass(frozen=True)
class Parameter(Result):
    name: str = of()
    meaning: str = of()


@dataclass(frozen=True)
class OneDesign(Result):
    key: str = of("the value for a question’s `design`")
    title: str = of()
    parameters: tuple[Parameter, ...] = of("all are required, each as text: 3/4 or 0.75")
    kinds: tuple[Kind, ...] = of("that it works for")
    two_answers_only: bool = of()
    import_only: bool = of("only for surveys that take their responses from files")
    devices_only: bool = of("not for surveys that take their responses from files")

    @classmethod
    def tell(cls, design: Design) -> Self:
        sensitive = [traits for traits in KINDS.values() if traits.sensitive]
        parameters = tuple(Parameter(*pair) for pair in design.parameters.items())
        kinds = tuple(Kind(traits.key) for traits in sensitive if fits(design, traits.select))
        files = design.key in ELSEWHERE
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
class Level(Result):
    key: str = of("used instead of a design; picks the most precise one")
    epsilon: str | None = of("null: you choose it, as the parameter `epsilon`")


@dataclass(frozen=True)
class DesignsResult(Result):
    levels: tuple[Level, ...] = of()
    designs: tuple[OneDesign, ...] = of()


class Designs(View):
    @extend_schema(
        summary="The designs that a question can have, with their parameters, and the levels of protection",
        responses=errors() | {200: shape(DesignsResult)},
    )
    def get(self, request: Request) -> Response:
        levels = tuple(Level(*pair) for pair in (*EPSILONS.items(), (AUTOMATIC, None)))
        return Response(as_json(DesignsResult(levels, tuple(map(OneDesign.tell, EVERY.values())))))
