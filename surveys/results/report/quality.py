"""Data checks: whether the reports can have been made as the designs say. No one's truth is needed for that.

Each check asks how likely reports are that look as odd as these, or odder, if everyone followed the procedure, by sums
of binomial chances and bounds that hold for every n; by a tail that holds for large ones only where they are large. All
checks of a survey share the limits (Bonferroni), so that few honest surveys raise an alarm however many questions they
have.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from mechanisms import Mechanism
from mechanisms.analysis.diagnostics import evenly_picked, feasibility, odd_ones, ones_law
from mechanisms.chance import binomial
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.fieldwork.responses import released
from surveys.fieldwork.responses.records import present_reports
from surveys.models import Instrument
from surveys.results.disclosure.kept import cached_count
from surveys.results.estimates.question_report import YES, QuestionReport
from surveys.results.estimates.repeats import Repeats, has_long_reports, most_repeated
from surveys.results.estimates.report import SurveyReport
from surveys.results.report import subset_check
from surveys.site.number_format import format_count, format_p_value, format_percent

SUSPICIOUS = 0.01  # of honest surveys raise this alarm, at most
IMPOSSIBLE = 1e-6  # of honest surveys raise this one
RATES = (
    "At most 1 in 100 honest surveys has an unusual check here, and at most 1 in a million an impossible one. If you "
    "look often while answers come in, about 5 in 100 honest surveys have an unusual one at some time. The check "
    "after closing is the one that counts."
)


class Verdict(StrEnum):
    UNKNOWN = "too few responses"
    FINE = "not contradicted"
    SUSPICIOUS = "suspicious"
    IMPOSSIBLE = "impossible"

    @property
    def label(self) -> str:
        """As pages write it; programs have the value."""
        return {Verdict.FINE: "passed", Verdict.SUSPICIOUS: "unusual"}.get(self, self.value)


ADVICE = {
    Verdict.UNKNOWN: "Wait for more responses.",
    Verdict.FINE: "Nothing to do. Passing doesn’t prove that everyone followed the procedure.",
    Verdict.SUSPICIOUS: (
        "Read the question again as a respondent would, and ask some people what they understood. Look for events such "
        "as a shared link, or several answers by one person. Mention it where you publish the result."
    ),
    Verdict.IMPOSSIBLE: (
        "Don’t use this result. The answers came from a program, from a changed page, or from people who didn’t follow "
        "the instructions. Compare the scripts with the published ones, close the survey, and ask again under a new "
        "link."
    ),
}

SHARES, EVENNESS = "Observed shares", "What was picked"
LOT, LOT_BY_GROUP = "Picked at random", "Picked at random, whatever the background"
SELECTION, SETS = "Which questions people got", "Sets of questions"
MARKS, REPEATS = "Number of marks in an answer", "Repeated reports"
ADVICE_ON_LOT = (
    "Find out whether people started again in private windows until a question came or went, or left because of one. "
    "Find out whether a program sent answers. The shares then describe people who chose their questions, which may "
    "differ from all others."
)
KNOWN_SHARE = "Known share"
ADVICE_ON_ANCHOR = (
    "First check whether the known share is that of the people who were asked. If it is, people didn’t follow the "
    "procedure, or answers were made up. Then don’t trust the other questions of this survey either."
)


@dataclass(frozen=True)
class Check:
    """p_value: the chance of reports as odd as these or odder in an honest survey is at most that."""

    key: str
    text: str
    name: str
    finding: str
    p_value: float
    verdict: Verdict

    @property
    def advice(self) -> str:
        own = {
            KNOWN_SHARE: ADVICE_ON_ANCHOR,
            LOT: ADVICE_ON_LOT,
            LOT_BY_GROUP: ADVICE_ON_LOT,
            SETS: ADVICE_ON_LOT,
        }
        return own.get(self.name, ADVICE[self.verdict]) if self.failed else ADVICE[self.verdict]

    @property
    def failed(self) -> bool:
        return self.verdict in (Verdict.SUSPICIOUS, Verdict.IMPOSSIBLE)

    @property
    def rarity(self) -> str:
        """How rare it is, of a check that failed."""
        one_in = (
            "Fewer than 1 in 1 million"
            if self.p_value < IMPOSSIBLE
            else f"At most 1 in {format_count(int(1 / self.p_value))}"
        )
        return f"{one_in} honest checks look like this."


def check_counts(
    frozen: SurveyDefinition, result: SurveyReport, *, anchors: bool = True
) -> list[Check]:
    """What the counts say: shares that the design can produce, and anchors against their known shares.

    anchors: not for a group of respondents, whose share may be another one than everybody's.
    """
    if not result.n:
        return []
    judge = _Judge(frozen)
    checks = []
    for item, question in zip(frozen.items, result.questions, strict=True):
        if people := _people(question, result.n):
            checks.append(_lot(judge, frozen, question, people))
        if question.basis is None:  # nobody has a report to this question
            continue
        if item.mechanism is not None:
            checks.append(_shares(judge, item, question))
        if _picks(item):
            checks.append(_evenness(judge, item, question))
        if anchors and _is_anchored(item):
            checks.append(_anchor(judge, item, question))
    return checks


def check_rows(frozen: SurveyDefinition, instrument: Instrument) -> list[Check]:
    """What only the single reports say: their marks and repeats, from the batches one after the other."""
    judge = _Judge(frozen)
    marks = [
        _marks(judge, item, ones)
        for item, ones in numbers_of_ones(frozen, instrument)
        if ones.any()
    ]
    return marks + [
        _repeats(judge, repeats) for repeats in most_repeated(frozen, instrument) if repeats.n
    ]


def check_lot(frozen: SurveyDefinition, instrument: Instrument) -> list[Check]:
    """Whether whom a question was asked by lot has nothing to do with background answers, and whether the sets of
    questions that were asked are those of the lot."""
    judge, items = _Judge(frozen), {item.key: item for item in frozen.items}
    sets = subset_check.sets_asked(frozen, instrument)
    checks = [_sets(judge, frozen, sets)] if sets else []
    for key, people, asked in subset_check.asked_by_group(frozen, instrument):
        part = frozen.expected_share_asked(key)
        p_value = subset_check.p_value(people, asked, float(part))
        finding = (
            f"In every group by a background answer, {format_percent(float(part))} of the "
            "people should get this question "
            f"(exact binomial tests of all groups together, {format_p_value(p_value)})."
        )
        checks.append(Check(key, items[key].text, LOT_BY_GROUP, finding, p_value, judge(p_value)))
    return checks


def worst(checks: list[Check]) -> Verdict:
    order = list(Verdict)
    return max((check.verdict for check in checks), key=order.index, default=Verdict.UNKNOWN)


def summary(checks: list[Check]) -> str:
    """All checks of a survey in one sentence."""
    return {
        Verdict.UNKNOWN: "Nothing to check yet.",
        Verdict.FINE: "All checks passed.",
        Verdict.SUSPICIOUS: "Some answers look unusual. What to do is below.",
        Verdict.IMPOSSIBLE: "Some answers can’t have come from this survey’s method. What to do is below.",
    }[worst(checks)]


class _Judge:
    """Turns a chance into a verdict, with limits shared by all checks that the survey has."""

    def __init__(self, frozen: SurveyDefinition) -> None:
        self.checks = sum(
            (item.mechanism is not None)
            + _is_anchored(item)
            + _picks(item)
            + _has_law_of_ones(item.mechanism)
            + has_long_reports(item)
            + frozen.is_drawn(item.key) * (1 + bool(subset_check.groups(frozen)))
            for item in frozen.items
        ) + (frozen.draw is not None)

    def __call__(self, p_value: float) -> Verdict:
        together = p_value * self.checks
        if together < IMPOSSIBLE:
            return Verdict.IMPOSSIBLE
        return Verdict.SUSPICIOUS if together < SUSPICIOUS else Verdict.FINE


def _shares(judge: _Judge, item: QuestionDefinition, question: QuestionReport) -> Check:
    tally = question.basis.tally
    fit, hits, asked = (
        feasibility(item.mechanism, tally),
        item.mechanism.support_counts(tally),
        question.basis.informative_reports,
    )
    outside, out = np.ones(fit.feasible.size), ~fit.feasible
    below = binomial.at_most(hits[out], asked[out], fit.lowest[out])
    above = binomial.upper_tail(hits[out] - 1, asked[out], fit.highest[out])
    outside[out] = np.where(fit.z[out] < 0, below, above)
    # Each share may be too low or too high. Of yes and no, one too low is the other too high.
    ways = 2 if outside.size == 2 and not item.is_string else 2 * outside.size
    p_value = float(min(1.0, outside.min() * ways))
    if fit.feasible.all():
        finding = "The shares received are possible with this method."
    else:
        v, labels = int(outside.argmin()), item.choices if item.tells_shares else item.report_labels
        finding = (
            f"“{labels[v]}” was received for "
            f"{format_percent(float(question.basis.observed[v]))}. On average the method makes "
            f"{format_percent(fit.lowest[v])} to {format_percent(fit.highest[v])}. That "
            f"is {abs(fit.z[v]):.1f} standard "
            f"errors outside ({format_p_value(p_value)})."
        )
    return Check(item.key, item.full_text, SHARES, finding, p_value, judge(p_value))


def _picks(item: QuestionDefinition) -> bool:
    """Whether a device picks by chance what its report speaks of."""
    return item.mechanism is not None and item.mechanism.reported_fraction < 1


def _evenness(judge: _Judge, item: QuestionDefinition, question: QuestionReport) -> Check:
    evenness = evenly_picked(item.mechanism, question.basis.tally)
    finding = (
        f"Devices pick each answer equally often, {evenness.expected:.1f} times on average. The least expected: "
        f"“{item.choices[evenness.odd]}” came {format_count(evenness.came)} times (all answers together, "
        f"{format_p_value(evenness.p_value)})."
    )
    return Check(
        item.key, item.full_text, EVENNESS, finding, evenness.p_value, judge(evenness.p_value)
    )


def _people(question: QuestionReport, n: int) -> int | None:
    """Of how many the devices drew whether they are asked a question: of all, or of those on its path where a reader is
    shown these."""
    if not question.drawn:
        return None
    return question.on_path if question.whom else n


def _lot(judge: _Judge, frozen: SurveyDefinition, question: QuestionReport, n: int) -> Check:
    """Whether the question was asked as often as the lot says: of n respondents each with the same chance."""
    part = frozen.expected_share_asked(question.key)
    p_value = float(binomial.two_sided(question.n, n, float(part)))
    whom = f" where {question.whom}" if question.whom else ""
    finding = (
        f"{format_count(question.n)} of {format_count(n)} respondents{whom} got this "
        f"question, {format_percent(question.n / n)}. Expected: "
        f"{format_percent(float(part))} (exact binomial test, {format_p_value(p_value)})."
    )
    return Check(question.key, question.text, LOT, finding, p_value, judge(p_value))


def _sets(judge: _Judge, frozen: SurveyDefinition, sets: subset_check.Sets) -> Check:
    """Its chance holds for many responses only, so that it never says that something is impossible."""
    finding = (
        f"Each of {format_count(sets.people)} respondents got {frozen.draw.count} of {len(frozen.draw.of)} questions"
        f"{', without those whose condition they do not meet' if frozen.conditional_draws else ''}. Chance picks all "
        f"sets of as many questions equally often (chi-square {sets.statistic:.1f}, degrees of freedom "
        f"{format_count(sets.freedom)}, {format_p_value(sets.p_value)})."
    )
    verdict = judge(sets.p_value)
    verdict = Verdict.SUSPICIOUS if verdict == Verdict.IMPOSSIBLE else verdict
    return Check("", SELECTION, SETS, finding, sets.p_value, verdict)


def _is_anchored(item: QuestionDefinition) -> bool:
    """Whether the share of Yes is known, and alone decides how often Yes is reported."""
    return (
        item.anchor is not None and item.mechanism is not None and item.mechanism.line() is not None
    )


def _anchor(judge: _Judge, item: QuestionDefinition, question: QuestionReport) -> Check:
    share = question.statement(question.choices[YES])
    p_value = _p_of_anchor(item, question)
    finding = (
        f"The known share of Yes is {format_percent(item.anchor)}, the estimate "
        f"{share.unbiased_text}, interval {share.computed_range} "
        f"(exact binomial test, {format_p_value(p_value)})."
    )
    return Check(item.key, item.full_text, KNOWN_SHARE, finding, p_value, judge(p_value))


def _p_of_anchor(item: QuestionDefinition, question: QuestionReport) -> float:
    line, tally = item.mechanism.line(), question.basis.tally
    chance_of_yes = np.clip(
        line.offset[YES] + line.slope[YES] * item.anchor, 0.0, 1.0
    )  # rounding at the very ends
    return float(binomial.two_sided(tally.counts[YES], tally.n, chance_of_yes))


def _has_law_of_ones(mechanism: Mechanism | None) -> bool:
    return mechanism is not None and mechanism.ones_law() is not None


def numbers_of_ones(
    frozen: SurveyDefinition, instrument: Instrument
) -> Iterator[tuple[QuestionDefinition, np.ndarray]]:
    """How many reports have 0, 1, ..., size ones, for questions where no truth changes that. Memory: one batch."""
    items = [item for item in frozen.items if _has_law_of_ones(item.mechanism)]

    def count_ones() -> dict[str, np.ndarray]:
        numbers = {item.key: np.zeros(item.size + 1, dtype=np.int64) for item in items}
        for rows in released.iter_batches(instrument) if items else ():
            for item in items:
                ones = np.bitwise_count(present_reports(frozen, rows, item.key)).sum(axis=1)
                numbers[item.key] += np.bincount(ones, minlength=item.size + 1)
        return numbers

    numbers = cached_count(instrument, ("ones",), count_ones)
    return ((item, numbers[item.key]) for item in items)


def _marks(judge: _Judge, item: QuestionDefinition, ones: np.ndarray) -> Check:
    n, numbers, odd = int(ones.sum()), np.arange(ones.size), odd_ones(item.mechanism, ones)
    which = f"{odd.first}" if odd.first == odd.last else f"{odd.first} to {odd.last}"
    finding = (
        f"An answer received has {ones @ numbers / n:.2f} marks on average. The method makes "
        f"{ones_law(item.mechanism) @ numbers:.2f}, with a known distribution. The least expected: "
        f"{format_count(odd.came)} of {format_count(n)} answers have {which} mark{'' if which == '1' else 's'}, where "
        f"{odd.expected:.1f} are expected (exact binomial tests of every number of "
        f"marks, {format_p_value(odd.p_value)})."
    )
    return Check(item.key, item.full_text, MARKS, finding, odd.p_value, judge(odd.p_value))


def _repeats(judge: _Judge, repeats: Repeats) -> Check:
    item, times = (
        repeats.item,
        f"{format_count(repeats.times)} times" if repeats.times != 1 else "once",
    )
    finding = (
        f"The most frequent answer was received {times} in {format_count(repeats.n)}. "
        f"Honest answers of {item.size} marks are "
        f"alike only by chance ({format_p_value(repeats.p_value)})."
    )
    return Check(
        item.key, item.full_text, REPEATS, finding, repeats.p_value, judge(repeats.p_value)
    )
