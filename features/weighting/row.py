"""Shares weighted to known ones, as a row of the analyses."""

from collections.abc import Mapping, Sequence

from features.weighting import known_margins
from features.weighting.files import weighted_csv, weighted_svg
from features.weighting.forms import WeightedForm
from features.weighting.result import WeightingResult
from features.weighting.shape import WeightedResult
from features.weighting.weighting import weight_results
from surveys.results.analysis.analysis import Analysis, AnalysisRequest, Parameter
from surveys.results.analysis.groups.groups import can_compare


def _find(looking: AnalysisRequest, margins: Mapping[str, Sequence[float]]) -> WeightingResult:
    known = known_margins.margins(looking.seen, margins)
    return weight_results(
        looking.seen, known, group=looking.group, confidence=looking.asked.confidence
    )


WEIGHTED = Analysis(
    name="weighted",
    title="Weighting",
    summary="Shares weighted to known shares of the population, next to the unweighted ones",
    parameters=(
        Parameter(
            "margins",
            "known shares of one to three background questions, in the order of their answers, each summing to 1: "
            "`sex:0.49,0.51;region:0.2,0.3,0.5`. Without row access, shares of merged groups are added up",
            read=known_margins.read,
        ),
    ),
    offer=can_compare,
    find=_find,
    result=WeightedResult,
    csv=weighted_csv,
    svg=weighted_svg,
    form=WeightedForm,
    template="weighting/weighted.html",
    page="weighting",
    intro="Candor weights the responses until these groups have the shares you know, for example from a census.",
)
