"""Points of a projective space over whole numbers modulo a prime, by number, and which of them are orthogonal.

A point stands for a vector of `dimension` numbers 0 to order - 1 whose first nonzero coordinate, the lead, is 1, and
for all multiples of it. Points are numbered by their lead, the last coordinate first, then as numbers of base `order`
with the last coordinate fastest: of order 3 and dimension 3, points 0, 1, 2, 5, 12 are 001, 010, 011, 101, 122. Every
point is orthogonal to the same number of others, and so is every pair of points, which is what estimation rests on.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from mechanisms.checks import FloatArray, IntArray

Vectors = NDArray[np.unsignedinteger | np.signedinteger]
_GAP = 0.1  # how far from a whole number a count may come out of the transform


class Space(NamedTuple):
    """order: a prime. dimension: of its vectors, at least 2."""

    order: int
    dimension: int

    @property
    def points(self) -> int:
        """How many there are: (order^dimension - 1)/(order - 1)."""
        return _points(self.order, self.dimension)

    @property
    def orthogonal(self) -> int:
        """How many points are orthogonal to a given one."""
        return _points(self.order, self.dimension - 1)

    @property
    def both(self) -> int:
        """How many points are orthogonal to two given ones."""
        return _points(self.order, self.dimension - 2)

    def vector(self, point: int) -> list[int]:
        """The vector of a point, its lead 1."""
        after = 0  # coordinates after the lead
        while _points(self.order, after + 1) <= point:
            after += 1
        rest, digits = point - _points(self.order, after), []
        for _ in range(after):
            rest, digit = divmod(rest, self.order)
            digits.append(digit)
        return [0] * (self.dimension - 1 - after) + [1] + digits[::-1]

    def point(self, vector: Sequence[int]) -> int:
        """The point of a vector that is not all zeros, whatever its lead."""
        lead = next(place for place, number in enumerate(vector) if number)
        scale, value = pow(vector[lead], -1, self.order), 0
        for number in vector[lead + 1 :]:
            value = value * self.order + number * scale % self.order
        return value + _points(self.order, self.dimension - 1 - lead)

    def vectors(self, points: IntArray) -> NDArray[np.uint8]:
        """The same of many points: (n,) -> (n, dimension)."""
        starts = np.array([_points(self.order, after) for after in range(self.dimension)])
        after = np.searchsorted(starts, points, side="right") - 1
        rest = points - starts[after] + self.order**after  # the lead is a digit of it
        found = np.empty((len(points), self.dimension), np.uint8)
        for place in reversed(range(self.dimension)):
            rest, found[:, place] = np.divmod(rest, self.order)
        return found

    def points_of(self, vectors: Vectors) -> IntArray:
        """The way back, of vectors that are not all zeros: (n, dimension) -> (n,)."""
        lead = (vectors != 0).argmax(axis=1)
        scale = inverses(self.order)[vectors[np.arange(len(vectors)), lead]]
        value = np.zeros(len(vectors), np.int64)
        for place in range(self.dimension):
            value = value * self.order + vectors[:, place] * scale % self.order
        after = self.dimension - 1 - lead
        starts = np.array(
            [_points(self.order, each) - self.order**each for each in range(self.dimension)]
        )
        found: IntArray = value + starts[after]
        return found

    def counts(self, counts: IntArray, size: int) -> IntArray:
        """For the first `size` points, how many of these are orthogonal to each, from how often each point came.

        counts: shape (points,). What the transform gives is rounded; ArithmeticError if it is .1 off.
        """
        exact = self.sums(counts, size)
        found: IntArray = np.rint(exact).astype(np.int64)
        if np.abs(exact - found).max() >= _GAP:
            raise ArithmeticError("the transform is too far from whole numbers")
        return found

    def sums(self, weights: IntArray | FloatArray, size: int) -> FloatArray:
        """For the first `size` points, the sum of the weights of all points that are orthogonal to each.

        weights: shape (n,), of the first n points; the others have none. A Fourier transform over all vectors, where
        each has the weight of its point: what it gives at v is order times the sum wanted, minus the sum of all. Only
        vectors that begin with 0 or 1 are looked at, so that their first coordinate needs no transform.
        """
        whole = np.zeros(self.points)
        whole[: len(weights)] = weights
        shape = (self.order,) * (self.dimension - 1)
        zero, one = (part.reshape(shape) for part in self._first(whole))
        found = np.concatenate([fft.fftn(zero).real.ravel(), fft.fftn(one).real.ravel()])
        sums: FloatArray = (found[self._places(size)] + whole.sum()) / self.order
        return sums

    def _first(self, weights: FloatArray) -> tuple[FloatArray, NDArray[np.complex128]]:
        """The weights of all vectors by their other coordinates, summed over the first; and summed with its phase."""
        q, inner = self.order, self.dimension - 1
        zero = np.zeros(q**inner)
        one = np.zeros(q**inner, np.complex128)
        for lead in range(1, q):
            scale = int(inverses(q)[lead])
            scaled = _scaled(q, inner, scale)
            for after in range(inner):  # the first coordinate is 0, and the lead comes later
                block = weights[_points(q, after) :][scaled[: q**after]]
                zero[lead * q**after : (lead + 1) * q**after] += block
                one[lead * q**after : (lead + 1) * q**after] += block
            block = weights[_points(q, inner) :][scaled]
            zero += block
            one += block * np.exp(-2j * np.pi * lead / q)
        return zero, one

    def _places(self, size: int) -> IntArray:
        """Where the first points stand among the vectors that begin with 0, then those that begin with 1."""
        parts = [
            np.arange(self.order**after, 2 * self.order**after) for after in range(self.dimension)
        ]
        places: IntArray = np.concatenate(parts)[:size]
        return places


def _points(order: int, dimension: int) -> int:
    return int((order**dimension - 1) // (order - 1))


def _scaled(order: int, digits: int, scale: int) -> IntArray:
    """Of each vector of so many digits, read as a number, what it is after each digit was multiplied."""
    found = np.zeros(1, np.int64)
    times = np.arange(order) * scale % order
    for place in range(digits):
        found = (times[:, np.newaxis] * order**place + found).ravel()
    return found


@cache
def inverses(order: int) -> IntArray:
    """What each of 0 to order - 1 has to be multiplied by to give 1; 0 for 0."""
    return np.array([0] + [pow(number, -1, order) for number in range(1, order)])
