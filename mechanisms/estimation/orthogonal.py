"""Counts of the reports that are orthogonal to some points of a projective space.

They are computed by products of blocks.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mechanisms.checks import IntArray
from mechanisms.estimation.projective import Space

# The reports and points of a block. Its products fill 1 MB, which the cache of a processor holds.
_REPORTS = 4096
_POINTS = 64


class OrthogonalCounts(NamedTuple):
    """
    The counts of orthogonal reports.

    Attributes
    ----------
    counts : ndarray of int64, shape (k,)
        The number of reports that are orthogonal to each point.
    squares : int
        The sum over the reports of the squared number of points to which a report is orthogonal.
    """

    counts: IntArray
    squares: int


class Orthogonal:
    """
    Points whose orthogonal reports are counted.

    Parameters
    ----------
    space : Space
        A projective space whose inner products floats of 32 bits can distinguish.
    points : ndarray of int64, shape (k,)
        The points, each once.

    Raises
    ------
    ValueError
        If the space is too large for floats of 32 bits.
    """

    def __init__(self, space: Space, points: IntArray) -> None:
        order, dimension = space
        if (dimension * (order - 1)) ** 2 >= 2**22:
            raise ValueError(
                f"order is {order} and dimension {dimension}; allowed is a product below 2048"
            )
        self.space = space
        # An inner product plus a half is divided by the order. The fraction of the result is below
        # 1/order if the product is a multiple of the order. Its error is at most
        # dimension^2 (order - 1)^2 / order / 2^23, which is below 1/(2 order).
        vectors = space.vectors(points).astype(np.float32) / np.float32(order)
        halves = np.full((len(points), 1), 0.5 / order, np.float32)
        self.points = np.hstack([vectors, halves])

    def count_reports(self, reports: IntArray) -> OrthogonalCounts:
        """
        Return how many reports are orthogonal to each point.

        Parameters
        ----------
        reports : ndarray of int64, shape (n,)
            The reports, which are points.

        Returns
        -------
        OrthogonalCounts
            The counts, and the sum of squares that their covariance needs.
        """
        counts = np.zeros(len(self.points), np.int64)
        squares = 0
        for start in range(0, len(reports), _REPORTS):
            block = reports[start : start + _REPORTS]
            vectors = self.space.vectors(block).astype(np.float32)
            ones = np.ones((1, len(vectors)), np.float32)
            squares += self._count_block(np.vstack([vectors.T, ones]), counts)
        return OrthogonalCounts(counts=counts, squares=squares)

    def _count_block(self, vectors: NDArray[np.float32], counts: IntArray) -> int:
        """Add the reports of a block to the counts, and return its sum of squares.

        vectors: the reports, shape (dimension + 1, reports).
        """
        width = vectors.shape[1]
        all_products = np.empty((_POINTS, width), np.float32)
        all_floors = np.empty((_POINTS, width), np.float32)
        all_masks = np.empty((_POINTS, width), np.bool_)
        points_by_report = np.zeros(width, np.int64)
        limit = np.float32(1 / self.space.order)
        for start in range(0, len(self.points), _POINTS):
            points = self.points[start : start + _POINTS]
            products = all_products[: len(points)]
            floors = all_floors[: len(points)]
            is_orthogonal = all_masks[: len(points)]
            np.matmul(points, vectors, out=products)
            np.floor(products, out=floors)
            np.subtract(products, floors, out=products)
            np.less(products, limit, out=is_orthogonal)
            counts[start : start + len(points)] += [np.count_nonzero(row) for row in is_orthogonal]
            points_by_report += is_orthogonal.view(np.uint8).sum(axis=0, dtype=np.uint8)
        return int((points_by_report**2).sum())
