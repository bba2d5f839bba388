"""A long list is simulated before it is asked."""

import time

import numpy as np
import pytest

from features.simulation.simulation import rehearse
from surveys.definition.parsing import parse_instrument
from tests.definition.test_geometry import asked

pytestmark = pytest.mark.django_db


def test_a_list_of_thousands_is_rehearsed_quickly() -> None:
    instrument = asked(tuple(f"P{number}" for number in range(4000)))
    shares = np.full(4000, 0.5 / 3999)
    shares[7] = 0.5
    start = time.perf_counter()
    found = rehearse(
        parse_instrument(instrument), {"place": shares, "region": [0.5, 0.5]}, 10_000, seed=1
    )
    assert time.perf_counter() - start < 2
    assert [each.code for each in found.report.questions[0].found.choices] == [7]
