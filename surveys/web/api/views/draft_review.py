"""A survey as its author reads it before publishing: what would be frozen, what it costs, and what is to be mended."""

import json
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from surveys.accounts import access
from surveys.accounts.access import Right
from surveys.authoring.planning.budget import Budget as Spent
from surveys.authoring.planning.budget import together
from surveys.authoring.planning.checklist import MENDS, WORTH, points
from surveys.authoring.planning.grids import Grid, grids_of
from surveys.authoring.planning.overview import Line, Overview, overview
from surveys.authoring.planning.question_subset import Ways, ways
from surveys.definition.protection_wording import for_respondents
from surveys.fieldwork.link import frozen_paper
from surveys.models import Survey
from surveys.site.number_format import finite
from surveys.web.api.views.base import View, errors


class PreviewSerializer(serializers.Serializer):
    sha256 = serializers.CharField(help_text="what to publish with as `instrument`, to publish this and nothing else")
    epsilon = serializers.FloatField(allow_null=True, help_text="total privacy loss per respondent; null: no limit")
    instrument = serializers.DictField(help_text="all that respondents get, as it is or would be frozen")


class VerdictSerializer(serializers.Serializer):
    """What the question will show with n respondents: the number wanted, or 1,000 where none is set."""

    n = serializers.IntegerField()
    margin = serializers.FloatField(help_text="half the length of the 95% interval, at the share where it is widest")
    grade = serializers.ChoiceField(["useful", "rough", "nothing"], help_text="up to 5 points, up to 10, beyond")
    needed = serializers.IntegerField(help_text="respondents for a margin of 5 points")
    asked = serializers.IntegerField(help_text="of the n respondents, about so many are asked this question")
    for_number = serializers.IntegerField(help_text="respondents until a number is shown: a margin of 10 points")


class RemedySerializer(serializers.Serializer):
    """A change after which the question would show more, within the budget."""

    choice = serializers.CharField(
        help_text="a level of protection, pick: marks picked by chance, or yes-no: one question for each choice"
    )
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


class WaySerializer(serializers.Serializer):
    """What it comes to if each person is asked so many of the questions and they share the budget."""

    count = serializers.IntegerField()
    epsilon = serializers.FloatField(help_text="of each of these questions")
    verdict = VerdictSerializer(help_text="of the question that shows least")


class WaysSerializer(serializers.Serializer):
    """Asking each person only some questions (`draw`), compared with asking everybody everything, the last one."""

    size = serializers.IntegerField(
        help_text="questions among which is drawn: those of `draw`, else all sensitive ones"
    )
    best = serializers.IntegerField(help_text="the count that shows most with the respondents wanted")
    each = WaySerializer(many=True)


class GridSerializer(serializers.Serializer):
    """A grid of a draft: what its rows that one person is asked cost, and what asking only some of them would show."""

    heading = serializers.CharField()
    questions = serializers.ListField(child=serializers.CharField(), help_text="the keys of its rows")
    epsilon = serializers.FloatField()
    ways = WaysSerializer(
        allow_null=True,
        help_text="asking each person only some rows; null where there is nothing to choose from, or other questions "
        "are drawn by lot, of which a survey has one",
    )


class PointSerializer(serializers.Serializer):
    """One thing to know before publishing, as the page that publishes shows it."""

    severity = serializers.ChoiceField(
        WORTH, help_text="must: publishing waits for it; think: deserves a thought; fine: is as it should be"
    )
    short = serializers.CharField()
    sentence = serializers.CharField()
    mend = serializers.ChoiceField(
        MENDS,
        allow_blank=True,
        help_text="what mends it: a question, one more question, the lot (draw), the budget, the texts (edit), "
        "times and target (schedule), the texts in further languages (languages), "
        "what is said about the data (data-protection)",
    )
    question = serializers.CharField(allow_blank=True, help_text="the key of the question to look at, if it is one")


class BudgetSerializer(serializers.Serializer):
    epsilon = serializers.FloatField(allow_null=True, help_text="total privacy loss per respondent; null: no limit")
    limit = serializers.FloatField(help_text="privacy budget")
    limit_reason = serializers.CharField(allow_blank=True)
    is_over = serializers.BooleanField(help_text="over its budget a survey cannot be published")
    sentences = serializers.ListField(
        child=serializers.CharField(), help_text="what respondents read about all questions together, in English"
    )
    questions = LineSerializer(many=True)
    ways = WaysSerializer(allow_null=True, help_text="of a draft; null where a lot has nothing to choose from")
    grids = GridSerializer(many=True, help_text="of a draft")
    together = TogetherSerializer()
    points = PointSerializer(many=True, help_text="of a draft that is to be published, the worst first")


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
        description="Of a draft also what publishing waits for, and what deserves a thought before.",
        responses=errors() | {200: BudgetSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        survey = access.survey_for(request.user, slug, Right.SEE)
        seen = overview(survey)
        spending = Spent(seen.epsilon)
        all_surveys = together(survey, seen.epsilon, access.surveys_of(request.user))
        return Response(
            {
                "epsilon": finite(spending.spent),
                "limit": spending.limit,
                "limit_reason": "",
                "is_over": spending.is_over,
                "sentences": read(survey, seen),
                "questions": [line_told(line) for line in seen.lines],
                "ways": _ways(ways(survey, seen)) if survey.is_draft else None,
                "grids": [_grid(grid) for grid in grids_of(survey, seen)] if survey.is_draft else [],
                "together": {
                    "epsilon": finite(all_surveys.epsilon),
                    "versions": all_surveys.versions,
                    "project": all_surveys.project,
                    "others": all_surveys.others,
                },
                "points": PointSerializer(points(survey, seen), many=True).data,
            }
        )


def read(survey: Survey, seen: Overview) -> list[str]:
    """What respondents read of all questions together, in English."""
    return [] if survey.import_only else for_respondents(seen.protection, as_it_is=seen.has_background)


def _grid(grid: Grid) -> dict[str, Any]:
    keys = [line.key for line in grid.lines]
    told = {"heading": grid.heading, "questions": keys, "epsilon": finite(grid.epsilon)}
    return told | {"ways": _ways(grid.advice.ways)}


def _ways(found: Ways | None) -> dict[str, Any] | None:
    if found is None:
        return None
    each = [*found.each, found.everything]
    return {"size": found.size, "best": found.best.count, "each": WaySerializer(each, many=True).data}


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
