"""What a model says, in sentences: never a cause, never a person, and no difference without its size and interval."""

from features.regression.model.comparisons import ModelRow
from features.regression.model.fits import RATIO
from features.regression.model.model import MEAN, SHARES, Model
from mechanisms.analysis.contrasts import MOST_ENUMERATED
from mechanisms.analysis.verdicts import FEW as LEAST_EVENTS
from surveys.results.analysis.predictors import TRUTH, Term
from surveys.site.number_format import (
    format_count,
    format_level,
    join_with_and,
    round_up_to_two_digits,
)
from surveys.statements.sentences import (
    ASSOCIATION_NOTE,
    ASSOCIATIONS_NOTE,
    UNCLEAR_LINKS,
    false_differences,
)


def sentences(fitted: Model) -> list[str]:
    """Return the clear differences, then what is not clear, and the family of all statements."""
    compared = [row for row in fitted.comparisons if row.statement]
    if not compared:
        return ["No groups are large enough to compare.", *_left_out(fitted)]
    clear = [row for row in compared if row.clear]
    lines = [row.statement.sentence for row in clear]
    if clear:
        lines.append(ASSOCIATION_NOTE if len(clear) == 1 else ASSOCIATIONS_NOTE)
    lines += _unclear(fitted, compared)
    few = [row.statement.sentence for row in compared if row.statement.has_too_few]
    # The same words may hold for several answers of the outcome.
    lines += dict.fromkeys(few)
    return [*lines, *_left_out(fitted), false_differences(fitted.confidence)]


def _unclear(fitted: Model, compared: list[ModelRow]) -> list[str]:
    """Return how large the differences can still be that are not clear.

    There is a sentence for each question, or one for all of them together if nothing is clear.
    """
    clear_terms = {row.level.term for row in compared if row.clear}
    rows = [
        row
        for row in compared
        if row.verdict == "no_clear_difference" and row.level.term not in clear_terms
    ]
    groups: dict[Term | None, list[ModelRow]] = {}
    for row in rows:
        groups.setdefault(row.level.term, []).append(row)
    if groups and not clear_terms:
        # Without a clear difference, all questions share one sentence.
        groups = {None: rows}
    lines = []
    for group in groups.values():
        largest = max((row.statement for row in group), key=lambda each: each.largest_size)
        terms = dict.fromkeys(row.level.term for row in group)
        predictors = [term.short for term in fitted.terms if term in terms]
        line = UNCLEAR_LINKS.format(
            name=fitted.outcome.short,
            predictors=join_with_and(predictors),
            largest=largest.largest_in_words,
        )
        lines.append(line)
    return lines


def _left_out(fitted: Model) -> list[str]:
    """Return who is left out, if anyone is."""
    numbers = [term.short for term in fitted.terms if term.part.leaves_out]
    if not numbers:
        return []
    return [f"People who preferred not to give a number for {join_with_and(numbers)} are left out."]


def odds_in_words(fitted: Model) -> str:
    """For experts: why there are no odds, or how many responses would do for them. Empty where they are fine."""
    if fitted.verdict == "few":
        return _would_do(fitted)
    if not fitted.reason:
        return ""
    needed = f" {_would_do(fitted)}" if fitted.verdict else ""
    return f"No odds: {fitted.reason.rstrip('.')}.{needed}"


def _would_do(fitted: Model) -> str:
    """Two digits: the number is an estimate itself."""
    if fitted.needed_n is None:
        return "Too few responses for reliable odds ratios, and no number of responses would be enough."
    needed = format_count(round_up_to_two_digits(fitted.needed_n))
    return f"Too few responses for reliable odds ratios. You need about {needed}."


def headline(fitted: Model) -> str:
    """What was compared, above a drawing and in the methods."""
    average = "the average of " if fitted.outcome.is_mean else ""
    return f"Factors linked to {average}{fitted.outcome.short}"


