"""Statements about the order of shares: which answers, or rows of a grid, have the largest ones."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np

from mechanisms import Estimate
from mechanisms.checks import FloatArray
from mechanisms.estimation.intervals import normal_quantile
from surveys.site.number_format import join_with_and
from surveys.statements.family import Family
from surveys.statements.quantity import Kind, Quantity
from surveys.statements.sentences import DIFFERENCE_OF_CLOSE_ANSWERS, RANKINGS, ROWS, Text
from surveys.statements.shares import ShareStatement
from surveys.statements.statement import Statement

# If more answers could be the largest, a sentence counts them. Nobody reads a list of names.
MOST_NAMED = 4
# The covariance of the shares of a list of 20,000 choices would take 3 GB.
MOST_IN_COVARIANCE = 1000
# No confidence level that a float can hold asks for more standard errors.
MOST_STANDARD_ERRORS = 40.0


class RankingState(StrEnum):
    """The states of a ranking."""

    CLEAR = "clear"
    NOT_CLEAR = "not_clear"
    WITHHELD = "withheld"


@dataclass(frozen=True)
class Ranking:
    """The order of the answers to one question.

    shares: a statement about each answer, in the order of their codes.
    estimate: what the library estimated of all answers.
    set_apart: the code of the answer that the author marked as “none of these”, or None. It has no
        rank, and sentences name it first.
    declining: the code of “Prefer not to say”, or None. It has no rank. Sentences name it first if
        it is among the answers that could be the largest.
    has_several: True if each person may choose several answers. Their shares can be large together,
        so the two largest are named without a rank.
    """

    shares: Sequence[ShareStatement]
    estimate: Estimate
    set_apart: int | None = None
    declining: int | None = None
    has_several: bool = False

    @property
    def is_counted(self) -> bool:
        """True if the answers were counted and not scrambled."""
        return self.shares[0].is_counted

    @cached_property
    def compared(self) -> list[int]:
        """The codes of the answers among which the largest share is looked for."""
        return [code for code in range(len(self.shares)) if code != self.set_apart]

    @cached_property
    def family(self) -> Family:
        """The differences of all pairs of compared answers, which are decided together."""
        return Family.for_pairs(len(self.compared), self.estimate.confidence)

    @cached_property
    def order(self) -> list[int]:
        """The codes of the answers that have a rank, with the largest estimate first."""
        codes = [code for code in self.compared if code != self.declining]
        return sorted(codes, key=lambda code: -self.shares[code].estimate)

    @cached_property
    def leaders(self) -> list[int]:
        """The codes of the answers with a rank that could be the largest of them."""
        return leaders(self.estimate, self.order, self.family)

    @cached_property
    def named_first(self) -> list[int]:
        """The codes of the answers without a rank that a sentence names first."""
        codes = []
        if self.set_apart is not None:
            codes.append(self.set_apart)
        if self.has_several:
            return codes
        if self.declining in leaders(self.estimate, self.compared, self.family):
            codes.append(self.declining)
        return codes

    @cached_property
    def state(self) -> RankingState:
        """Whether one answer is clearly the largest.

        If the range of any share is too wide for a number, nothing is said about the order: there
        the true first answer is missing among the leaders too often.
        """
        if any(share.is_withheld for share in self.shares):
            return RankingState.WITHHELD
        if len(self.leaders) > 1:
            return RankingState.NOT_CLEAR
        return RankingState.CLEAR

    @cached_property
    def text(self) -> Text:
        """The sentence, the detail behind it, and the label that carries it."""
        if self.state == RankingState.WITHHELD:
            return RANKINGS["withheld"]
        if self.is_counted and not self.shares[self.order[0]].estimate:
            return self._fill("no other answers", [])
        if len(self.order) == 1:
            return self._text_of_single()
        if self.has_several:
            return self._text_of_several()
        if self.state == RankingState.CLEAR:
            return self._fill(self._key("clear"), self.order[:2])
        return self._text_of_close_answers()

    def _text_of_close_answers(self) -> Text:
        """Return the text if several answers could be the largest."""
        if len(self.leaders) > MOST_NAMED:
            return self._fill(self._key("many"), self.leaders)
        text = self._fill(self._key("close"), self.leaders)
        if len(self.leaders) > 2 or self.is_counted:
            return text
        difference = self.difference(*self.leaders)
        addition = DIFFERENCE_OF_CLOSE_ANSWERS.format(
            low=difference.low_text, high=difference.high_text
        )
        return replace(text, detail=f"{text.detail} {addition}")

    def _text_of_several(self) -> Text:
        """Return the text with the two largest shares, without a rank."""
        possible = [code for code in self.order[:2] if not self.shares[code].is_impossible]
        if len(possible) == 1:
            return self._fill("single", possible)
        return self._fill("several after" if self.named_first else "several alone", possible)

    def difference(self, first: int, second: int) -> Statement:
        """Return the statement about the difference of the shares of two answers.

        It is decided together with all other pairs, so its interval includes 0 exactly where both
        answers are leaders.
        """
        shares = self.estimate.proportions
        value = float(shares[first] - shares[second])
        error = float(_errors_of_differences(self.estimate, first)[second])
        quantile = min(float(normal_quantile(1 - self.family.alpha)), MOST_STANDARD_ERRORS)
        quantity = Quantity(kind=Kind.DIFFERENCE, unit=" points", lowest=-1.0, highest=1.0)
        return Statement(
            quantity=quantity,
            n=self.estimate.n,
            estimate=value,
            interval=(value - quantile * error, value + quantile * error),
            method="wald",
            family=self.family,
        )

    @property
    def _opening(self) -> str:
        """The answers without a rank: "35% chose “None of these”."."""
        return self._chosen(self.named_first)

    def _chosen(self, codes: Sequence[int]) -> str:
        """Return "35% chose “None of these” and 30% “A”." about answers, or "" about none."""
        parts: list[str] = []
        for code in codes:
            share = self.shares[code]
            verb = "" if parts else "chose "
            parts.append(f"{share.number_in_words} {verb}“{share.quantity.answer}”")
        if not parts:
            return ""
        words = join_with_and(parts)
        return f"{words[:1].upper()}{words[1:]}."

    def _text_of_single(self) -> Text:
        """Return the text if only one answer has a rank."""
        (code,) = self.order
        label = self.shares[code].quantity.answer
        if self.named_first:
            return Text(self._chosen([*self.named_first, code]), "", label)
        key = self._key("clear") if self.is_counted else "single"
        return self._fill(key, [code])

    def _key(self, name: str) -> str:
        """Return the key of a template: whether there is an opening, and whether it is counted."""
        words = [name, "alone"]
        if self.named_first:
            words = [name, "after"]
        if self.is_counted:
            words.append("counted")
        return " ".join(words)

    def _fill(self, key: str, codes: Sequence[int]) -> Text:
        """Return a text about answers, filled in with their labels and numbers.

        codes: the codes of the answers. The first one carries the sentence if it is the largest.
        """
        shares = [self.shares[code] for code in codes]
        words = {"opening": self._opening, "size": len(codes)}
        stress = ""
        if shares:
            words |= _words_about(shares)
        if shares and (self.has_several or self.state == RankingState.CLEAR):
            stress = shares[0].quantity.answer
        if key.startswith("clear") and not self.is_counted:
            words["lead"] = _lead_in_words(self.difference(*codes[:2]))
        template = RANKINGS[key]
        return Text(template.sentence.format(**words), template.detail.format(**words), stress)


@dataclass(frozen=True)
class RowRanking:
    """The order of the rows of a grid.

    The same people answered all rows, and it is not known how their answers go together. Then the
    error of a difference is at most the sum of both errors. So a row is ahead of another one only
    if its interval, at the confidence of a pair, lies wholly above the other interval.

    rows: a statement about each row. Its quantity has the label of the row as its name, and its
        interval holds at the confidence of a pair.
    numbers: the printed number of each row, which has an interval of its own.
    name: the name of the share: "agreement", "share of “Yes”".
    """

    rows: Sequence[ShareStatement]
    numbers: Sequence[str]
    name: str

    @cached_property
    def order(self) -> list[int]:
        """The places of the rows, with the largest share first."""
        return sorted(range(len(self.rows)), key=lambda place: -self.rows[place].estimate)

    @cached_property
    def highest(self) -> list[int]:
        """The places of the rows that could have the highest share."""
        least = self.rows[self.order[0]].interval[0]
        return [place for place in self.order if self.rows[place].interval[1] >= least]

    @cached_property
    def lowest(self) -> list[int]:
        """The places of the rows that could have the lowest share."""
        most = self.rows[self.order[-1]].interval[1]
        return [place for place in self.order if self.rows[place].interval[0] <= most]

    @property
    def sentence(self) -> str:
        """Which rows have the highest and the lowest share, as far as their ranges tell."""
        key = "clear"
        if len(self.highest) > MOST_NAMED:
            key = "many"
        elif len(self.highest) > 1:
            key = "close"
        labels = [
            f"“{self.rows[place].quantity.name}” {self.numbers[place]}" for place in self.highest
        ]
        first = self.highest[0]
        first_label = self.rows[first].quantity.name
        sentence = ROWS[key].sentence.format(
            name=self.name,
            first=first_label,
            number=self.numbers[first],
            size=len(self.highest),
            labels_with_numbers=", ".join(labels),
        )
        if len(self.lowest) > 1:
            return sentence
        (last,) = self.lowest
        lowest = ROWS["lowest"].sentence.format(
            last=self.rows[last].quantity.name, number=self.numbers[last]
        )
        return f"{sentence} {lowest}"


def leaders(estimate: Estimate, codes: Collection[int], family: Family) -> list[int]:
    """Return the codes of the answers that could have the largest share, the largest first.

    Every pair of answers is compared by the difference of their shares over its standard error. All
    comparisons hold together with the confidence of the family (Bonferroni): an answer that is not
    returned is smaller than the largest.

    codes: the answers that are looked at.
    """
    shares = estimate.proportions
    top = max(codes, key=lambda code: shares[code])
    errors = _errors_of_differences(estimate, top)
    # The quantile is infinite if the confidence is as near to 1 as a float can be, and infinity
    # times 0 is not a number: nothing is excluded then.
    with np.errstate(invalid="ignore"):
        is_smaller = shares[top] - shares > normal_quantile(1 - family.alpha) * errors
    possible = [code for code in codes if code == top or not is_smaller[code]]
    return sorted(possible, key=lambda code: -shares[code])


def _errors_of_differences(estimate: Estimate, top: int) -> FloatArray:
    """Return the standard errors of share[top] − share for each answer, shape (size,).

    They are upper bounds if the covariance would need the rows, or would be too large.
    """
    upper_bounds: FloatArray = estimate.standard_errors[top] + estimate.standard_errors
    if estimate.mechanism.size > MOST_IN_COVARIANCE:
        return upper_bounds
    try:
        covariance = estimate.covariance
    except ValueError:
        return upper_bounds
    variances = covariance.diagonal()
    variances_of_differences = variances[top] + variances - 2 * covariance[top]
    errors: FloatArray = np.sqrt(np.maximum(variances_of_differences, 0.0))
    return errors


def _words_about(shares: Sequence[ShareStatement]) -> dict[str, object]:
    """Return the labels and numbers that a sentence about these answers can name."""
    labels = [f"“{share.quantity.answer}”" for share in shares]
    numbers = [share.number_in_words for share in shares]
    with_numbers = [f"{label} {number}" for label, number in zip(labels, numbers, strict=True)]
    first = shares[0].quantity.answer
    second = ""
    if len(shares) > 1:
        second = shares[1].quantity.answer
    return {
        "first": first,
        "number": numbers[0],
        "second": second,
        "labels": join_with_and(labels, "or"),
        "numbers": join_with_and(numbers),
        "labels_with_numbers": ", ".join(with_numbers),
        "list_with_numbers": join_with_and(with_numbers),
    }


def _lead_in_words(difference: Statement) -> str:
    """Return "6 points (95% range 1 to 11)", or "at least 93 points".

    No lead is above 100 points, so a range that reaches beyond gives its lower end alone.
    """
    if difference.interval[1] > 1:
        return f"at least {difference.low_text} points"
    return difference.number_with_range
