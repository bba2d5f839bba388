"""Plans: the margin that a question will have, and the chance that a difference will be clear.

A plan asks the rule of the report. So whatever the report withholds has no margin either, and the
chance of a clear difference is that of Compare, with all comparisons of its page.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from scipy.special import bdtr, gammaln, ndtr, xlog1py, xlogy

from mechanisms import Differences, GroupReports, mean_error
from mechanisms.checks import FloatArray, IntArray
from mechanisms.estimation.intervals import normal_quantile
from mechanisms.planning import power_of_groups
from mechanisms.planning.channels import Channel
from surveys.site import number_format
from surveys.statements.family import Family
from surveys.statements.quantity import WIDEST
from surveys.statements.sentences import SENTENCES, Text
from surveys.statements.statement import Printed, Statement

# The margin up to which a question shows a number, as a part of all possible values. It is half of
# the longest range that supports one.
LARGEST_MARGIN = WIDEST / 2
# The chance of a clear difference for which a survey is planned.
TARGET_POWER = 0.8
# The most pairs of counts that are enumerated. Above it the normal approximation is off by at most
# 0.002, and enumerating takes long.
MOST_PAIRS = 40_000
# The probability of the counts that are not enumerated, at each end.
OMITTED = 1e-6
# Where the search for a number of people starts and ends.
FEWEST_PEOPLE = 60
MOST_PEOPLE = 2**22
# The methods by which a chance was computed.
ENUMERATED = "enumeration"
NORMAL = "normal"
NOT_COMPARED = "not_compared"
# What stands in a list in place of a margin with which no number is shown.
WITHHELD_MARGIN = "no number"


@dataclass(frozen=True)
class MarginStatement(Statement):
    """A statement about the margin of error that a question will have.

    The interval reaches from the estimate to either side, so it is (−margin, margin). The values
    are parts of all possible values: of 1 for a share, and of the range of its numbers for a mean.

    people_for_number: how many people it takes until a number is shown.
    assumption: for which answers margin and numbers of people hold, in words; "" where they depend
        on how common a text is.
    candidates: of written answers, how many texts are counted; None for other questions. The
        margin is then the smallest share that is clearly above 0.
    span: of a mean, how far apart the smallest and the largest number are; None for other
        quantities.
    """

    people_for_number: int = 0
    assumption: str = ""
    candidates: int | None = None
    span: int | None = None

    @property
    def margin(self) -> float:
        """The margin as a part of all possible values."""
        return self.interval[1]

    @property
    def is_of_mean(self) -> bool:
        """True if the margin is that of a mean."""
        return self.span is not None

    @property
    def mean_margin(self) -> float:
        """The margin of a mean in its own unit."""
        return self.margin * (self.span or 1)

    @property
    def number(self) -> str:
        """The margin as pages show it, without its unit: "±8.7"; of written answers "6.5%"."""
        if self.candidates:
            return number_format.format_percent(self.margin)
        if self.is_of_mean:
            return f"±{number_format.format_upper_bound(self.mean_margin)}"
        return number_format.format_margin(self.margin)

    @property
    def number_in_brief(self) -> str:
        """The margin in a list: "±8.7"; "no number" if the report will show none."""
        return self.number if self.is_shown else WITHHELD_MARGIN

    @property
    def number_with_unit(self) -> str:
        """The margin with its unit: "±8.7 points", "±1.4 days"."""
        return f"{self.number}{self.quantity.unit}"

    @property
    def number_in_words(self) -> str:
        """The margin in a sentence: "±8.7 points", of a mean "at most ±1.4 days in the mean".

        It is "no number" if the report will show none.
        """
        if not self.is_shown:
            return WITHHELD_MARGIN
        if self.candidates:
            smallest = f"{self.number} is the smallest share clearly above 0"
            return f"{smallest}, of {self.candidates} texts to count,"
        if self.is_of_mean:
            return f"at most {self.number_with_unit} in the mean"
        return self.number_with_unit

    @property
    def people_in_words(self) -> str:
        """The number of people who make a number possible, in words that follow "needs"."""
        people = number_format.round_up_to_two_digits(self.people_for_number)
        words = f"about {number_format.format_count(people)} people to show a number"
        if self.assumption:
            words += f", {self.assumption}"
        return words

    @property
    def text(self) -> Text:
        """The sentence, and the words that carry it."""
        if not self.is_shown:
            key, stress = "margin withheld", ""
        elif self.candidates:
            key, stress = "margin shown text_share", self.number
        elif self.is_of_mean:
            key, stress = "margin shown mean", self.number_with_unit
        else:
            key, stress = "margin shown share", self.number_with_unit
        sentence = SENTENCES[key].sentence.format(
            margin=self.number_with_unit,
            n=number_format.count_of(self.n, "response", "responses"),
            assumption=self.assumption,
            candidates=self.candidates,
            people=self.people_in_words,
        )
        return Text(sentence=sentence, stress=stress)

    @property
    def sentence(self) -> str:
        """The statement in words: "±6.2 points with 1,000 responses."."""
        return self.text.sentence

    @property
    def stress(self) -> str:
        """The words of the sentence that carry it: "±6.2 points"."""
        return self.text.stress

    @property
    def printed(self) -> Printed:
        """The margin and its range for programs, with the digits of the pages."""
        digits = self.number.strip("±%")
        decimals = len(digits.partition(".")[2])
        margin = float(digits)
        low, unit = -margin, self.quantity.unit.strip()
        if self.candidates:
            low, unit = 0.0, "%"
        printed = Printed(number=margin, low=low, high=margin, decimals=decimals, unit=unit)
        if not self.is_shown:
            return replace(printed, number=None)
        return printed


@dataclass(frozen=True)
class PlannedShare:
    """The true share that is assumed in a group, and the number of reports about it."""

    share: float
    n: int


@dataclass(frozen=True)
class PlannedMean:
    """The true mean that is assumed in a group.

    variance: of one decoded report, at the assumed answers.
    n: the number of reports.
    """

    mean: float
    variance: float
    n: int


@dataclass(frozen=True)
class Power:
    """The chance that the report calls a difference clear. method: how it was computed."""

    chance: float
    method: str


# The chance for a group that the report does not name, because it is too small.
NEVER = Power(chance=0.0, method=NOT_COMPARED)


@dataclass(frozen=True)
class PowerStatement:
    """A statement about the chance that the report will call an assumed difference clear.

    n: the number of respondents.
    groups: the groups that are compared, in words that follow the number of respondents, such as
        "in 3 groups of equal size"; "" for a number.
    people_for_target: how many people it takes for TARGET_POWER; None if it was not computed, or
        no number of people is enough.
    """

    n: int
    groups: str
    power: Power
    family: Family
    people_for_target: int | None = None

    @property
    def surveys_in_100(self) -> int:
        """The chance as a number of surveys out of 100. No chance is said to be always."""
        if self.power == NEVER:
            return 0
        return min(max(round(100 * self.power.chance), 1), 99)

    @cached_property
    def sentence(self) -> str:
        """The chance, the number of people for TARGET_POWER, and what the chance allows for."""
        respondents = number_format.count_of(self.n, "respondent", "respondents")
        who = f"{respondents} {self.groups}".strip()
        key = "power"
        if self.power == NEVER:
            key = "power never"
        parts = [SENTENCES[key].sentence.format(who=who, surveys=self.surveys_in_100)]
        if self.people_for_target is not None:
            people = number_format.round_up_to_two_digits(self.people_for_target)
            needed = SENTENCES["power people"].sentence.format(
                target=f"{100 * TARGET_POWER:.0f}",
                people=number_format.format_count(people),
            )
            parts.append(needed)
        if self.family.size > 1 and self.power != NEVER:
            comparisons = number_format.format_count(self.family.size)
            parts.append(SENTENCES["power family"].sentence.format(comparisons=comparisons))
        return " ".join(parts)

    @property
    def printed(self) -> Printed:
        """The number of surveys in 100 for programs. A chance that is computed has no range."""
        return Printed(
            number=float(self.surveys_in_100),
            low=None,
            high=None,
            decimals=0,
            unit="of 100 surveys",
        )


def power_of_shares(
    channel: Channel, group: PlannedShare, others: PlannedShare, family: Family
) -> Power:
    """Return the chance that Compare says in which direction the shares of two sides differ.

    It is the sum of the probabilities of all pairs of counts for which the rule of Compare says the
    assumed direction. Above MOST_PAIRS pairs it is the normal approximation.

    channel: the design, whose reports are those of PlannedShare.n.
    group, others: the assumed shares of both sides. They differ.
    """
    if group.n < 1 or others.n < 1:
        return NEVER
    intercept = float(channel.q)
    slope = float(channel.p) - intercept
    group_counts, group_masses = _likely_counts(group.n, intercept + slope * group.share)
    other_counts, other_masses = _likely_counts(others.n, intercept + slope * others.share)
    if group_counts.size * other_counts.size > MOST_PAIRS:
        return Power(chance=_normal_power(channel, group, others, family), method=NORMAL)

    hits, other_hits = np.meshgrid(group_counts, other_counts, indexing="ij")
    verdicts = Differences(
        GroupReports(group.n, hits.ravel(), slope, intercept),
        GroupReports(others.n, other_hits.ravel(), slope, intercept),
        family.confidence,
        comparisons=family.size,
    ).verdicts
    direction = "higher"
    if group.share < others.share:
        direction = "lower"
    is_clear = (np.array(verdicts) == direction).reshape(hits.shape)
    return Power(chance=float(group_masses @ is_clear @ other_masses), method=ENUMERATED)


def power_of_means(
    group: PlannedMean, others: PlannedMean, least_variance: float, family: Family
) -> Power:
    """Return the chance that Compare says in which direction the means of two sides differ.

    The error is that of Compare, with the variances at the assumed answers.

    least_variance: the least variance of a decoded report that the design allows.
    """
    if group.n + others.n < 3 or min(group.n, others.n) < 1:
        return Power(chance=0.0, method=NORMAL)
    n = [group.n, others.n]
    variances = [group.variance, others.variance]
    error = mean_error([1, -1], n, variances, least_variance)
    distance = abs(group.mean - others.mean) / error
    quantile = normal_quantile(1 - family.alpha)
    return Power(chance=float(ndtr(distance - quantile)), method=NORMAL)


@lru_cache(maxsize=1024)
def people_for_shares(
    channel: Channel, share: float, other_share: float, part: float, family: Family
) -> int | None:
    """Return how many people it takes for TARGET_POWER, if the group is a part of all of them.

    Return None if no number of people is enough.

    part: the share of the people who are in the group, from 0 to 1.
    """

    def power(people: int) -> float:
        n = round(people * part)
        group = PlannedShare(share, n)
        others = PlannedShare(other_share, people - n)
        return power_of_shares(channel, group, others, family).chance

    return smallest_number_of_people(power)


def smallest_number_of_people(power: Callable[[int], float]) -> int | None:
    """Return the number of people for which a plan reaches TARGET_POWER, by bisection to 1 in 100.

    Return None if MOST_PEOPLE are not enough.

    power: a function that returns the chance for a number of people.
    """
    if power(MOST_PEOPLE) < TARGET_POWER:
        return None
    low, high = FEWEST_PEOPLE, MOST_PEOPLE
    while high - low > max(1, low // 100):
        middle = (low + high) // 2
        if power(middle) >= TARGET_POWER:
            high = middle
        else:
            low = middle
    return high


def _likely_counts(n: int, probability: float) -> tuple[IntArray, FloatArray]:
    """Return all counts but the OMITTED ones at each end, and their probabilities.

    `scipy.stats` has both, but takes 0.4 seconds to import in every process of the site.
    """
    mean = n * probability
    # No omitted count is as far from the mean as this: a chance of 1e-6 is at 4.8 standard
    # deviations, and 10 counts more allow for very small probabilities.
    distance = 7 * math.sqrt(mean * (1 - probability)) + 10
    near_counts = np.arange(max(0, int(mean - distance)), min(n, int(mean + distance)) + 1)
    at_most = bdtr(near_counts, n, probability)
    low = np.searchsorted(at_most, OMITTED)
    high = np.searchsorted(at_most, 1 - OMITTED)
    counts = near_counts[low : high + 1]
    log_choices = gammaln(n + 1) - gammaln(counts + 1) - gammaln(n - counts + 1)
    log_chances = xlogy(counts, probability) + xlog1py(n - counts, -probability)
    probabilities: FloatArray = np.exp(log_choices + log_chances)
    return counts, probabilities


def _normal_power(
    channel: Channel, group: PlannedShare, others: PlannedShare, family: Family
) -> float:
    """Return the normal approximation of the chance that a difference is clear."""
    # The numbers of PlannedShare are already those of the reports about the answer.
    reports_channel = Channel(channel.p, channel.q)
    return float(
        power_of_groups(
            reports_channel,
            group.share,
            others.share,
            group.n,
            alpha=family.alpha,
            ratio=others.n / group.n,
        )
    )