def method(fitted: Model) -> str:
    """For a paper: how the numbers were made."""
    explained = join_with_and([f"“{term.text}”" for term in fitted.terms])
    if fitted.kind in (SHARES, MEAN):
        fit = _least_squares(fitted)
    else:
        name = "multinomial logistic" if fitted.outcome.choice is None else "logistic"
        how = "the answer, by maximum likelihood"
        if fitted.outcome.is_scrambled:
            how = (
                "the true answer, by maximum likelihood under the known chances of the design (Maddala 1983; Scheers "
                "and Dayton 1988)"
            )
        fit = f"{name} regression of {how}, with standard errors from the observed information"
    left_out = (
        f" ({format_count(fitted.left_out)} more without an answer to one of them)"
        if fitted.left_out
        else ""
    )
    return (
        f"{headline(fitted)} were estimated for n = {format_count(fitted.n)} people{left_out} by {fit}. Predictors: "
        f"{explained}.{_hidden(fitted)}{_judged(fitted)} Each question was tested by {_test_name(fitted)}. "
        f"{_differences(fitted)}"
    )


def _differences(fitted: Model) -> str:
    """How the statements were made."""
    family = f"at {format_level(fitted.confidence)} for all differences of the model together (Bonferroni)"
    if fitted.has_cells:
        return (
            "Differences of shares were estimated by weighted least squares of the corrected shares of all "
            "combinations of answers, with score intervals (Mee 1984; Miettinen & Nurminen 1985) "
            f"{family}; where few reports of a kind were expected, a difference was called clear only if an exact test "
            f"agreed.{_slopes(fitted)}"
        )
    own = (
        "means over the respondents, their errors by the delta method"
        if fitted.has_odds
        else "coefficients"
    )
    return f"Differences are {own}, with normal intervals {family}."


def _slopes(fitted: Model) -> str:
    """Return how the difference of a number was tested, or "" if no number explains."""
    if not any(row.is_number for row in fitted.comparisons):
        return ""
    return (
        " The difference of a number was called clear only if the tail of its score agreed, in which the reports of "
        f"the {MOST_ENUMERATED} most influential people are enumerated and those of all others are normal."
    )


def _test_name(fitted: Model) -> str:
    return "a likelihood-ratio test (Wilks 1938)" if fitted.fit.tested == RATIO else "a Wald test"


def _hidden(fitted: Model) -> str:
    """How a scrambled question explains, where one does."""
    hidden = [f"“{term.text}”" for term in fitted.terms if term.way == TRUTH]
    if not hidden:
        return ""
    return f" The true answer to {join_with_and(hidden)} has its own logistic regression; both were fitted together."


def _judged(fitted: Model) -> str:
    """The rule by which odds are believed or not, and what came of it; empty where none were asked for."""
    if fitted.verdict is None:
        return ""
    came = f"here E = {fitted.effective_events:.1f}, verdict “{fitted.verdict}”"
    return (
        f" Odds are not given with fewer than {LEAST_EVENTS:g} effective events E for each column (compare Peduzzi et "
        f"al. 1996), with a likelihood without a maximum, or with a fitted share within 1/(2n) of 0 or 1; {came}."
    )


def _least_squares(fitted: Model) -> str:
    item = fitted.outcome.item
    decoded = (
        "the answers"
        if item.mechanism is None
        else "the decoded reports, whose expectation is the true answer,"
    )
    is_among = fitted.outcome.is_mean and item.aside
    errors = (
        "sandwich standard errors (Huber 1967)"
        if is_among
        else "heteroskedasticity-consistent standard errors (HC1; MacKinnon and White 1985)"
    )
    if fitted.outcome.is_mean or fitted.outcome.mechanism.line() is None:
        least = (
            ""
            if item.mechanism is None
            else " and those at the least variance that the design allows"
        )
        errors = f"the largest of {errors}, the classical ones{least}"
    if not is_among:
        return f"least squares of {decoded} with {errors}"
    return (
        f"least squares of {decoded} among those who gave a number: the normal equations weigh each report by what it "
        f"decodes to for having given one; with {errors}"
    )
