"""An exact test of whether a matrix of integers can be inverted."""

from collections.abc import Sequence


def is_singular(rows: Sequence[Sequence[int]]) -> bool:
    """
    Return whether the determinant of a matrix of integers is 0.

    A mechanism whose matrix of probabilities is singular cannot be decoded. The matrix is reduced
    by Gaussian elimination without fractions, so no rounding takes place. The last number on the
    diagonal is then the determinant, except for its sign.

    Parameters
    ----------
    rows : sequence of sequences of int, shape (k, k)
        The matrix. It is not changed.

    Returns
    -------
    bool
        True if the matrix has no inverse.

    References
    ----------
    Bareiss, E. H. (1968). Sylvester's identity and multistep integer-preserving Gaussian
    elimination. Mathematics of Computation, 22(103), 565-578.
    """
    matrix = [list(row) for row in rows]
    # The first step divides by 1, so it changes nothing.
    previous_pivot = 1

    for step in range(len(matrix) - 1):
        # A row with a number other than 0 in this column is needed. Without one, the columns are
        # linearly dependent.
        pivot_index = _first_row_with_entry(matrix, step)
        if pivot_index is None:
            return True
        matrix[step], matrix[pivot_index] = matrix[pivot_index], matrix[step]
        pivot_row = matrix[step]
        pivot = pivot_row[step]

        # Every row below is multiplied by the pivot. Then the multiple of the pivot row is
        # subtracted that makes its number in this column 0. That 0 is not written, as it is not
        # read again.
        for row in matrix[step + 1 :]:
            for column in range(step + 1, len(row)):
                minor = row[column] * pivot - row[step] * pivot_row[column]
                # Bareiss (1968): the minor is always divisible by the pivot of the step before.
                row[column] = minor // previous_pivot
        previous_pivot = pivot

    return matrix[-1][-1] == 0


def _first_row_with_entry(matrix: list[list[int]], step: int) -> int | None:
    """Return the index of the first row from `step` on whose column `step` is not 0, or None.

    Elimination moves this row to the place of row `step`, since it divides by that number.
    """
    for index in range(step, len(matrix)):
        if matrix[index][step]:
            return index
    return None
