"""The share of an answer, or the mean of the answers, in one group."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mechanisms import Estimate, Functional
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.estimates.numeric import WALD, average
from surveys.statements.comparisons import Side, share_side
from surveys.statements.means import MeanStatement, mean_statement
from surveys.statements.shares import ShareStatement, share_statement


@dataclass(frozen=True)
class GroupEstimate:
    """The reports of a group about one answer to a question, or about the mean.

    name: the name of the group.
    variable: the question and its answer; the mean if it has no answer.
    estimate: what the library estimated of all answers.
    """

    name: str
    variable: SurveyVariable
    estimate: Estimate

    @property
    def n(self) -> int:
        """The number of reports about the answer, or of all that a mean is made of."""
        code = self.variable.choice
        if code is None:
            return self.estimate.n
        return int(self.estimate.informative_reports[code])

    @property
    def is_known(self) -> bool:
        """True if there is a value: nothing is known of a mean if no one seems to have a number."""
        return self.variable.choice is not None or self._mean is not None

    @cached_property
    def statement(self) -> ShareStatement | MeanStatement:
        """The statement about this group alone."""
        question, code = self.variable.item, self.variable.choice
        if code is None:
            return mean_statement(
                self.mean,
                question.answer_values,
                n=self.n,
                confidence=self.estimate.confidence,
                method=WALD,
                name=question.short or question.full_text,
                group=self.name,
                unit=question.unit,
            )

        return share_statement(
            self.estimate,
            code,
            name=question.short or question.full_text,
            answer=question.choices[code],
            group=self.name,
            is_scrambled=self.variable.is_scrambled,
        )

    @cached_property
    def side(self) -> Side:
        """The side of a comparison with another group."""
        code = self.variable.choice
        if code is not None:
            return share_side(self.name, self.estimate, code)
        # The error of a mean is never smaller than that of the least variance of the design.
        return Side(
            name=self.name,
            n=self.n,
            value=self.mean.value,
            standard_error=self.mean.standard_error,
        )

    @property
    def mean(self) -> Functional:
        """The mean of those who gave a number. It must be known."""
        if self._mean is None:
            raise ValueError(f"Nothing is known of the mean of {self.name!r}.")
        return self._mean

    @cached_property
    def _mean(self) -> Functional | None:
        """The mean, or None if no one seems to have given a number."""
        question = self.variable.item
        if question.mechanism is not None:
            numbers = average(question, self.estimate)
            return None if numbers is None else numbers.mean
        values = np.array(question.answer_values, np.float64)
        if not question.aside:
            return self.estimate.functional(values)
        gave_number = np.append(np.ones(len(values)), 0.0)
        if not self.estimate.observed @ gave_number > 0:
            return None
        return self.estimate.mean_ratio(np.append(values, 0.0), gave_number)


def pooled_groups(groups: Sequence[GroupEstimate], name: str) -> GroupEstimate:
    """Return several groups with their reports together, as one group with this name."""
    first = groups[0]
    tally = first.estimate.tally
    for group in groups[1:]:
        tally = tally + group.estimate.tally
    pooled = Estimate(
        first.estimate.mechanism,
        tally,
        first.estimate.confidence,
        first.estimate.interval,
        simultaneous=first.estimate.simultaneous,
    )
    return GroupEstimate(name=name, variable=first.variable, estimate=pooled)
