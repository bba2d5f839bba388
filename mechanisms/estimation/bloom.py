"""Shares of texts from counts of randomized Bloom filters, and scores that random texts would have.

The filters of texts that nobody lists are not known. Texts that nobody wrote can therefore look
written: they share bits with a frequent text that is not on the list. `BloomFit` says how often a
random text would look as frequent as a listed one.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import nnls
from scipy.sparse import csr_array

from mechanisms.checks import FloatArray, IntArray

# The least squares then take seconds.
MOST_CANDIDATES = 2_000
# Candidates are dependent if a squared pivot is below this part of the largest one.
_DEPENDENT = 1e-9
# The cells of the grid on which scores of random texts are rounded: a power of 2, with which the
# fast Fourier transform is fastest. A grid of as many cells is fine enough for up to 256 bits of a
# text (hash functions times cohorts). The rounding then moves a score by at most 0.13 standard
# deviations.
_FEWEST_CELLS = 2**14
_CELLS_OF_ONE_BIT = 64


@dataclass(frozen=True, eq=False)
class BloomFit:
    """
    The least-squares fit of the corrected shares of bits on the bits of candidates.

    Attributes
    ----------
    shares : ndarray, shape (k,)
        The unbiased share of each candidate, a fraction. It may fall outside [0, 1].
    covariance : ndarray, shape (k, k)
        The covariance matrix of `shares`.
    possible : ndarray, shape (k,)
        The shares of least squares of which none is below 0 and whose sum is at most 1.
    corrected : ndarray, shape (cohorts with reports, bits)
        The corrected share of 1 of every bit, less that of a bit which texts set at random.
    set_bits : ndarray of int64, shape (k, cohorts with reports, hashes)
        The indexes of the bits that each candidate sets.
    """

    shares: FloatArray
    covariance: FloatArray
    possible: FloatArray
    corrected: FloatArray
    set_bits: IntArray
    _regression: "_Regression"

    def random_text_probabilities(self, present: IntArray) -> FloatArray:
        """
        Return the probability that a random text has at least the score of each candidate.

        Before a candidate is scored, the least-squares fit of the other candidates that seem to be
        present is subtracted from the corrected shares. The fit is made without the candidate. The
        score is the sum of what is left at the candidate's own bits. Texts that are not on the list
        are not subtracted, so they raise the scores of random texts as well.

        Parameters
        ----------
        present : ndarray of int64, shape (m,)
            The indexes of the candidates whose intervals lie above 0.

        Returns
        -------
        ndarray, shape (k,)
            Probabilities from 0 to 1, as `random_text_probabilities` computes them.
        """
        regression = self._regression
        values = self.corrected.ravel()
        inverse = np.linalg.inv(regression.gram[np.ix_(present, present)])
        shares_of_present = inverse @ regression.times(values)[present]

        # Candidates that do not seem to be present all have the same others.
        probabilities = self._tail(present, shares_of_present, np.arange(len(self.shares)))
        for index, candidate in enumerate(present):
            # The least squares under the condition that the share of the candidate is 0. They are
            # those of the others alone.
            shift = shares_of_present[index] / inverse[index, index]
            shares_of_others = shares_of_present - shift * inverse[:, index]
            tail = self._tail(present, shares_of_others, np.array([candidate]))
            probabilities[candidate] = tail[0]
        return probabilities

    def _tail(self, present: IntArray, shares: FloatArray, candidates: IntArray) -> FloatArray:
        """Return the tail probabilities of candidates after a fit is subtracted.

        shares: the fitted shares of the candidates `present`, shape (m,).
        """
        all_shares = np.zeros(len(self.shares))
        all_shares[present] = shares
        fitted = self._regression.fitted_values(all_shares).reshape(self.corrected.shape)
        left = self.corrected - fitted
        cohorts = np.arange(len(left))[:, np.newaxis]
        scores = left[cohorts, self.set_bits[candidates]].sum(axis=(1, 2))
        return random_text_probabilities(left, scores, hashes=self.set_bits.shape[2])


def random_text_probabilities(corrected: FloatArray, scores: FloatArray, hashes: int) -> FloatArray:
    """
    Return the probabilities that a random text has at least given scores.

    In each cohort the hash functions of a random text choose bits independently and evenly, and its
    score is the sum of the corrected shares of these bits. The distribution of the score is
    therefore a convolution over all cohorts and hash functions, which is computed by the fast
    Fourier transform. A text that nobody wrote is exchangeable with a random text, since its bits
    are words of a cryptographic hash: the probability of its score is a p-value.

    The corrected shares are rounded to a grid. The sum of n rounding errors has a standard
    deviation of sqrt(n / 12) cells; so each score is lowered by sqrt(n) cells, that is by 3.5 of
    these, and no probability is too small.

    Parameters
    ----------
    corrected : ndarray, shape (cohorts, bits)
        The corrected share of 1 of every bit, a fraction. Constants that are added to all bits
        and to the scores change nothing.
    scores : ndarray, shape (k,)
        The scores, each the sum of `cohorts * hashes` corrected shares.
    hashes : int
        The number of hash functions.

    Returns
    -------
    ndarray, shape (k,)
        Probabilities from 0 to 1. They are all 1 if the bits of each cohort are all alike.

    References
    ----------
    Lehmann, E. L., & Romano, J. P. (2005). Testing Statistical Hypotheses (3rd ed.), section 15.2:
    the p-value of a test by all exchangeable outcomes.

    Embrechts, P., & Frei, M. (2009). Panjer recursion versus FFT for compound distributions.
    Mathematical Methods of Operations Research, 69, 497–508: convolution on a grid.
    """
    lowest = corrected.min(axis=1)
    total_range = hashes * float(np.ptp(corrected, axis=1).sum())
    if total_range == 0:
        return np.ones(len(scores))
    terms = hashes * len(corrected)
    cells = max(_FEWEST_CELLS, 2 ** int(np.ceil(np.log2(_CELLS_OF_ONE_BIT * terms))))
    # No sum of rounded shares reaches the end of the grid, where the convolution would wrap around.
    step = total_range / (cells - terms - 2)

    transform = np.ones(cells // 2 + 1, dtype=complex)
    for shares_of_cohort, lowest_share in zip(corrected, lowest, strict=True):
        rounded = np.rint((shares_of_cohort - lowest_share) / step).astype(np.int64)
        frequencies = np.bincount(rounded, minlength=cells) / shares_of_cohort.size
        transform *= np.fft.rfft(frequencies) ** hashes
    masses = np.maximum(np.fft.irfft(transform, cells), 0)
    tails = np.minimum(np.cumsum(masses[::-1])[::-1], 1)

    score_cells = np.floor((scores - hashes * lowest.sum()) / step - np.sqrt(terms))
    probabilities: FloatArray = tails[np.clip(score_cells, 0, cells - 1).astype(np.int64)]
    return probabilities


def least_squares(
    counts: IntArray, filters: IntArray, probabilities: tuple[float, float]
) -> BloomFit:
    """
    Fit the shares of candidates to the counts of bits by least squares.

    Corrected for both randomization steps, the share of 1 of a bit is the summed share of the texts
    that set it. Texts that nobody lists set each bit equally often, on average over the hash
    functions. This average is subtracted on both sides. The errors are those of a sandwich
    estimator: each bit varies binomially, and by as much as the bits scatter beyond that, for
    example if an unknown text is frequent.

    Parameters
    ----------
    counts : ndarray of int64, shape (cohorts, 1 + bits)
        For each cohort the number of its reports, then how many of them set each bit.
    filters : ndarray of int64, shape (k, cohorts, hashes)
        The indexes of the bits that each candidate sets.
    probabilities : tuple of float
        The probabilities that a bit of a report is 1, if it is 0 in the Bloom filter or 1.

    Returns
    -------
    BloomFit
        The shares with their covariance.

    Raises
    ------
    ValueError
        If the bits of cohorts with reports cannot distinguish the candidates.

    References
    ----------
    Erlingsson, Ú., Pihur, V., & Korolova, A. (2014). RAPPOR: Randomized aggregatable
    privacy-preserving ordinal response. ACM CCS 2014, section 4.

    White, H. (1980). A heteroskedasticity-consistent covariance matrix estimator and a direct test
    for heteroskedasticity. Econometrica, 48, 817–838.
    """
    has_reports = counts[:, 0] > 0
    sizes = counts[has_reports, :1].astype(float)
    width = counts.shape[1] - 1
    q, p = probabilities
    observed = counts[has_reports, 1:] / sizes
    average = average_of_bits(filters, width)
    corrected = (observed - q) / (p - q) - average
    noise = (np.maximum(observed * (1 - observed), 0) / sizes).ravel() / (p - q) ** 2

    set_bits = filters[:, has_reports]
    regression = _Regression(_bit_matrix(set_bits, width), average)
    values = corrected.ravel()
    shares = regression.solve(regression.times(values))
    scatter_beyond_noise = (values - regression.fitted_values(shares)) ** 2 - noise
    degrees_of_freedom = max(values.size - shares.size, 1)
    extra_variance = max(float(scatter_beyond_noise.sum()) / degrees_of_freedom, 0.0)
    return BloomFit(
        shares=shares,
        covariance=regression.sandwich(noise + extra_variance),
        possible=regression.not_below_zero(values),
        corrected=corrected,
        set_bits=set_bits,
        _regression=regression,
    )


def require_distinguishable(filters: IntArray, width: int) -> None:
    """
    Raise ValueError if no number of reports can distinguish the candidates.

    Parameters
    ----------
    filters : ndarray of int64, shape (k, cohorts, hashes)
        The indexes of the bits that each candidate sets.
    width : int
        The number of bits of a Bloom filter.

    Raises
    ------
    ValueError
        If the bits of some candidates depend on those of others, or there are too many candidates.
    """
    _Regression(_bit_matrix(filters, width), average_of_bits(filters, width))


def average_of_bits(filters: IntArray, width: int) -> float:
    """
    Return how often a text that is not on the list sets a bit, on average over hash functions.

    Parameters
    ----------
    filters : ndarray of int64, shape (k, cohorts, hashes)
        The indexes of the bits that each candidate sets.
    width : int
        The number of bits of a Bloom filter.

    Returns
    -------
    float
        The probability that at least one of the hash functions chooses the bit.
    """
    hashes = filters.shape[2]
    return float(1 - (1 - 1 / width) ** hashes)


def _bit_matrix(filters: IntArray, width: int) -> csr_array:
    """Return 1 for each bit of a cohort that a candidate sets, shape (cohorts * bits, k)."""
    candidates, cohorts, hashes = filters.shape
    first_rows = width * np.arange(cohorts)[:, np.newaxis]
    rows = (filters + first_rows).reshape(candidates, -1)
    columns = np.repeat(np.arange(candidates), cohorts * hashes)
    matrix = csr_array(
        (np.ones(rows.size), (rows.ravel(), columns)), shape=(cohorts * width, candidates)
    )
    # Two hash functions of a candidate may choose the same bit.
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix


class _Regression:
    """The regression on the bits of the candidates, less how often any text sets a bit.

    The matrix of bits stays sparse.
    """

    def __init__(self, bits: csr_array, average: float) -> None:
        self.bits = bits
        self.average = average
        self.gram = self._product(np.ones(bits.shape[0]))
        rows, candidates = bits.shape
        self._factor = _cholesky_factor(self.gram, rows, candidates)

    def _product(self, weights: FloatArray) -> FloatArray:
        """Return X' W X for X = bits - average and the diagonal matrix W of the weights."""
        weighted = self.bits.T.multiply(weights).tocsr()
        sums = self.average * np.asarray(weighted.sum(axis=1)).ravel()
        product: FloatArray = (weighted @ self.bits).toarray() - sums[:, np.newaxis] - sums
        product += self.average**2 * weights.sum()
        return product

    def times(self, values: FloatArray) -> FloatArray:
        """Return X' times values of the bits, shape (k,)."""
        product: FloatArray = self.bits.T @ values - self.average * values.sum()
        return product

    def fitted_values(self, shares: FloatArray) -> FloatArray:
        """Return X times shares of the candidates, shape (cohorts * bits,)."""
        values: FloatArray = self.bits @ shares - self.average * shares.sum()
        return values

    def solve(self, values: FloatArray) -> FloatArray:
        """Return the solution x of X' X x = values."""
        solution: FloatArray = cho_solve((self._factor, True), values)
        return solution

    def sandwich(self, variances: FloatArray) -> FloatArray:
        """Return the covariance of the shares for variances of the bits, shape (k, k)."""
        half = self.solve(self._product(variances))
        return self.solve(half.T)

    def not_below_zero(self, values: FloatArray) -> FloatArray:
        """Return the shares of least squares of which none is below 0, with a sum of at most 1."""
        lower = np.tril(self._factor)
        target = np.linalg.solve(lower, self.times(values))
        shares: FloatArray = nnls(lower.T, target)[0]
        shares /= max(1.0, shares.sum())
        return shares


def _cholesky_factor(gram: FloatArray, rows: int, candidates: int) -> FloatArray:
    """Return the lower Cholesky factor, or raise ValueError if candidates are dependent."""
    error = ValueError(
        f"{candidates} candidates cannot be told apart by the {rows} bits of these reports; allowed"
        " are fewer"
    )
    if candidates > min(rows, MOST_CANDIDATES):
        raise error
    try:
        factor: FloatArray = cho_factor(gram, lower=True)[0]
    except np.linalg.LinAlgError:
        raise error from None
    squared_pivots = factor.diagonal() ** 2
    if (squared_pivots < _DEPENDENT * squared_pivots.max(initial=0)).any():
        raise error
    return factor
