"""Whether an integer matrix can be inverted, decided exactly."""

from collections.abc import Sequence


def is_singular(rows: Sequence[Sequence[int]]) -> bool:
    """Whether the determinant is 0, by elimination without fractions (Bareiss 1968)."""
    matrix = [list(row) for row in rows]
    previous = 1
    for step in range(len(matrix) - 1):
        pivot = next((index for index in range(step, len(matrix)) if matrix[index][step]), None)
        if pivot is None:
            return True
        matrix[step], matrix[pivot] = matrix[pivot], matrix[step]
        top = matrix[step]
        for row in matrix[step + 1 :]:
            for column in range(step + 1, len(row)):
                row[column] = (row[column] * top[step] - row[step] * top[column]) // previous
        previous = top[step]
    return matrix[-1][-1] == 0
