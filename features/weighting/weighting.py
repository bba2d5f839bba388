"""Shares of a population whose background is known: respondents are weighted until their groups are as large there."""

from collections.abc import Callable

import numpy as np

from features.weighting.known_margins import FIELD, Margin
from features.weighting.result import WeighedMean, WeighedQuestion, WeightedChoice, WeightingResult
from features.weighting.strata import Strata, count_strata
from mechanisms import ConvergenceError, Estimate, Tally, WeightedEstimate, rake, weighted_estimate
from surveys.definition.instrument import QuestionDefinition
from surveys.fieldwork.responses.packed_counts import unpack
from surveys.results.analysis import selection
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.analysis.refusals import TooFew, expected_share_answered, require_enough
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import MINIMUM, Group
from surveys.results.estimates.intervals import CONFIDENCE, ONLY, IntervalOptions
from surveys.results.estimates.numeric import WALD, average
from surveys.results.estimates.question_report import ChoiceReport
from surveys.results.estimates.report import EVERYBODY
from surveys.site.errors import Invalid
from surveys.site.number_format import format_count, format_percent, join_with_and

MOST_ANSWERS = 200  # of a question; each is weighted by itself
SURE = 3  # standard errors by which it has to be seen that somebody gave a number


def weight_results(
    seen: ReaderView,
    margins: tuple[Margin, ...],
    *,
    group: Group = EVERYBODY,
    confidence: float = CONFIDENCE,
) -> WeightingResult:
    """The shares and means of all scrambled questions, weighted. TooFew for too few people; Invalid where a group with
    a known share is empty, or one with people has none, or the shares cannot be met together.
    """
    people = count_strata(seen, tuple(margin.item for margin in margins), group)
    require_enough(people.n)
    weights = _weights(people, margins, [tally["n"] for tally in people.tallies.values()])
    questions = tuple(
        _question(seen, people, margins, item, confidence)
        for item in selection.scrambled_questions(seen)
    )
    return WeightingResult(margins, people, weights, questions, confidence, seen.note)


def _weights(cells: Strata, margins: tuple[Margin, ...], people: list[int]) -> np.ndarray:
    table = cells.table(people)
    for axis, margin in enumerate(margins):
        here = table.sum(axis=tuple(each for each in range(table.ndim) if each != axis))
        for name, known, n in zip(margin.item.choices, margin.known, here, strict=True):
            _check(margin, name, known, int(n))
    try:
        weights = rake(table, [list(margin.known) for margin in margins])
    except ConvergenceError:
        empty = [
            " with ".join(
                f"“{margin.item.choices[place]}”" for margin, place in zip(margins, at, strict=True)
            )
            for at in np.argwhere(table == 0)[:3]
        ]
        why = (
            "No weights fit all these shares, because no one is in some combinations of "
            f"groups: {join_with_and(empty)}."
        )
        raise Invalid({FIELD: f"{why} Leave a question out."}) from None
    return np.array([weights[at] for at in cells.tallies])


def _check(margin: Margin, name: str, known: float, n: int) -> None:
    if known and not n:
        why = f"No one here is in “{name}” of “{margin.item.full_text}”, whose known share is {format_percent(known)}."
        raise Invalid(
            {FIELD: f"{why} Add its share to that of a similar group, and enter 0 for it."}
        )
    if n and not known:
        people = f"{format_count(n)} people" if n >= MINIMUM else "Some people"
        why = f"{people} are in “{name}” of “{margin.item.full_text}”, whose known share is 0. Enter its share."
        raise Invalid({FIELD: why})


