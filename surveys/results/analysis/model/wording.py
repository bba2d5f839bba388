"""What a model says, in sentences: never a cause, never a person, and no difference without its size and interval."""

from mechanisms.analysis.verdicts import FEW as LEAST_EVENTS
from surveys.results.analysis.model.comparisons import Comparison
from surveys.results.analysis.model.fits import RATIO
from surveys.results.analysis.model.model import MEAN, SHARES, Model
from surveys.results.analysis.predictors import TRUTH, UNIT
from surveys.site.number_format import count, level, listed

FEW_ODDS = 10  # effective events from which on odds are reliable
NO_CAUSE = "This is a comparison, not a cause."
NO_CAUSES = "These are comparisons, not causes."
ASSOCIATION = "This is an association. It doesn’t show cause and effect."
ASSOCIATIONS = "These are associations. They don’t show cause and effect."


def sentences(fitted: Model) -> list[str]:
    """First what is clear, then what is not, and the family that all of it is said for."""
    compared = [row for row in fitted.comparisons if row.verdict]
    clear = [row for row in compared if row.clear]
    lines = [_difference(fitted, row) for row in clear]
    if clear:
        lines[-1] += f" {ASSOCIATION if len(clear) == 1 else ASSOCIATIONS}"
    few = [row for row in compared if row.verdict == "too_few_answers"]
    lines += [f"Too few answers for a statement about {_whom(row)}." for row in few]
    if not clear and len(few) < len(compared):
        most = fitted.measure.up_to(max(max(map(abs, row.together)) for row in compared))
        lines.append(f"No clear difference. Differences of up to {most} are still possible.")
    if not compared:
        return ["No groups are large enough to compare.", *_left_out(fitted)]
    times = f"{100 * (1 - fitted.confidence):.4g}"
    family = f"Without any real difference, up to about {times} in 100 surveys would show one somewhere on this page."
    return [*lines, *_left_out(fitted), family]


def _left_out(fitted: Model) -> list[str]:
    asked = [f"“{term.text}”" for term in fitted.terms if term.part.leaves_out]
    return [f"Whoever preferred not to give a number for {listed(asked)} is left out."] if asked else []


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
        return "Too few for reliable odds, and no number of responses that would do is in sight."
    return f"Too few for reliable odds: about {count(rounded_up(fitted.needed_n))} responses would do."


def rounded_up(n: int) -> int:
    """To two digits: 8,341 -> 8,400."""
    unit = 10 ** max(len(str(n)) - 2, 0)
    return -(-n // unit) * unit


def _difference(fitted: Model, row: Comparison) -> str:
    answer = f" for “{fitted.outcome.item.choices[row.answer]}”" if fitted.has_several else ""
    size = row.measure.size(row.difference, row.together)
    ends = f"({level(fitted.confidence)} range {_range(row)})"
    return f"{_whom(row)}: {size}{_than(row)}{answer} {ends}{_alike(fitted, row)}."


def _whom(row: Comparison) -> str:
    if row.is_number:
        return f"{UNIT} more in “{row.level.term.text}”"
    if row.level.term.way == TRUTH:
        part = row.level.term.part
        answer = part.item.choices[part.choice]
        return (
            f"People whose true answer to “{part.item.whole}” is “{answer}” (estimated; no one’s own answer is known)"
        )
    return f"“{row.level.label}”"


def _than(row: Comparison) -> str:
    if row.level.term.way == TRUTH:
        return " than everyone else"
    return f" than “{row.reference.label}”" if row.reference else ""


def _range(row: Comparison) -> str:
    """ "2.9 to 13.5 lower", "1.0 higher to 13.5 lower"."""
    low, high = row.together
    near, far = (high, low) if row.difference < 0 else (low, high)
    amounts, way = [row.measure.amount(end, row.together) for end in (near, far)], row.measure.way
    if near * far >= 0:
        return f"{amounts[0]} to {amounts[1]} {way(row.difference)}"
    return f"{amounts[0]} {way(near)} to {amounts[1]} {way(far)}"


def _alike(fitted: Model, row: Comparison) -> str:
    others = [f"“{term.text}”" for term in fitted.terms if term != row.level.term]
    return f", among people alike in their answers to {listed(others)}" if others else ""


def headline(fitted: Model) -> str:
    """What was compared, above table and figure."""
    of = f"“{fitted.outcome.item.whole}”"
    if fitted.outcome.is_mean:
        return f"What goes with the mean of {of}"
    what = of if fitted.outcome.choice is None else f"“{fitted.outcome.item.choices[fitted.outcome.choice]}” in {of}"
    return f"What goes with {what}"


def method(fitted: Model) -> str:
    """For a paper: how the numbers were made."""
    explained = listed([f"“{term.text}”" for term in fitted.terms])
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
    left_out = f" ({count(fitted.left_out)} more without an answer to one of them)" if fitted.left_out else ""
    return (
        f"{headline(fitted)} was estimated for n = {count(fitted.n)} people{left_out} by {fit}. Explaining: "
        f"{explained}.{_hidden(fitted)}{_judged(fitted)} Each question was tested by {_tested(fitted)}. "
        f"{_differences(fitted)}"
    )


def _differences(fitted: Model) -> str:
    """How the statements were made."""
    family = f"at {level(fitted.confidence)} for all differences of the model together (Bonferroni)"
    if fitted.has_cells:
        return (
            "Differences of shares were estimated by weighted least squares of the corrected shares of all "
            "combinations of answers, with score intervals (Mee 1984; Miettinen & Nurminen 1985) "
            f"{family}; where few reports of a kind were expected, a difference was called clear only if an exact test "
            "agreed."
        )
    own = "means over the respondents, their errors by the delta method" if fitted.has_odds else "coefficients"
    return f"Differences are {own}, with normal intervals {family}."


def _tested(fitted: Model) -> str:
    return "a likelihood-ratio test (Wilks 1938)" if fitted.fit.tested == RATIO else "a Wald test"


def _hidden(fitted: Model) -> str:
    """How a scrambled question explains, where one does."""
    hidden = [f"“{term.text}”" for term in fitted.terms if term.way == TRUTH]
    if not hidden:
        return ""
    return f" The truth behind {listed(hidden)} has a logistic regression of its own; both were fitted together."


def _judged(fitted: Model) -> str:
    """The rule by which odds are believed or not, and what came of it; empty where none were asked for."""
    if fitted.verdict is None:
        return ""
    came = f"here E = {fitted.effective_events:.1f}, verdict “{fitted.verdict}”"
    return (
        f" Odds were believed unless there are fewer than {LEAST_EVENTS:g} effective events E for each column (compare "
        "Peduzzi et al. 1996), the likelihood has no maximum, or a fitted share is within 1/(2n) of 0 or 1: then "
        f"there are none; {came}."
    )


def _least_squares(fitted: Model) -> str:
    item = fitted.outcome.item
    decoded = "the answers" if item.mechanism is None else "the decoded reports, whose expectation is the true answer,"
    is_among = fitted.outcome.is_mean and item.aside
    errors = (
        "sandwich standard errors (Huber 1967)"
        if is_among
        else "heteroskedasticity-consistent standard errors (HC1; MacKinnon and White 1985)"
    )
    if fitted.outcome.is_mean or fitted.outcome.mechanism.line() is None:
        least = "" if item.mechanism is None else " and those at the least variance that the design allows"
        errors = f"the largest of {errors}, the classical ones{least}"
    if not is_among:
        return f"least squares of {decoded} with {errors}"
    return (
        f"least squares of {decoded} among those who gave a number: the normal equations weigh each report by what it "
        f"decodes to for having given one; with {errors}"
    )
