"""Points of a projective space over whole numbers modulo a prime, and which are orthogonal.

A point stands for a vector of `dimension` numbers from 0 to order - 1 whose first nonzero
coordinate, the lead, is 1, and for all multiples of this vector. Points are numbered by their lead,
the last coordinate first, and then as numbers of base `order` with the last coordinate fastest: for
order 3 and dimension 3, the points 0, 1, 2, 5, 12 are 001, 010, 011, 101, 122. Every point is
orthogonal to the same number of points, and so is every pair of points. Estimation rests on this.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from mechanisms.checks import FloatArray, IntArray

Vectors = NDArray[np.unsignedinteger | np.signedinteger]
# How far from a whole number a count may come out of the transform.
_GAP = 0.1


class _TransformInput(NamedTuple):
    """Weights of vectors by all coordinates but the first, over which they are summed.

    zero: the plain sums, for vectors that begin with 0. one: the sums with the phase of the first
    coordinate, for vectors that begin with 1. Both have shape (order^(dimension - 1),).
    """

    zero: FloatArray
    one: NDArray[np.complex128]


class Space(NamedTuple):
    """
    A projective space.

    Attributes
    ----------
    order : int
        The number of elements of the field, a prime.
    dimension : int
        The number of coordinates of a vector, at least 2.
    """

    order: int
    dimension: int

    @property
    def points(self) -> int:
        """The number of points: (order^dimension - 1)/(order - 1)."""
        return _points(self.order, self.dimension)

    @property
    def orthogonal(self) -> int:
        """The number of points that are orthogonal to a given point."""
        return _points(self.order, self.dimension - 1)

    @property
    def both(self) -> int:
        """The number of points that are orthogonal to two given points."""
        return _points(self.order, self.dimension - 2)

    def vector(self, point: int) -> list[int]:
        """
        Return the vector of a point, whose lead is 1.

        Parameters
        ----------
        point : int
            The number of the point.

        Returns
        -------
        list of int
            The coordinates, from 0 to order - 1.
        """
        digit_count = 0
        while _points(self.order, digit_count + 1) <= point:
            digit_count += 1
        rest = point - _points(self.order, digit_count)
        digits = []
        for _ in range(digit_count):
            rest, digit = divmod(rest, self.order)
            digits.append(digit)
        zeros = [0] * (self.dimension - 1 - digit_count)
        return [*zeros, 1, *reversed(digits)]

    def point(self, vector: Sequence[int]) -> int:
        """
        Return the number of the point of a vector.

        Parameters
        ----------
        vector : sequence of int
            The coordinates, from 0 to order - 1, which are not all 0. The lead can be any number.

        Returns
        -------
        int
            The number of the point.
        """
        lead = next(index for index, coordinate in enumerate(vector) if coordinate)
        scale = pow(vector[lead], -1, self.order)
        value = 0
        for coordinate in vector[lead + 1 :]:
            value = value * self.order + coordinate * scale % self.order
        return value + _points(self.order, self.dimension - 1 - lead)

    def vectors(self, points: IntArray) -> NDArray[np.uint8]:
        """
        Return the vectors of many points, whose leads are 1.

        Parameters
        ----------
        points : ndarray of int64, shape (n,)
            The numbers of the points.

        Returns
        -------
        ndarray of uint8, shape (n, dimension)
            The coordinates, from 0 to order - 1.
        """
        starts = np.array([_points(self.order, digits) for digits in range(self.dimension)])
        digit_counts = np.searchsorted(starts, points, side="right") - 1
        # The lead, which is 1, becomes a digit of the number too.
        rest = points - starts[digit_counts] + self.order**digit_counts
        vectors = np.empty((len(points), self.dimension), np.uint8)
        for coordinate in reversed(range(self.dimension)):
            rest, vectors[:, coordinate] = np.divmod(rest, self.order)
        return vectors

    def points_of(self, vectors: Vectors) -> IntArray:
        """
        Return the numbers of the points of many vectors.

        Parameters
        ----------
        vectors : ndarray of int, shape (n, dimension)
            The coordinates, from 0 to order - 1. No vector is all 0, and the leads can be any
            numbers.

        Returns
        -------
        ndarray of int64, shape (n,)
            The numbers of the points.
        """
        leads = (vectors != 0).argmax(axis=1)
        lead_values = vectors[np.arange(len(vectors)), leads]
        scales = inverses(self.order)[lead_values]
        value = np.zeros(len(vectors), np.int64)
        for coordinate in range(self.dimension):
            value = value * self.order + vectors[:, coordinate] * scales % self.order
        # The value has the lead as its first digit, which the number of a point leaves out.
        starts = np.array(
            [_points(self.order, digits) - self.order**digits for digits in range(self.dimension)]
        )
        points: IntArray = value + starts[self.dimension - 1 - leads]
        return points

    def counts(self, counts: IntArray, size: int) -> IntArray:
        """
        Return how many reports are orthogonal to each of the first points.

        Parameters
        ----------
        counts : ndarray of int64, shape (points,)
            How often each point was reported.
        size : int
            The number of points for which the reports are counted.

        Returns
        -------
        ndarray of int64, shape (size,)
            The counts, which are rounded from the result of a Fourier transform.

        Raises
        ------
        ArithmeticError
            If the transform gives a number that is 0.1 or more from a whole one.
        """
        sums = self.sums(counts, size)
        rounded: IntArray = np.rint(sums).astype(np.int64)
        if np.abs(sums - rounded).max() >= _GAP:
            raise ArithmeticError("the transform is too far from whole numbers")
        return rounded

    def sums(self, weights: IntArray | FloatArray, size: int) -> FloatArray:
        """
        Return the sum of the weights of the points that are orthogonal to each of the first points.

        The sums come from a Fourier transform over all vectors, where each vector has the weight of
        its point. The value of the transform at v is order times the sum, minus the sum of all
        weights. Points have vectors that begin with 0 or 1, so the first coordinate needs no
        transform.

        Parameters
        ----------
        weights : ndarray, shape (n,)
            The weights of the first n points. Those of the other points are 0.
        size : int
            The number of points for which the sums are computed.

        Returns
        -------
        ndarray, shape (size,)
            The sums.
        """
        all_weights = np.zeros(self.points)
        all_weights[: len(weights)] = weights
        shape = (self.order,) * (self.dimension - 1)
        transform_input = self._transform_input(all_weights)
        zero = fft.fftn(transform_input.zero.reshape(shape)).real.ravel()
        one = fft.fftn(transform_input.one.reshape(shape)).real.ravel()
        transform = np.concatenate([zero, one])
        transform_at_points = transform[self._transform_indexes(size)]
        sums: FloatArray = (transform_at_points + all_weights.sum()) / self.order
        return sums

    def _transform_input(self, weights: FloatArray) -> _TransformInput:
        """Return the weights of all vectors, summed over their first coordinate.

        weights: those of all points, shape (points,).
        """
        order = self.order
        inner = self.dimension - 1
        zero = np.zeros(order**inner)
        one = np.zeros(order**inner, np.complex128)
        for lead in range(1, order):
            scale = int(inverses(order)[lead])
            scaled = _scaled_numbers(order, inner, scale)
            # Vectors whose first coordinate is 0. The lead comes later.
            for digits in range(inner):
                block = weights[_points(order, digits) :][scaled[: order**digits]]
                rows = slice(lead * order**digits, (lead + 1) * order**digits)
                zero[rows] += block
                one[rows] += block
            # Vectors whose first coordinate is the lead.
            block = weights[_points(order, inner) :][scaled]
            zero += block
            one += block * np.exp(-2j * np.pi * lead / order)
        return _TransformInput(zero=zero, one=one)

    def _transform_indexes(self, size: int) -> IntArray:
        """Return the indexes of the first points in the transform, shape (size,).

        Vectors that begin with 0 come first in the transform, then those that begin with 1.
        """
        blocks = [
            np.arange(self.order**digits, 2 * self.order**digits)
            for digits in range(self.dimension)
        ]
        indexes: IntArray = np.concatenate(blocks)[:size]
        return indexes


def _points(order: int, dimension: int) -> int:
    """Return the number of points of a space."""
    return int((order**dimension - 1) // (order - 1))


def _scaled_numbers(order: int, digits: int, scale: int) -> IntArray:
    """Return all numbers of so many digits, with each digit multiplied by `scale`.

    The digits are those of base `order`, modulo which they are multiplied.
    """
    scaled = np.zeros(1, np.int64)
    multiples = np.arange(order) * scale % order
    for digit in range(digits):
        scaled = (multiples[:, np.newaxis] * order**digit + scaled).ravel()
    return scaled


@cache
def inverses(order: int) -> IntArray:
    """
    Return the multiplicative inverses of 0 to order - 1, and 0 for 0.

    Parameters
    ----------
    order : int
        A prime.

    Returns
    -------
    ndarray of int64, shape (order,)
        The number by which each number has to be multiplied for a result of 1.
    """
    numbers = [pow(number, -1, order) for number in range(1, order)]
    return np.array([0, *numbers])
