"""What goes with an answer: the model of one outcome, as one object that page, files and API show alike."""

from collections.abc import Sequence
from dataclasses import dataclass

from features.regression.model.choice import MEAN, SHARES, fit_of, fit_with_truth
from features.regression.model.comparisons import ModelRow, comparisons, has_cells
from features.regression.model.design_matrix import Design, design
from features.regression.model.fits import Fit
from mechanisms import Predictor, Regression
from surveys.definition.instrument import SurveyDefinition
from surveys.results.analysis import selection
from surveys.results.analysis.cells import cells
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.analysis.predictors import TRUTH, Term, explaining, terms
from surveys.results.analysis.refusals import enough_for_a_model, expected_share_answered
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import Group
from surveys.results.estimates.intervals import CONFIDENCE
from surveys.results.estimates.report import EVERYBODY
from surveys.site.errors import Invalid
from surveys.statements.comparisons import mean_difference

MOST_PARAMETERS = 80
LOGIT, ALL = "logit", "all"
MODELS = {
    LOGIT: "logit of an answer",
    SHARES: "differences of shares (least squares)",
    ALL: "all answers at once",
    MEAN: "differences of means (least squares)",
}


@dataclass(frozen=True)
class Test:
    """Whether a question goes with the outcome at all. kind: "likelihood ratio" or "Wald"."""

    term: Term
    statistic: float
    degrees: int
    p_value: float
    kind: str


@dataclass(frozen=True)
class Model:
    """asked: the model that was asked for; kind: the one that is shown, which differs where odds cannot be believed,
    and `reason` says why. judged: what the verdict is of, None for least squares from the start.
    """

    frozen: SurveyDefinition
    outcome: SurveyVariable
    terms: tuple[Term, ...]
    asked: str
    kind: str
    reason: str
    n: int
    left_out: int
    confidence: float
    fit: Fit
    judged: Regression | Predictor | None
    comparisons: tuple[ModelRow, ...]
    tests: tuple[Test, ...]
    seen: str  # what its reader may see of background answers, and as of when

    @property
    def verdict(self) -> str | None:
        return self.judged.verdict if self.judged else None

    @property
    def effective_events(self) -> float | None:
        return self.judged.effective_events if self.judged else None

    @property
    def needed_n(self) -> int | None:
        return self.judged.needed_n if self.judged else None

    @property
    def has_odds(self) -> bool:
        return self.kind in (LOGIT, ALL)

    @property
    def has_cells(self) -> bool:
        """Whether the rule for differences of shares decides, and not errors alone."""
        return has_cells(self.outcome, [term.way for term in self.terms])

    @property
    def has_several(self) -> bool:
        """Whether several answers are explained at once."""
        return len(self.outcome.answers) > 1

    @property
    def compared(self) -> str:
        """The word for what is compared: "shares" or "means"."""
        return "means" if self.outcome.is_mean else "shares"

    @property
    def unit(self) -> str:
        """The unit of the differences: "percentage points", or that of the numbers."""
        if not self.outcome.is_mean:
            return "percentage points"
        return mean_difference(self.outcome.item, "").unit.strip() or "these numbers"

    @property
    def column(self) -> str:
        """The heading of a column of differences."""
        if not self.outcome.is_mean:
            return "points"
        return self.outcome.item.unit or "difference"

    @property
    def errors(self) -> str:
        """How the standard errors were found."""
        return self.fit.errors

    @property
    def log_likelihood(self) -> float | None:
        """Of the logit, where it is shown."""
        return self.fit.log_likelihood


def has_something(seen: ReaderView) -> bool:
    """Whether this reader's survey has an outcome, and something else that may go with it."""
    pairs = (
        (one, other)
        for one in selection.scrambled_questions(seen)
        for other in explaining(seen)
        if one.key != other.key
    )
    return any(one.tells_shares or other.mechanism is None for one, other in pairs)


