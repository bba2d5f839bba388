"""The family of a page: how many comparisons share the confidence level."""

import pytest

from surveys.statements.family import Family, comparisons_of_groups


@pytest.mark.parametrize(
    ("sizes", "comparisons"),
    [([], 0), ([500], 0), ([30, 29], 0), ([30, 30], 1), ([30, 30, 29], 1), ([40, 50, 60], 3)],
)
def test_two_large_groups_are_compared_once_and_more_each_with_the_others(
    sizes: list[int], comparisons: int
) -> None:
    assert comparisons_of_groups(sizes) == comparisons


def test_level_is_shared_by_the_statements_of_the_family() -> None:
    assert Family(size=10, confidence=0.95).alpha == pytest.approx(0.005)
    assert Family.for_pairs(5).size == 10
    assert Family.for_pairs(1).size == 1
