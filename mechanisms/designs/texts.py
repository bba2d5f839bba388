"""Written answers: one form of a text for all ways to write it, and what every mechanism that scrambles one is.

A text is hashed on the device and its hash is randomized. The hash hides nothing, since anybody can hash a guess; only
the noise protects. What reports say is therefore asked of candidates: texts that somebody gives, before or later.
"""

import hashlib
import re
import unicodedata
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mechanisms import checks
from mechanisms.checks import FloatArray
from mechanisms.designs.mechanism import Mechanism, Seed
from mechanisms.estimation.candidates import Candidates, Counted
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.tallies import Tally

LONGEST = 100  # characters of a text, counted as code points
MOST_CANDIDATES = 10_000  # texts of one list
# What counts as white space is listed, as languages differ in it.
_SPACES = re.compile("[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")


def normalize(text: str) -> str:
    """Return a text in NFKC, lower case, with single spaces."""
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", text).lower()).strip(" ")


def normalize_answer(text: str) -> str:
    """Return the normalized text. Raises ValueError, without quoting it."""
    found = normalize(text) if isinstance(text, str) else ""
    if not 1 <= len(found) <= LONGEST:
        raise ValueError(f"truth has {len(found)} characters; allowed is a text of 1 to {LONGEST}")
    try:
        found.encode()
    except UnicodeEncodeError:
        raise ValueError(
            "truth holds half a character; allowed is a text that UTF-8 can hold"
        ) from None
    return found


def digest(*parts: str) -> bytes:
    """SHA-256 of some texts with a zero byte between two."""
    return hashlib.sha256("\0".join(parts).encode()).digest()


class TextMechanism(Mechanism):
    """A mechanism whose truth is a text: `draw` and `randomize` take texts and normalise them.

    Its reports are asked for candidates, and have no shares of their own and no running tally: counts are empty.
    size is 0, as no list of answers exists. Two steps make a result, so that reports are read in parts: `counted` of
    each part, which add up with +, and `decoded` of the sum.
    """

    size = 0
    truths = "text"
    tells = "candidates"
    constrained_by = ""

    @abstractmethod
    def counted(self, column: Any, texts: Sequence[str]) -> Counted:
        """What stored reports, as `wire.field` has them, say of candidates. texts: normalised, no two of them equal."""

    @classmethod
    @abstractmethod
    def of_one_report(cls, epsilon: float) -> Sequence["TextMechanism"]:
        """Those that planning compares at this epsilon of one report."""

    @abstractmethod
    def comparison_note(self, more: float) -> str:
        """Return what planning says about this design next to the best one."""

    def numbers(self, texts: Sequence[str]) -> tuple[int, ...]:
        """Of each text the one that reports speak of; empty where they speak of several."""
        return ()

    def check_candidates(self, texts: Sequence[str]) -> None:
        """ValueError where so many candidates, normalised, can never be told apart."""

    @abstractmethod
    def decoded(self, counted: Counted, texts: Sequence[str], level: float) -> Candidates:
        """Shares of the candidates from what all reports count.

        level: the chance, at most, that any of the intervals misses its share; it is shared out among the candidates.
        """

    @abstractmethod
    def smallest_detectable_share(self, n: int, candidates: int, level: float = 0.05) -> float:
        """Return the smallest share that n reports can detect, or NaN.

        From here on its interval at level / candidates, both sides, lies above 0. NaN where n are too few for any.
        """

    @property
    @abstractmethod
    def noise(self) -> float:
        """n times the variance of the share of a text that nobody wrote, beside one candidate."""

    def candidates(
        self, reports: ArrayLike, texts: Sequence[str], level: float = 0.05
    ) -> Candidates:
        """What reports, as `randomize` gives them, say of candidates as they were typed.

        ValueError for two equal ones after normalisation, which it names, and for a level outside (0, 1).
        """
        wanted = distinct(texts)
        return self.decoded(
            self.counted(self.stored(reports), wanted), wanted, checks.between("level", level, 0, 1)
        )

    def stored(self, reports: Any) -> Any:
        """Reports as `randomize` gives them -> as `wire.field` has them."""
        return np.asarray(reports, dtype=self.wire.field)

    @abstractmethod
    def randomize(self, truths: Sequence[str], rng: Seed = None) -> Any:  # type: ignore[override]
        """Reports for many texts at once."""

    def tally(self, reports: Any) -> Tally:
        """How many reports there are. Their counts are empty."""
        return Tally(len(reports), np.zeros(0, np.int64))

    def check_tally(self, tally: Tally) -> None:
        if tally.counts.shape != (0,):
            raise ValueError(
                f"counts has shape {tally.counts.shape}; allowed for written answers is (0,)"
            )

    def line(self) -> Line | None:
        return None

    def share_covariance(self, tally: Tally) -> FloatArray | None:
        return None

    def constrain(self, tally: Tally) -> FloatArray:
        return np.zeros(0)

    def maximum_likelihood(self, reports: Any) -> FloatArray:
        raise ValueError(
            "written answers have no list of shares; allowed is candidates(reports, texts)"
        )


def distinct(texts: Sequence[str]) -> tuple[str, ...]:
    """Candidates as they are read: 1 to 10,000 normalised texts, no two of them equal. ValueError names both."""
    checks.whole("the number of candidates", len(texts), 1, MOST_CANDIDATES)
    typed: dict[str, str] = {}
    for text in texts:
        form = normalize_answer(text)
        if form in typed:
            raise ValueError(
                f"{checks.show(typed[form])} and {checks.show(text)} are the same candidate"
            )
        typed[form] = text
    return tuple(typed)
