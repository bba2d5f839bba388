"""What goes with an answer, as a row of the analyses."""

from collections.abc import Sequence

from features.regression.forms import LinkedForm
from features.regression.model.files import model_csv, model_svg
from features.regression.model.model import MODELS, Model, has_something, model as fitted
from features.regression.model.shape import ModelResult
from surveys.results.analysis.analysis import Analysis, AnalysisRequest, Parameter


def _find(looking: AnalysisRequest, outcome: str, explain: Sequence[str], model: str) -> Model:
    options = {"group": looking.group, "confidence": looking.asked.confidence}
    return fitted(looking.seen, outcome, explain, kind=model, **options)


MODEL = Analysis(
    name="model",
    title="What is it linked to?",
    summary="What an answer is linked to: adjusted differences between groups",
    parameters=(
        Parameter(
            "outcome",
            "a question and the code of an answer, for example `tax:1`; or a number, for example `hours`, to "
            "explain its mean",
        ),
        Parameter(
            "explain",
            "possible factors, for example `sex,age:number`: background questions; for a number `age:number` (per "
            "10 more) or `age:groups` (four groups); with row access also one answer to a scrambled question, for "
            "example `x:1`",
            read=lambda text: text.split(","),
        ),
        Parameter(
            "model",
            "logit by default; shares: least squares; all: all answers at once, with `outcome=fruit`; mean: the "
            "only model for a number",
            choices=tuple(MODELS),
            required=False,
        ),
    ),
    offer=has_something,
    find=_find,
    result=ModelResult,
    csv=model_csv,
    svg=model_svg,
    template="regression/model.html",
    form=LinkedForm,
    page="linked",
    has_own_view=True,
    intro="Choose what you want to explain, and up to four possible factors. Each difference is adjusted for the other "
    "factors.",
)
