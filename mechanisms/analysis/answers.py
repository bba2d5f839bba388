"""What a report tells a model: which of the kinds of reports it is, and what each kind says about the truth."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mechanisms import checks
from mechanisms.checks import BitArray, FloatArray, IntArray
from mechanisms.designs.bits import BitMechanism
from mechanisms.designs.matrix import MatrixMechanism
from mechanisms.designs.mechanism import Mechanism

Table = Callable[[IntArray], FloatArray]
_WIDEST = 16  # bits that are a number by themselves; longer reports are sorted


class Answers(NamedTuple):
    """codes: the kind of each report, shape (n,), below kinds. choice: the answer that is the outcome, None for all.

    likelihoods: from kinds to P(report | state) up to a factor common to all states, shape (m, states). The states are
    "not the choice" and "the choice", or all answers. scores: from kinds to decoded reports, whose mean given the truth
    is the truth, shape (m, 1) or (m, size). log_scale: from kinds to the logarithm of that common factor, shape (m,).
    """

    mechanism: Mechanism
    choice: int | None
    codes: IntArray
    kinds: int
    likelihoods: Table
    scores: Table
    log_scale: Table = lambda kinds: np.zeros(len(kinds))


def answers(mechanism: Mechanism, reports: Any, choice: int | None) -> Answers:
    """The reports of a matrix, unary or subset mechanism, of one choice or of all together."""
    if not isinstance(mechanism, MatrixMechanism | BitMechanism):
        raise ValueError(
            f"mechanism is {checks.show(mechanism)}; allowed is a matrix, unary encoding or subset selection"
        )
    if choice is not None:
        choice = checks.whole("choice", choice, 0, mechanism.size - 1)
    if isinstance(mechanism, BitMechanism):
        rows = checks.bits("reports", reports, mechanism.size)
        if mechanism.select == "one":
            mechanism.check_rows(np.packbits(rows, axis=1))
        return (
            _all_bits(mechanism, rows)
            if choice is None
            else _one(mechanism, choice, rows[:, choice])
        )
    codes = checks.indices("reports", reports, mechanism.size)
    if choice is None or mechanism.line() is None:
        return _matrix(mechanism, codes, choice)
    return _one(mechanism, choice, codes == choice)


def _one(mechanism: Mechanism, choice: int, said: Any) -> Answers:
    """Reports that say the choice, and the others."""
    line = mechanism.line()
    if line is None:
        raise ValueError(
            f"mechanism is {mechanism!r}; allowed is one whose choices have a line each"
        )
    q, slope = float(line.offset[choice]), float(line.slope[choice])
    chances = np.array([[1 - q, 1 - q - slope], [q, q + slope]])
    scores = np.array([[-q / slope], [(1 - q) / slope]])
    return Answers(
        mechanism, choice, said.astype(np.int64), 2, chances.__getitem__, scores.__getitem__
    )


def _matrix(mechanism: MatrixMechanism, codes: IntArray, choice: int | None) -> Answers:
    decoded = np.stack([mechanism.decode(row) for row in np.eye(mechanism.size)])

    def likelihoods(kinds: IntArray) -> FloatArray:
        if choice is not None:
            raise ValueError(
                f"choice is {choice}; allowed for a matrix of {mechanism.size} answers is None, for all"
            )
        return mechanism.floats.T[kinds]

    scores = decoded if choice is None else decoded[:, [choice]]
    return Answers(mechanism, choice, codes, mechanism.size, likelihoods, scores.__getitem__)


def _all_bits(mechanism: BitMechanism, rows: BitArray) -> Answers:
    """Whole reports of bits: P(report | v) is 1 + (ratio - 1) b_v, up to a factor that is the same for all v."""
    codes, distinct = _numbers(rows)
    line, (if_set, if_unset) = mechanism.line(), mechanism.bit_likelihoods()
    scale = if_unset if if_unset > 0 else if_set

    def likelihoods(kinds: IntArray) -> FloatArray:
        if mechanism.select == "any":
            raise ValueError(
                'choice is None; allowed for choose-all answers (select="any") is one choice'
            )
        table: FloatArray = (if_unset + (if_set - if_unset) * distinct(kinds)) / scale
        return table if 0 < mechanism.q < 1 else _telling(table)

    def scores(kinds: IntArray) -> FloatArray:
        decoded: FloatArray = (distinct(kinds) - line.offset) / line.slope
        return decoded

    size = 2 ** rows.shape[1] if rows.shape[1] <= _WIDEST else int(codes.max(initial=0)) + 1

    def log_scale(kinds: IntArray) -> FloatArray:
        return mechanism.log_scale(distinct(kinds).sum(axis=1))

    return Answers(mechanism, None, codes, size, likelihoods, scores, log_scale)


def _telling(table: FloatArray) -> FloatArray:
    """With q = 0 or 1 a bit that is not q gives its answer away: a report without one tells nothing, two cannot be."""
    telling = np.count_nonzero(table, axis=1)
    table[telling == 0] = 1.0
    table[telling > 1] = 0.0
    return table


def _numbers(rows: BitArray) -> tuple[IntArray, Table]:
    """A number for every row of bits, and the bits of such numbers as floats."""
    size = rows.shape[1]
    packed = np.packbits(rows, axis=1)
    if size <= _WIDEST:
        wide = (
            packed[:, 0].astype(np.int64) << 8 | packed[:, 1]
            if size > 8
            else packed[:, 0].astype(np.int64)
        )
        every = (np.arange(2**size)[:, np.newaxis] >> np.arange(size - 1, -1, -1) & 1).astype(
            np.float64
        )
        return wide >> (-size % 8), every.__getitem__
    whole = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    found, codes = np.unique(whole, return_inverse=True)
    distinct = np.unpackbits(found.view(np.uint8).reshape(-1, packed.shape[1]), axis=1, count=size)
    return codes.astype(np.int64), lambda kinds: distinct[kinds].astype(np.float64)
