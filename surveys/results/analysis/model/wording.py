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
ADJUSTED = "Adjusted within this table, not for other questions or models that were tried."
INSTEAD = "Differences of shares (least squares) are shown instead, and no odds: these cannot be believed here"


def sentences(found: Model) -> list[str]:
    """First what differs, surely enough, then one for the rest, and what all of it allows for."""
    level_of_error = 1 - found.confidence
    compared = [row for row in found.comparisons if row.p_holm is not None]
    sure = [row for row in compared if row.p_holm < level_of_error]
    said = [_difference(found, row) for row in sure]
    rest = len(compared) - len(sure)
    if sure:
        said[-1] += f" {NO_CAUSE if len(sure) == 1 else NO_CAUSES}"
    if rest:
        said.append(_rest(rest, bool(sure)))
    said += _small(found)
    return [*said, *_left_out(found), *warnings(found), ADJUSTED]


def _left_out(found: Model) -> list[str]:
    asked = [f"“{term.text}”" for term in found.terms if term.part.leaves_out]
    return [f"Whoever preferred not to give a number for {listed(asked)} is left out."] if asked else []


def warnings(found: Model) -> list[str]:
    """Where odds cannot be believed, or the model is another one than was asked for."""
    if found.verdict == "few":
        return [_would_do(found)]
    if not found.reason:
        return []
    needed = f" {_would_do(found)}" if found.verdict else ""
    return [f"{INSTEAD}: {found.reason.rstrip('.')}.{needed}"]


def _would_do(found: Model) -> str:
    """Two digits: the number is an estimate itself."""
    if found.needed_n is None:
        return "Too few for reliable odds, and no number of responses that would do is in sight."
    return f"Too few for reliable odds: about {count(rounded_up(found.needed_n))} responses would do."


def rounded_up(n: int) -> int:
    """To two digits: 8,341 -> 8,400."""
    unit = 10 ** max(len(str(n)) - 2, 0)
    return -(-n // unit) * unit


def _difference(found: Model, row: Comparison) -> str:
    answer = f" for “{found.outcome.item.choices[row.answer]}”" if found.has_several else ""
    size = row.measure.size(row.difference, row.together)
    ends = f"({level(found.confidence)} interval {_range(row)})"
    return f"{_whom(row)}: {size}{_than(row)}{answer} {ends}{_alike(found, row)}."


def _whom(row: Comparison) -> str:
    if row.is_number:
        return f"{UNIT} more in “{row.level.term.text}”"
    if row.level.term.way == TRUTH:
        part = row.level.term.part
        answer = part.item.choices[part.choice]
        return f"Whoever would truly answer “{answer}” to “{part.item.whole}” (scrambled, so known of nobody)"
    return f"“{row.level.label}”"


def _than(row: Comparison) -> str:
    if row.level.term.way == TRUTH:
        return " than everybody else"
    return f" than “{row.reference.label}”" if row.reference else ""


def _range(row: Comparison) -> str:
    """ "2.9 to 13.5 lower", "1.0 higher to 13.5 lower"."""
    low, high = row.together
    near, far = (high, low) if row.difference < 0 else (low, high)
    amounts, way = [row.measure.amount(end, row.together) for end in (near, far)], row.measure.way
    if near * far >= 0:
        return f"{amounts[0]} to {amounts[1]} {way(row.difference)}"
    return f"{amounts[0]} {way(near)} to {amounts[1]} {way(far)}"


def _alike(found: Model, row: Comparison) -> str:
    others = [f"“{term.text}”" for term in found.terms if term != row.level.term]
    return f", among people alike in their answers to {listed(others)}" if others else ""


def _rest(number: int, is_more: bool) -> str:
    others = "other " if is_more else ""
    if number == 1:
        return f"The {others or 'only '}difference cannot be told from chance here; that does not say there is none."
    return f"The {count(number)} {others}differences cannot be told from chance here; that does not say there are none."


def _small(found: Model) -> list[str]:
    small = {row.level: row.n for row in found.comparisons if row.is_small}
    if not small:
        return []
    each = [f"“{group.label}” ({count(n)} people)" for group, n in small.items()]
    return [f"Too few people for a statement: {listed(each)}."]


def headline(found: Model) -> str:
    """What was compared, above table and figure."""
    of = f"“{found.outcome.item.whole}”"
    if found.outcome.is_mean:
        return f"What goes with the mean of {of}"
    what = of if found.outcome.choice is None else f"“{found.outcome.item.choices[found.outcome.choice]}” in {of}"
    return f"What goes with {what}"


def method(found: Model) -> str:
    """For a paper: how the numbers were made."""
    explained = listed([f"“{term.text}”" for term in found.terms])
    if found.kind in (SHARES, MEAN):
        fit = _least_squares(found)
    else:
        name = "multinomial logistic" if found.outcome.choice is None else "logistic"
        how = "the answer, by maximum likelihood"
        if found.outcome.is_scrambled:
            how = (
                "the true answer, by maximum likelihood under the known chances of the design (Maddala 1983; Scheers "
                "and Dayton 1988)"
            )
        fit = (
            f"{name} regression of {how}, with standard errors from the observed information; differences "
            "are means over the respondents, their errors by the delta method"
        )
    left_out = f" ({count(found.left_out)} more without an answer to one of them)" if found.left_out else ""
    return (
        f"{headline(found)} was estimated for n = {count(found.n)} people{left_out} by {fit}. Explaining: {explained}."
        f"{_hidden(found)}{_judged(found)} Each question was tested by {_tested(found)}. P-values are adjusted by "
        "Holm’s method (1979) within this model; intervals in sentences hold simultaneously (Bonferroni)."
    )


def _tested(found: Model) -> str:
    return "a likelihood-ratio test (Wilks 1938)" if found.fit.tested == RATIO else "a Wald test"


def _hidden(found: Model) -> str:
    """How a scrambled question explains, where one does."""
    hidden = [f"“{term.text}”" for term in found.terms if term.way == TRUTH]
    if not hidden:
        return ""
    return f" The truth behind {listed(hidden)} has a logistic regression of its own; both were fitted together."


def _judged(found: Model) -> str:
    """The rule by which odds are believed or not, and what came of it; empty where none were asked for."""
    if found.verdict is None:
        return ""
    came = f"here E = {found.effective_events:.1f}, verdict “{found.verdict}”"
    return (
        f" Odds were believed unless there are fewer than {LEAST_EVENTS:g} effective events E for each column (compare "
        "Peduzzi et al. 1996), the likelihood has no maximum, or a fitted share is within 1/(2n) of 0 or 1: then "
        f"differences of shares by least squares take their place; {came}."
    )


def _least_squares(found: Model) -> str:
    item = found.outcome.item
    decoded = "the answers" if item.mechanism is None else "the decoded reports, whose expectation is the true answer,"
    errors = "heteroskedasticity-consistent standard errors (HC1; MacKinnon and White 1985)"
    if found.outcome.is_mean:
        least = "" if item.mechanism is None else " and those at the least variance that the design allows"
        errors = f"the largest of {errors}, the classical ones{least}"
    if not (found.outcome.is_mean and item.aside):
        return f"least squares of {decoded} with {errors}"
    return (
        f"least squares of {decoded} among those who gave a number: the normal equations weigh each report by what it "
        f"decodes to for having given one; with sandwich standard errors (Huber 1967)"
    )
