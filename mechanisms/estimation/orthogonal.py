"""Of some points of a projective space, how many reports are orthogonal to each: by products of blocks."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mechanisms.checks import IntArray
from mechanisms.estimation.projective import Space

_REPORTS, _POINTS = (
    4096,
    64,
)  # of a block: its products fill 1 MB, which stays in a processor's cache


class Found(NamedTuple):
    """counts: shape (k,). squares: over the reports the sum of the squares of how many points each is orthogonal to."""

    counts: IntArray
    squares: int


class Orthogonal:
    """Counts for points, no two of them equal, in a space whose inner products floats of 32 bits tell apart."""

    def __init__(self, space: Space, points: IntArray) -> None:
        order, dimension = space
        if (dimension * (order - 1)) ** 2 >= 2**22:
            raise ValueError(
                f"order is {order} and dimension {dimension}; allowed is a product below 2048"
            )
        self.space = space
        # A product plus a half, over the order: its fraction is below 1/order where the product is a multiple of it.
        # It is wrong by dimension^2 (order - 1)^2 / order / 2^23 at most, which is below 1/(2 order).
        vectors = space.vectors(points).astype(np.float32) / np.float32(order)
        self.points = np.hstack([vectors, np.full((len(points), 1), 0.5 / order, np.float32)])

    def counted(self, reports: IntArray) -> Found:
        """reports: points, shape (n,)."""
        counts, squares = np.zeros(len(self.points), np.int64), 0
        for start in range(0, len(reports), _REPORTS):
            vectors = self.space.vectors(reports[start : start + _REPORTS]).astype(np.float32)
            squares += self._block(
                np.vstack([vectors.T, np.ones((1, len(vectors)), np.float32)]), counts
            )
        return Found(counts, squares)

    def _block(self, vectors: NDArray[np.float32], counts: IntArray) -> int:
        """Adds to the counts. vectors: shape (dimension + 1, reports)."""
        width = vectors.shape[1]
        product, below = np.empty((2, _POINTS, width), np.float32)
        held = np.empty((_POINTS, width), np.bool_)
        each = np.zeros(width, np.int64)
        limit = np.float32(1 / self.space.order)
        for start in range(0, len(self.points), _POINTS):
            part = self.points[start : start + _POINTS]
            rows = slice(0, len(part))
            np.matmul(part, vectors, out=product[rows])
            np.floor(product[rows], out=below[rows])
            np.subtract(product[rows], below[rows], out=product[rows])
            np.less(product[rows], limit, out=held[rows])
            counts[start : start + len(part)] += [np.count_nonzero(row) for row in held[rows]]
            each += held[rows].view(np.uint8).sum(axis=0, dtype=np.uint8)
        return int((each**2).sum())
