"""What estimation needs of a mechanism. It is written once for all designs and imports none of them."""

from typing import Literal, NamedTuple, Protocol, runtime_checkable

from mechanisms.checks import FloatArray, IntArray
from mechanisms.estimation.tallies import Tally

Select = Literal["one", "any"]


class Line(NamedTuple):
    """Observed share = offset + slope * true share, for each answer. Shapes (size,); no slope is 0."""

    offset: FloatArray
    slope: FloatArray


@runtime_checkable
class Decoder(Protocol):
    """How the shares of reports lead back to true shares. `Mechanism` says what each of these means."""

    @property
    def size(self) -> int:
        """Number of answers."""

    @property
    def epsilon(self) -> float:
        """The privacy loss of one report."""

    @property
    def select(self) -> Select:
        """How many answers may be true at once."""

    @property
    def free_shares(self) -> int:
        """How many shares are free."""

    @property
    def constrained_by(self) -> str:
        """How possible shares are made."""

    def check_tally(self, tally: Tally) -> None:
        """ValueError unless the tally can be one of this mechanism's."""

    def informative_reports(self, tally: Tally) -> IntArray:
        """How many reports speak of each answer, shape (size,)."""

    def support_counts(self, tally: Tally) -> IntArray:
        """How many of these speak for it."""

    def line(self) -> Line | None:
        """How each observed share depends on its true share, where it depends on no other; else None."""

    def decode(self, shares: FloatArray) -> FloatArray:
        """Unbiased true shares from observed shares, both of shape (size,)."""

    def decode_covariance(self, share_covariance: FloatArray) -> FloatArray:
        """Covariance of decoded shares from that of observed shares, both of shape (size, size)."""

    def unbiased_weights(self, wanted: FloatArray) -> FloatArray | None:
        """What each report counts for in an unbiased mean of `wanted`; None where shares are what is decoded."""

    def least_variance(self, wanted: FloatArray) -> float:
        """The least variance, over all truths, of what a report counts for in a mean of `wanted`."""

    def share_covariance(self, tally: Tally) -> FloatArray | None:
        """Covariance of one report's indicators, shape (size, size); None where counts do not determine it."""

    def constrain(self, tally: Tally) -> FloatArray:
        """Estimates that are possible proportions, shape (size,)."""
