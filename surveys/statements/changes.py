"""Changes: statements about a share or mean of now, compared with that of an earlier version."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from surveys.statements.comparisons import Comparison, Verdict as DifferenceVerdict
from surveys.statements.sentences import SENTENCES, Text, after_condition

ChangeVerdict = Literal["up", "down", "no_clear_change", "too_few_answers"]
VERDICTS_OF_DIFFERENCES: dict[DifferenceVerdict, ChangeVerdict] = {
    "higher": "up",
    "lower": "down",
    "no_clear_difference": "no_clear_change",
    "too_few_answers": "too_few_answers",
}


@dataclass(frozen=True)
class Change:
    """A statement about a change: the difference of now and then.

    comparison: its first side is the version of now, its second side the earlier one.
    since: the day of the earlier version, as briefly as sentences name it.
    """

    comparison: Comparison
    since: str

    @property
    def verdict(self) -> ChangeVerdict:
        """The direction of the change, or that there is no clear one."""
        return VERDICTS_OF_DIFFERENCES[self.comparison.verdict]

    @property
    def verdict_name(self) -> str:
        """The verdict as figures have it: "No clear change"."""
        return self.verdict.replace("_", " ").capitalize()

    @cached_property
    def text(self) -> Text:
        """The sentence about this change."""
        comparison = self.comparison
        name = comparison.quantity.name
        if self.verdict == "no_clear_change":
            return unclear_changes([self], name)
        key = "change clear"
        if comparison.has_too_few:
            key = "change too_few"
        elif comparison.is_withheld:
            key = "change withheld"
        sentence = SENTENCES[key].sentence.format(
            name=name,
            direction=self.verdict,
            size=comparison.size,
            since=self.since,
            range_name=comparison.family.range_name,
            range=comparison.range_of_sizes,
            unit=comparison.quantity.unit,
        )
        return after_condition(comparison.quantity.among, Text(sentence), name)

    @property
    def sentence(self) -> str:
        """The statement in words: "Tax: up 4.1 points since 2025 (95% range 0.6 to 7.6).\""""
        return self.text.sentence


def unclear_changes(changes: Sequence[Change], name: str) -> Text:
    """Return how large changes can still be, of which none is clear.

    changes: those of one question, with the same unit; at least one.
    name: the short name of the question.
    """
    lowest = min(changes, key=lambda change: change.comparison.rounding.low)
    highest = max(changes, key=lambda change: change.comparison.rounding.high)
    key = "change no_clear_change"
    if len(changes) > 1:
        key = "change of no answer"
    sentence = SENTENCES[key].sentence.format(
        name=name,
        since=lowest.since,
        down=lowest.comparison.low_in_words,
        up=highest.comparison.high_in_words,
    )
    return after_condition(lowest.comparison.quantity.among, Text(sentence), name)


def too_few_to_compare(changes: Sequence[Change], name: str) -> Text:
    """Return that too few people answered a question, if that holds for all of its changes."""
    first = changes[0]
    sentence = SENTENCES["change too_few"].sentence.format(name=name, since=first.since)
    return after_condition(first.comparison.quantity.among, Text(sentence), name)
