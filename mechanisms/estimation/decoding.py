"""The interface between estimation and the mechanisms.

The estimators are written once for all designs, and import none of them.
"""

from typing import Literal, NamedTuple, Protocol, runtime_checkable

from mechanisms.checks import FloatArray, IntArray
from mechanisms.estimation.tallies import Tally

Select = Literal["one", "any"]


class Line(NamedTuple):
    """
    The line on which the observed share of each answer depends on its true share.

    The observed share is expected to be offset + slope * true share.

    Attributes
    ----------
    offset : ndarray, shape (size,)
        The probability that a report supports an answer that is not true.
    slope : ndarray, shape (size,)
        The rise of the observed share with the true share. No slope is 0.
    """

    offset: FloatArray
    slope: FloatArray


@runtime_checkable
class Decoder(Protocol):
    """The part of a mechanism that leads from shares of reports to true shares.

    `mechanisms.designs.mechanism.Mechanism` documents each method in full.
    """

    @property
    def size(self) -> int:
        """The number of answers."""

    @property
    def epsilon(self) -> float:
        """The privacy loss of one report."""

    @property
    def select(self) -> Select:
        """The number of answers that can be true of a person: "one" or "any"."""

    @property
    def free_shares(self) -> int:
        """The number of shares that are free. Of two shares whose sum is 1 it is one."""

    @property
    def constrained_by(self) -> str:
        """The method by which `constrain` makes possible shares."""

    def check_tally(self, tally: Tally) -> None:
        """Raise ValueError unless reports of this mechanism can have the tally."""

    def informative_reports(self, tally: Tally) -> IntArray:
        """Return how many reports say anything about each answer, shape (size,)."""

    def support_counts(self, tally: Tally) -> IntArray:
        """Return how many reports support each answer, shape (size,)."""

    def line(self) -> Line | None:
        """Return how each observed share depends on its true share.

        None if an observed share depends on several true shares.
        """

    def decode(self, shares: FloatArray) -> FloatArray:
        """Return unbiased true shares for observed shares, which have shape (size,) too."""

    def decode_covariance(self, share_covariance: FloatArray) -> FloatArray:
        """Return the covariance of decoded shares for that of observed shares.

        Both matrices have shape (size, size).
        """

    def unbiased_weights(self, scores: FloatArray) -> FloatArray | None:
        """Return what each report counts for in an unbiased mean of scores.

        None if the shares are decoded, and the mean is computed from these.
        """

    def least_variance(self, scores: FloatArray) -> float:
        """Return the least variance, over all truths, of what a report counts for in a mean."""

    def share_covariance(self, tally: Tally) -> FloatArray | None:
        """Return the covariance of the support indicators of one report, shape (size, size).

        None if the counts do not determine the covariance.
        """

    def constrain(self, tally: Tally) -> FloatArray:
        """Return estimates that are possible proportions, shape (size,)."""