def model(
    seen: ReaderView,
    outcome: str,
    explain: Sequence[str],
    *,
    kind: str = "",
    group: Group = EVERYBODY,
    confidence: float = CONFIDENCE,
) -> Model:
    """outcome: "tax:1", of all answers at once "fruit", of a number's mean "hours". explain: "sex", "age:number",
    "age:groups". kind: of MODELS, by default the logit, and for a mean the only one that there is.

    Invalid at outcome, explain or model; TooFew; and what surveys.results.analysis.cells.cells raises.
    """
    part, explained = _asked(seen, outcome, explain, kind)
    kind = kind or (MEAN if part.is_mean else ALL if part.choice is None else LOGIT)
    counted = cells(seen, [part, *(term.part for term in explained)], group)
    enough_for_a_model(
        counted.n, counted.left_out, expected_share_answered(seen.paper.draw, counted.parts)
    )
    made = design(counted, explained)
    _check_parameters(part, made)
    truth = next((term for term in explained if term.way == TRUTH), None)
    judged, fit, reason = (
        fit_with_truth(part, truth, counted, made) if truth else fit_of(part, counted, made, kind)
    )
    return Model(
        frozen=seen.paper,
        outcome=part,
        terms=explained,
        asked=kind,
        kind=kind if part.is_mean or fit.log_likelihood is not None else SHARES,
        reason=reason,
        n=counted.n,
        left_out=counted.left_out,
        confidence=confidence,
        fit=fit,
        judged=judged,
        comparisons=comparisons(part, counted, made, fit, confidence),
        tests=tuple(_test(fit, term) for term in explained),
        seen=seen.note,
    )


def _asked(
    seen: ReaderView, outcome: str, explain: Sequence[str], kind: str
) -> tuple[SurveyVariable, tuple[Term, ...]]:
    """Return what is explained, and what explains it, in a model that may be asked for."""
    if kind not in ("", *MODELS):
        raise Invalid({"model": f"Choose one of {', '.join(MODELS)}."})
    part = selection.parse_variable(seen, outcome, "outcome", selection.outcome_questions(seen))
    _check_kind(part, kind)
    explaining = terms(seen, explain)
    if kind in (SHARES, ALL) or part.choice is None:
        _check_known(explaining)
    if part.item.key in {term.key for term in explaining}:
        raise Invalid({"explain": f"“{part.item.full_text}” can’t explain itself. Leave it out."})
    return part, explaining


def _check_kind(part: SurveyVariable, kind: str) -> None:
    item = part.item
    if part.is_mean:
        if kind not in ("", MEAN):
            raise Invalid(
                {
                    "model": f"Leave the model out. For “{item.full_text}” the mean is compared, by least squares."
                }
            )
        return
    if kind == MEAN:
        raise Invalid(
            {
                "model": f"“{item.full_text}” has shares of answers but no mean. Choose another model."
            }
        )
    if part.choice is None and kind in (LOGIT, SHARES):
        raise Invalid(
            {
                "outcome": f"Choose one answer to “{item.full_text}”, for example {item.key}:1, or all of them at once."
            }
        )
    if part.choice is None and (part.mechanism.select != "one" or item.report_format.spreads):
        raise Invalid(
            {"outcome": f"Choose one answer. Several answers to “{item.full_text}” can be true."}
        )
    if part.choice is not None and kind == ALL:
        raise Invalid({"outcome": f"For all answers at once, send only {item.key}."})


def _check_known(explaining: Sequence[Term]) -> None:
    if any(term.way == TRUTH for term in explaining):
        why = "Choose the logit of one answer, or leave the scrambled question out. With one, there is no other model."
        raise Invalid({"model": why})


def _check_parameters(part: SurveyVariable, made: Design) -> None:
    size = made.table.shape[1] * (part.mechanism.size - 1)
    if len(part.answers) > 1 and size > MOST_PARAMETERS:
        raise Invalid(
            {
                "explain": (
                    f"All {part.mechanism.size} answers at once with these groups are {size} numbers to estimate. At "
                    f"most {MOST_PARAMETERS} are allowed. Choose fewer questions, or one answer."
                )
            }
        )


def _test(fit: Fit, term: Term) -> Test:
    test = fit.test(term)
    return Test(term, test.statistic, test.degrees, test.p_value, fit.tested)
