"""How well a survey protects each person: its level, the two numbers, and what each level would show."""

from dataclasses import dataclass
from typing import Self

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.authoring.planning.checklist import points
from surveys.authoring.planning.levels import prices
from surveys.authoring.planning.overview import overview
from surveys.authoring.planning.precision import wanted
from surveys.authoring.planning.shape import (
    LevelPriceResult,
    LineResult,
    PointResult,
    TogetherResult,
)
from surveys.authoring.planning.together import published_versions, together
from surveys.definition.protection import Versions, losses_of, versions
from surveys.definition.protection_wording import for_respondents
from surveys.models import Survey
from surveys.results.report.shape import Drawn
from surveys.site.number_format import finite
from surveys.site.shape import Result, as_json, of
from surveys.web.api.shapes import shape
from surveys.web.api.views.base import View, errors


@dataclass(frozen=True)
class Loss(Result):
    epsilon: float | None = of("privacy loss; null: no limit")
    times: int = of(
        "how many times in 100 a guess between two answers is right, at most; above 99 means more than 99"
    )


@dataclass(frozen=True)
class ProtectionResult(Result):
    protection: str | None = of("null: each question has its own method")
    people: int = of("the target, or 1,000 where there is none")
    one: Loss = of("one answer alone")
    together: Loss = of("all answers of a person together")
    colour: str | None = of(
        "calm, amber or red; publishing in red needs a reason. null for an import-only survey"
    )
    reason: str = of("the reason given at publishing")
    draw: Drawn | None = of("each person gets `count` of these questions; null: everyone gets all")
    levels: tuple[LevelPriceResult, ...] = of(
        "what each level would give; only for a draft that people will answer"
    )
    questions: tuple[LineResult, ...] = of()
    sentences: tuple[str, ...] = of(
        "what respondents read about all questions together, in English"
    )
    summary: tuple[str, ...] = of("what researchers read about them")
    points: tuple[PointResult, ...] = of("only for a draft to be published; the worst first")
    versions: Versions | None = of("null if no other version is published")
    with_others: TogetherResult = of()

    @classmethod
    def tell(cls, survey: Survey, visible: QuerySet[Survey]) -> Self:
        """visible: the surveys that the reader may see."""
        seen = overview(survey)
        loss, read = seen.protection, for_respondents(seen.protection, as_it_is=seen.has_background)
        others = [losses_of(each) for each in published_versions(survey, visible)]
        return cls(
            protection=survey.protection or None,
            people=wanted(survey),
            one=Loss(finite(loss.one), loss.times[0]),
            together=Loss(finite(loss.together), loss.times[1]),
            colour=None if survey.import_only else loss.colour,
            reason=survey.reason,
            draw=Drawn.tell(seen),
            levels=tuple(map(LevelPriceResult.tell, prices(survey, seen.questions))),
            questions=tuple(map(LineResult.tell, seen.lines)),
            sentences=() if survey.import_only else tuple(read),
            summary=tuple(seen.summary),
            points=tuple(map(PointResult.like, points(survey, seen))),
            versions=versions([loss, *others]) if others and not survey.import_only else None,
            with_others=TogetherResult.tell(together(survey, seen.epsilon, visible)),
        )


class ProtectionOfSurvey(View):
    @extend_schema(
        summary="How well the survey protects each person, and how precise each level would be",
        description="For a draft also what you must fix before publishing, and what to consider.",
        responses=errors() | {200: shape(ProtectionResult)},
    )
    def get(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.SEE)
        return Response(as_json(ProtectionResult.tell(survey, access.surveys_of(request.user))))