def _question(
    seen: ReaderView,
    cells: Strata,
    margins: tuple[Margin, ...],
    item: QuestionDefinition,
    confidence: float,
) -> WeighedQuestion:
    tallies = [_tally(each, item) for each in cells.tallies.values()]
    together = sum(tallies[1:], tallies[0])
    lot = cells.n, expected_share_answered(seen.paper.draw, [SurveyVariable(item, 0)])
    try:
        require_enough(together.n, *lot)
        if not item.tells_shares:
            return WeighedQuestion(
                item, together.n, mean=_mean(cells, margins, SurveyVariable(item), confidence)
            )
        if item.size > MOST_ANSWERS:
            raise Invalid(
                {
                    FIELD: (
                        f"It has {format_count(item.size)} answers. Shares of at most {MOST_ANSWERS} can be weighted."
                    )
                }
            )
        answers = []
        for v in range(item.size):
            scores, counts = zip(*(_kinds(item, v, each) for each in tallies), strict=True)
            require_enough(int(np.concatenate(counts).sum()), *lot)
            mean = _weighted(cells, margins, list(counts), confidence)
            answers.append(mean(np.concatenate(scores), line=_line(item, v)))
    except TooFew as few:
        return WeighedQuestion(item, together.n, refused=str(few))
    except Invalid as wrong:
        return WeighedQuestion(item, together.n, refused=str(wrong))
    estimate = Estimate(
        item.mechanism, together, confidence, IntervalOptions().kind_for(item.mechanism)
    )
    # Wilson's interval needs the line between a share and that of the reports that support it.
    weighted_method = WALD if item.mechanism.line() is None else "wilson"
    plain = (
        ChoiceReport(label, float(r), float(share), float(error), (float(low), float(high)))
        for label, r, share, error, (low, high) in zip(
            *(
                item.choices,
                estimate.observed,
                estimate.proportions,
                estimate.standard_errors,
                estimate.intervals,
            ),
            strict=True,
        )
    )
    choices = []
    for share, weighted in zip(plain, answers, strict=True):
        choice = WeightedChoice(
            label=share.label,
            plain=share,
            weighted=weighted,
            confidence=confidence,
            method=estimate.interval,
            weighted_method=weighted_method,
        )
        choices.append(choice)
    return WeighedQuestion(item, together.n, tuple(choices))


def _tally(tally: dict, item: QuestionDefinition) -> Tally:
    return Tally(
        tally.get("answered", {}).get(item.key, tally["n"]), unpack(tally["counts"][item.key])
    )


def _weighted(
    cells: Strata, margins: tuple[Margin, ...], counts: list[np.ndarray], confidence: float
) -> Callable[..., WeightedEstimate]:
    """The weighted mean of what the kinds of reports of each stratum stand for. counts: of each kind, by stratum."""
    asked, sizes = [int(each.sum()) for each in counts], [len(each) for each in counts]
    people = np.concatenate(counts)
    weights = np.repeat(_weights(cells, margins, asked), sizes)
    there, groups = people > 0, np.repeat(np.array(list(cells.tallies)), sizes, axis=0)
    options = {"margins": groups[there], "counts": people[there], "confidence": confidence}
    return lambda scores, **more: weighted_estimate(
        None, scores[there], weights[there], **options, **more
    )


def _mean(
    cells: Strata, margins: tuple[Margin, ...], part: SurveyVariable, confidence: float
) -> WeighedMean:
    """Where some declined a ratio, of which the error is that of its linearization (Deville and Särndal 1992)."""
    item, tallies = part.item, [_tally(each, part.item) for each in cells.tallies.values()]
    mean = _weighted(cells, margins, [tally.counts for tally in tallies], confidence)
    scores, given = (
        None if each is None else np.tile(each, len(tallies)) for each in part.unbiased_values
    )
    plain = average(item, item.mechanism.estimate(sum(tallies[1:], tallies[0]), confidence, ONLY))
    gave = None if given is None else mean(given)
    if plain is None or (gave and gave.share <= SURE * gave.standard_error):
        raise TooFew(
            f"These responses don’t show whether anyone gave a number to “{item.full_text}”."
        )
    value, part = mean(scores).share, gave.share if gave else 1.0
    if gave:
        value /= part
        scores = value + (scores - value * given) / part
    (least,) = SurveyVariable(item).least_variances(np.array([value])) / part**2
    return WeighedMean(plain, mean(scores, least=least))


def _line(item: QuestionDefinition, choice: int) -> tuple[float, float] | None:
    line = item.mechanism.line()
    return line and (float(line.slope[choice]), float(line.offset[choice]))


def _kinds(item: QuestionDefinition, choice: int, tally: Tally) -> tuple[np.ndarray, np.ndarray]:
    """What each kind of report decodes to for this answer, and how many there are of it."""
    mechanism = item.mechanism
    line = mechanism.line()
    if line is None:
        return np.array(
            [mechanism.decode(report)[choice] for report in np.eye(mechanism.size)]
        ), tally.counts
    hits, trials = (
        mechanism.support_counts(tally)[choice],
        mechanism.informative_reports(tally)[choice],
    )
    scores = (np.array([0.0, 1.0]) - line.offset[choice]) / line.slope[choice]
    return scores, np.array([trials - hits, hits])
