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
from surveys.authoring.planning.overview import survey_overview
from surveys.authoring.planning.precision import target_or_default
from surveys.authoring.planning.shape import (
    LevelPriceResult,
    LineResult,
    PointResult,
    TogetherResult,
)
from surveys.authoring.planning.together import published_versions, together
from surveys.definition.protection import Versions, combine_versions, definition_losses
from surveys.definition.protection_wording import respondent_sentences
from surveys.models import Survey
from surveys.results.report.shape import Drawn
from surveys.site.number_format import finite_or_none
from surveys.site.shape import ApiResult, api_field, as_json
from surveys.web.api.shapes import serializer_for
from surveys.web.api.views.base import View, errors


@dataclass(frozen=True)
class Loss(ApiResult):
    epsilon: float | None = api_field("privacy loss; null: no limit")
    times: int = api_field(
        "how many times in 100 a guess between two answers is right, at most; above 99 means more than 99"
    )


@dataclass(frozen=True)
class ProtectionResult(ApiResult):
    protection: str | None = api_field("null: each question has its own method")
    people: int = api_field("the target, or 1,000 where there is none")
    one: Loss = api_field("one answer alone")
    together: Loss = api_field("all answers of a person together")
    colour: str | None = api_field(
        "calm, amber or red; publishing in red needs a reason. null for an import-only survey"
    )
    reason: str = api_field("the reason given at publishing")
    draw: Drawn | None = api_field(
        "each person gets `count` of these questions; null: everyone gets all"
    )
    levels: tuple[LevelPriceResult, ...] = api_field(
        "what each level would give; only for a draft that people will answer"
    )
    questions: tuple[LineResult, ...] = api_field()
    sentences: tuple[str, ...] = api_field(
        "what respondents read about all questions together, in English"
    )
    summary: tuple[str, ...] = api_field("what researchers read about them")
    points: tuple[PointResult, ...] = api_field("only for a draft to be published; the worst first")
    versions: Versions | None = api_field("null if no other version is published")
    with_others: TogetherResult = api_field()

    @classmethod
    def tell(cls, survey: Survey, visible: QuerySet[Survey]) -> Self:
        """visible: the surveys that the reader may see."""
        seen = survey_overview(survey)
        loss, read = (
            seen.protection,
            respondent_sentences(seen.protection, as_it_is=seen.has_background),
        )
        others = [definition_losses(each) for each in published_versions(survey, visible)]
        return cls(
            protection=survey.protection or None,
            people=target_or_default(survey),
            one=Loss(finite_or_none(loss.one), loss.max_guess_rates[0]),
            together=Loss(finite_or_none(loss.together), loss.max_guess_rates[1]),
            colour=None if survey.import_only else loss.grade_colour,
            reason=survey.reason,
            draw=Drawn.tell(seen),
            levels=tuple(map(LevelPriceResult.tell, prices(survey, seen.questions))),
            questions=tuple(map(LineResult.tell, seen.lines)),
            sentences=() if survey.import_only else tuple(read),
            summary=tuple(seen.summary),
            points=tuple(map(PointResult.from_object, points(survey, seen))),
            versions=combine_versions([loss, *others])
            if others and not survey.import_only
            else None,
            with_others=TogetherResult.tell(together(survey, seen.epsilon, visible)),
        )


class ProtectionOfSurvey(View):
    @extend_schema(
        summary="How well the survey protects each person, and how precise each level would be",
        description="For a draft also what you must fix before publishing, and what to consider.",
        responses=errors() | {200: serializer_for(ProtectionResult)},
    )
    def get(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.SEE)
        return Response(as_json(ProtectionResult.tell(survey, access.surveys_of(request.user))))
