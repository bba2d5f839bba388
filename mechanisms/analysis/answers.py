"""The reports of one question as a model needs them.

Reports that mean the same to a model are of one kind. A model looks at each kind once, however many
respondents sent such a report.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms import checks
from mechanisms.checks import BitArray, FloatArray, IntArray
from mechanisms.designs.bits import BitMechanism
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Mechanism

# A function from kinds of reports, shape (m,), to what they mean, with one row for each of them.
KindTable = Callable[[IntArray], FloatArray]

# Reports of at most this many bits are their own numbers. Longer ones are sorted to find the kinds.
_MOST_BITS_AS_NUMBER = 16


def _no_common_factor(kinds: IntArray) -> FloatArray:
    """Return the logarithm of a factor of 1 for each kind, shape (m,)."""
    return np.zeros(len(kinds))


@dataclass(frozen=True, eq=False)
class Answers:
    """The kinds of the reports of one question, and what each kind says about the truth.

    The states of the truth are "not the choice" and "the choice", or all answers if the choice is
    None.

    Attributes
    ----------
    mechanism : Mechanism
        The mechanism of the question.
    choice : int or None
        The answer that is the outcome; None for all answers.
    codes : ndarray of int, shape (n,)
        The kind of each report, below `kinds`.
    kinds : int
        The number of kinds.
    likelihoods : callable
        From kinds to the probability of such a report in each state, shape (m, states), up to a
        factor that all states have in common. Raises ValueError if the reports do not depend on
        one choice alone, or if several options can be chosen and the choice is None.
    scores : callable
        From kinds to decoded reports, whose mean given the truth is the truth, shape (m, 1) for
        one choice and (m, size) for all answers.
    log_scale : callable
        From kinds to the natural logarithm of the factor that `likelihoods` leaves out, shape (m,).
    """

    mechanism: Mechanism
    choice: int | None
    codes: IntArray
    kinds: int
    likelihoods: KindTable
    scores: KindTable
    log_scale: KindTable = _no_common_factor


@dataclass(frozen=True, eq=False)
class _NumberedBits:
    """Reports of bits as numbers.

    codes: the number of each report, shape (n,), below `kinds`. bits_of: from numbers to their
    bits as 0.0 and 1.0, shape (m, size).
    """

    codes: IntArray
    kinds: int
    bits_of: KindTable


def answers(mechanism: Mechanism, reports: Any, choice: int | None) -> Answers:
    """Return the kinds of reports of one question, for one choice or for all answers.

    Parameters
    ----------
    mechanism : Mechanism
        A matrix, unary encoding or subset selection.
    reports : array_like
        The reports: codes of shape (n,), or bits of shape (n, size).
    choice : int or None
        The answer that is the outcome, from 0 to size - 1; None for all answers.

    Returns
    -------
    Answers

    Raises
    ------
    ValueError
        If the mechanism is of another kind, if the reports are not its reports, or if the choice
        is none of its answers.
    """
    if not isinstance(mechanism, MatrixMechanism | BitMechanism):
        raise ValueError(
            f"mechanism is {checks.show(mechanism)}; allowed is a matrix, unary encoding or subset"
            " selection"
        )
    if choice is not None:
        choice = checks.whole("choice", choice, 0, mechanism.size - 1)

    if isinstance(mechanism, BitMechanism):
        rows = checks.bits("reports", reports, mechanism.size)
        if mechanism.select == "one":
            mechanism.check_rows(np.packbits(rows, axis=1))
        if choice is None:
            return _answers_of_whole_reports(mechanism, rows)
        return _answers_of_one_choice(mechanism, choice, rows[:, choice])

    codes = checks.indices("reports", reports, mechanism.size)
    if choice is None or mechanism.line() is None:
        return _answers_of_matrix(mechanism, codes, choice)
    return _answers_of_one_choice(mechanism, choice, codes == choice)


def _answers_of_one_choice(
    mechanism: Mechanism, choice: int, is_supported: NDArray[Any]
) -> Answers:
    """Return two kinds: reports that support the choice are of kind 1, and all others of kind 0."""
    line = mechanism.line()
    if line is None:
        raise ValueError(
            f"mechanism is {mechanism!r}; allowed is one whose choices have a line each"
        )
    q = float(line.offset[choice])
    slope = float(line.slope[choice])
    likelihoods = np.array([[1 - q, 1 - q - slope], [q, q + slope]])
    scores = np.array([[-q / slope], [(1 - q) / slope]])
    return Answers(
        mechanism=mechanism,
        choice=choice,
        codes=is_supported.astype(np.int64),
        kinds=2,
        likelihoods=likelihoods.__getitem__,
        scores=scores.__getitem__,
    )


def _answers_of_matrix(mechanism: MatrixMechanism, codes: IntArray, choice: int | None) -> Answers:
    """Return a kind for each report of a matrix."""
    decoded = np.stack([mechanism.decode(row) for row in np.eye(mechanism.size)])

    def likelihoods(kinds: IntArray) -> FloatArray:
        if choice is not None:
            raise ValueError(
                f"choice is {choice}; allowed for a matrix of {mechanism.size} answers is None, for"
                " all"
            )
        return mechanism.floats.T[kinds]

    scores = decoded
    if choice is not None:
        scores = decoded[:, [choice]]
    return Answers(
        mechanism=mechanism,
        choice=choice,
        codes=codes,
        kinds=mechanism.size,
        likelihoods=likelihoods,
        scores=scores.__getitem__,
    )


def _answers_of_whole_reports(mechanism: BitMechanism, rows: BitArray) -> Answers:
    """Return a kind for each distinct row of bits.

    Up to a factor that all answers v have in common, P(report | v) is the likelihood ratio of bit v
    if the bit is set, and 1 if it is not.
    """
    numbered = _numbered_bits(rows)
    line = mechanism.line()
    if_set, if_unset = mechanism.bit_likelihoods()
    scale = if_unset if if_unset > 0 else if_set

    def likelihoods(kinds: IntArray) -> FloatArray:
        if mechanism.select == "any":
            raise ValueError(
                'choice is None; allowed for choose-all answers (select="any") is one choice'
            )
        bits = numbered.bits_of(kinds)
        table: FloatArray = (if_unset + (if_set - if_unset) * bits) / scale
        if 0 < mechanism.q < 1:
            return table
        return _likelihoods_of_certain_bits(table)

    def scores(kinds: IntArray) -> FloatArray:
        decoded: FloatArray = (numbered.bits_of(kinds) - line.offset) / line.slope
        return decoded

    def log_scale(kinds: IntArray) -> FloatArray:
        bits = numbered.bits_of(kinds)
        return mechanism.log_scale(bits.sum(axis=1))

    return Answers(
        mechanism=mechanism,
        choice=None,
        codes=numbered.codes,
        kinds=numbered.kinds,
        likelihoods=likelihoods,
        scores=scores,
        log_scale=log_scale,
    )


def _likelihoods_of_certain_bits(table: FloatArray) -> FloatArray:
    """Return the likelihoods of reports with q = 0 or 1, shape (m, states). The table is changed.

    A bit that differs from q gives its answer away. A report without such a bit says nothing about
    the truth, and no truth leads to a report with two of them.
    """
    possible_answers = np.count_nonzero(table, axis=1)
    table[possible_answers == 0] = 1.0
    table[possible_answers > 1] = 0.0
    return table


def _numbered_bits(rows: BitArray) -> _NumberedBits:
    """Return rows of bits, shape (n, size), as numbers."""
    size = rows.shape[1]
    packed = np.packbits(rows, axis=1)
    if size <= _MOST_BITS_AS_NUMBER:
        numbers = packed[:, 0].astype(np.int64)
        if size > 8:
            numbers = numbers << 8 | packed[:, 1]
        # The last byte is filled up with zeros on the right.
        filling = -size % 8
        shifts = np.arange(size - 1, -1, -1)
        bits = np.arange(2**size)[:, np.newaxis] >> shifts & 1
        every_row = bits.astype(np.float64)
        return _NumberedBits(codes=numbers >> filling, kinds=2**size, bits_of=every_row.__getitem__)

    width = packed.shape[1]
    # Each row becomes one value of `width` bytes, which are sorted faster than rows.
    whole_rows = packed.view(np.dtype((np.void, width))).ravel()
    distinct, codes = np.unique(whole_rows, return_inverse=True)
    distinct_bytes = distinct.view(np.uint8).reshape(-1, width)
    distinct_bits = np.unpackbits(distinct_bytes, axis=1, count=size)

    def bits_of(kinds: IntArray) -> FloatArray:
        return distinct_bits[kinds].astype(np.float64)

    return _NumberedBits(
        codes=codes.astype(np.int64),
        kinds=int(codes.max(initial=0)) + 1,
        bits_of=bits_of,
    )
