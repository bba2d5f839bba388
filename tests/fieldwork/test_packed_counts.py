"""Counts in a tally, as a list or packed."""

import json

import numpy as np
import pytest

from surveys.fieldwork.responses.packed_counts import LONGEST_LIST, add, pack, unpack


@pytest.mark.parametrize("size", [2, LONGEST_LIST, LONGEST_LIST + 1, 137_257])
def test_counts_come_back_and_add_up(size: int) -> None:
    one, other = np.random.default_rng(1).integers(0, 10**9, (2, size))
    packed = json.loads(json.dumps(pack(one)))
    assert isinstance(packed, list) == (size <= LONGEST_LIST)
    assert unpack(packed).tolist() == one.tolist()
    assert unpack(add(packed, pack(other))).tolist() == (one + other).tolist()


def test_a_small_group_of_a_long_list_takes_little() -> None:
    counts = np.bincount(np.arange(30) * 4000, minlength=137_257)
    assert len(pack(counts)) < 7000


def test_counts_of_different_lengths_do_not_add_up() -> None:
    with pytest.raises(ValueError, match="2 and 3"):
        add([1, 2], [1, 2, 3])
