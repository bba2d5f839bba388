"""Written answers: the normalization of texts, and the base class of their mechanisms.

A text is hashed on the device, and its hash is randomized. The hash hides nothing, since anybody
can hash a guess; only the noise protects. Estimation therefore asks about candidates: texts that
somebody lists, before or after the answers arrive.
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
from mechanisms.columns import Missing, text_column
from mechanisms.designs.mechanism import Mechanism, Seed
from mechanisms.estimation.candidates import Candidates, Counted
from mechanisms.estimation.decoding import Line
from mechanisms.estimation.tallies import Tally

# The number of characters of the longest text, counted as code points.
LONGEST_TEXT = 100
# The number of texts of the longest list of candidates.
MOST_CANDIDATES = 10_000
# White space is listed here, since programming languages differ in what they count as white space.
_SPACES = re.compile("[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")


def normalize(text: str) -> str:
    """
    Return a text in NFKC, lower case, with single spaces.

    Texts that look alike or differ in capital letters and spaces count as the same answer. NFKC is
    the Unicode form in which letters that can be stored in several ways have one form.

    Parameters
    ----------
    text : str
        The text as it was typed.

    Returns
    -------
    str
        The normalized text, which can be empty.
    """
    lower_case = unicodedata.normalize("NFKC", text).lower()
    return _SPACES.sub(" ", lower_case).strip(" ")


def normalize_answer(text: str) -> str:
    """
    Return the normalized text of an answer, or raise ValueError if it cannot be one.

    Parameters
    ----------
    text : str
        The text as it was typed.

    Returns
    -------
    str
        The normalized text, of 1 to 100 characters.

    Raises
    ------
    ValueError
        If the normalized text is empty or too long, or cannot be encoded. The message does not
        quote the text.
    """
    normalized = normalize(text) if isinstance(text, str) else ""
    if not 1 <= len(normalized) <= LONGEST_TEXT:
        raise ValueError(
            f"truth has {len(normalized)} characters; allowed is a text of 1 to {LONGEST_TEXT}"
        )
    # Half of a surrogate pair is a character in Python, but not in UTF-8.
    try:
        normalized.encode()
    except UnicodeEncodeError:
        raise ValueError(
            "truth holds half a character; allowed is a text that UTF-8 can hold"
        ) from None
    return normalized


def digest(*parts: str) -> bytes:
    """
    Return the SHA-256 digest of texts that are joined by zero bytes.

    Mechanisms turn a text into numbers with it. The browser computes the same digest.

    Parameters
    ----------
    *parts : str
        The texts.

    Returns
    -------
    bytes
        The 32 bytes of the digest.
    """
    return hashlib.sha256("\0".join(parts).encode()).digest()


class TextMechanism(Mechanism):
    """
    The base class of mechanisms whose truth is a text.

    `randomize_one` and `randomize` take texts and normalize them. No list of answers exists, so
    `size` is 0, tallies have no counts, and there are no shares except those of candidates. (The
    attribute `tells` says so, and `constrained_by` is empty.)

    Results are computed in two steps, so that reports can be read in parts: `count_candidates` for
    each part, whose results are added with +, and `estimate_candidates` for the sum.
    """

    size = 0
    truths = "text"
    tells = "candidates"
    constrained_by = ""

    @abstractmethod
    def count_candidates(self, column: Any, texts: Sequence[str]) -> Counted:
        """
        Count what estimation needs to know about candidates, in a part of the reports.

        Parameters
        ----------
        column : ndarray
            A part of the stored reports, of type `wire.field`.
        texts : sequence of str
            The candidates, normalized and all different.

        Returns
        -------
        Counted
            The number of reports and the sums that `estimate_candidates` needs.
        """

    @classmethod
    @abstractmethod
    def variants_for_epsilon(cls, epsilon: float) -> Sequence["TextMechanism"]:
        """
        Return the mechanisms of this class that planning compares at an epsilon.

        Parameters
        ----------
        epsilon : float
            The privacy loss of one report.

        Returns
        -------
        sequence of TextMechanism
            The mechanisms, all with this epsilon.
        """

    @abstractmethod
    def comparison_note(self, more: float) -> str:
        """
        Return what planning says about this design next to the best one.

        Parameters
        ----------
        more : float
            The factor by which this design needs more respondents than the best one.

        Returns
        -------
        str
            Sentences, in English.
        """

    def numbers(self, texts: Sequence[str]) -> tuple[int, ...]:
        """
        Return the numbers of the points that stand for texts, if each text has one number.

        The base class returns no numbers. Reports cannot distinguish two texts with the same
        number.

        Parameters
        ----------
        texts : sequence of str
            The normalized texts.

        Returns
        -------
        tuple of int
            One number for each text. Empty for designs in which a text has several numbers.
        """
        return ()

    def check_candidates(self, texts: Sequence[str]) -> None:
        """
        Check that reports can distinguish candidates.

        This base class accepts all candidates; a design overrides it if some are impossible.

        Parameters
        ----------
        texts : sequence of str
            The candidates, normalized and all different.

        Raises
        ------
        ValueError
            If no number of reports can distinguish them.
        """

    @abstractmethod
    def estimate_candidates(
        self, counted: Counted, texts: Sequence[str], level: float
    ) -> Candidates:
        """
        Estimate the shares of candidates from the counts of all reports.

        Parameters
        ----------
        counted : Counted
            The counts of all reports: the sum of the results of `count_candidates`.
        texts : sequence of str
            The same candidates as for `count_candidates`.
        level : float
            The largest probability that any of the intervals misses its share. It is divided
            equally among the candidates.

        Returns
        -------
        Candidates
            The shares with their standard errors and intervals.

        Raises
        ------
        ValueError
            If there are no reports, or if reports cannot distinguish the candidates.
        """

    @abstractmethod
    def smallest_detectable_share(self, n: int, candidates: int, level: float = 0.05) -> float:
        """
        Return the smallest share that n reports can detect, or NaN.

        A share is detected if its interval lies above 0.

        Parameters
        ----------
        n : int
            The number of reports.
        candidates : int
            The number of candidates, among which `level` is divided.
        level : float, default 0.05
            The largest probability that any of the intervals misses its share.

        Returns
        -------
        float
            The share. NaN if n reports are too few to detect any.
        """

    @property
    @abstractmethod
    def noise(self) -> float:
        """n times the variance of the share of a text that nobody wrote, as the only candidate.

        So the standard error of such a share from n reports is sqrt(noise / n). Planning compares
        designs for texts by this number: the one with the least noise needs the fewest respondents.
        """

    def candidates(
        self, reports: ArrayLike, texts: Sequence[str], level: float = 0.05
    ) -> Candidates:
        """
        Estimate the shares of candidates from reports, in one call.

        It normalizes the candidates, counts the reports and estimates from the counts.

        Parameters
        ----------
        reports : array_like
            The reports, as `randomize` returns them.
        texts : sequence of str
            The candidates, as they were typed.
        level : float, default 0.05
            The largest probability that any of the intervals misses its share, between 0 and 1.

        Returns
        -------
        Candidates
            The shares with their standard errors and intervals.

        Raises
        ------
        ValueError
            If two candidates are equal after normalization, if there are no reports, or if `level`
            is out of its range.
        """
        normalized = distinct_candidates(texts)
        counted = self.count_candidates(self.stored_reports(reports), normalized)
        return self.estimate_candidates(counted, normalized, checks.between("level", level, 0, 1))

    def stored_reports(self, reports: Any) -> Any:
        """
        Convert reports into the form in which records hold them, for `count_candidates`.

        Parameters
        ----------
        reports : array_like
            The reports, as `randomize` returns them.

        Returns
        -------
        ndarray
            The stored reports, of type `wire.field`.
        """
        return np.asarray(reports, dtype=self.wire.field)

    @abstractmethod
    def randomize(
        self,
        truths: Any,
        rng: Seed = None,
        *,
        labels: None = None,
        missing: Missing = "refuse",
    ) -> Any:
        """
        Draw reports for many texts at once, for simulations and teaching.

        Parameters
        ----------
        truths : sequence of str
            One text per respondent.
        rng : numpy.random.Generator or int, optional
            The source of the draws, or a seed for it.
        labels : None
            Written answers have no labels.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing texts are an error or left out.

        Returns
        -------
        array_like
            One report for each text.
        """

    def tally(self, reports: Any, *, labels: None = None, missing: Missing = "refuse") -> Tally:
        """
        Return a tally with the number of reports and without counts.

        There is no list of answers to count. `count_candidates` counts for given candidates.

        Parameters
        ----------
        reports : array_like
            The reports, as `randomize` returns them.
        labels : None
            Written answers have no labels.
        missing : {"refuse", "drop"}, default "refuse"
            Whether missing reports are an error or left out. The tally says how many there were.

        Returns
        -------
        Tally
            The counts have shape (0,).
        """
        column = text_column("reports", reports, missing)
        return Tally(len(column.values), np.zeros(0, np.int64), missing=column.missing)

    def check_tally(self, tally: Tally) -> None:
        """Raise ValueError if a tally has counts: there is no list of answers to count."""
        if tally.counts.shape != (0,):
            raise ValueError(
                f"counts has shape {tally.counts.shape}; allowed for written answers is (0,)"
            )

    def line(self) -> Line | None:
        """Return None: a text has no list of answers, so no true shares are to be decoded."""
        return None

    def share_covariance(self, tally: Tally) -> FloatArray | None:
        """Return None: a text has no list of answers, so no observed shares have covariances."""
        return None

    def constrain(self, tally: Tally) -> FloatArray:
        """Return an empty array: a text has no list of answers, so there are no shares."""
        return np.zeros(0)

    def maximum_likelihood(self, reports: Any) -> FloatArray:
        """
        Raise an error: written answers have no list of shares.

        Raises
        ------
        ValueError
            Always. `candidates` estimates the shares of texts.
        """
        raise ValueError(
            "written answers have no list of shares; allowed is candidates(reports, texts)"
        )


def distinct_candidates(texts: Sequence[str]) -> tuple[str, ...]:
    """
    Return candidates in their normalized form, or raise ValueError if two of them are equal.

    Parameters
    ----------
    texts : sequence of str
        The candidates as they were typed, 1 to 10,000.

    Returns
    -------
    tuple of str
        The normalized texts, in the same order.

    Raises
    ------
    ValueError
        If there are too few or too many texts, if a text is not possible, or if two texts are
        equal after normalization. Then the message quotes both.
    """
    checks.whole("the number of candidates", len(texts), 1, MOST_CANDIDATES)
    typed_by_normalized: dict[str, str] = {}
    for text in texts:
        normalized = normalize_answer(text)
        if normalized in typed_by_normalized:
            first = checks.show(typed_by_normalized[normalized])
            raise ValueError(f"{first} and {checks.show(text)} are the same candidate")
        typed_by_normalized[normalized] = text
    return tuple(typed_by_normalized)
