"""The peers' times in milliseconds, as JSON. Runs in their own environment; bench/mechanisms.py starts it."""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from multi_freq_ldpy.pure_frequency_oracles.GRR import GRR_Client
from multi_freq_ldpy.pure_frequency_oracles.UE import UE_Aggregator_MI, UE_Client
from pure_ldp.frequency_oracles.direct_encoding import DEClient
from pure_ldp.frequency_oracles.unary_encoding import UEClient, UEServer

REPEATS = 3


def best(action: Callable[[], Any]) -> float:
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        action()
        times.append((time.perf_counter() - start) * 1000)
    return min(times)


def same(value: int) -> int:
    return value


def pure_ldp(truths: list[int], size: int, epsilon: float) -> dict[str, float]:
    unary, direct = (
        UEClient(epsilon, size, index_mapper=same),
        DEClient(epsilon, size, index_mapper=same),
    )
    reports = [unary.privatise(truth) for truth in truths]

    def tally() -> None:
        server = UEServer(epsilon, size, index_mapper=same)
        for report in reports:
            server.aggregate(report)

    return {
        "tally": best(tally),
        "unary": best(lambda: [unary.privatise(truth) for truth in truths]),
        "direct": best(lambda: [direct.privatise(truth) for truth in truths]),
    }


def multi_freq_ldpy(truths: list[int], size: int, epsilon: float) -> dict[str, float]:
    GRR_Client(0, size, epsilon)  # compiled at the first call
    reports = [UE_Client(truth, size, epsilon, False) for truth in truths]
    return {
        "tally": best(lambda: UE_Aggregator_MI(reports, epsilon, False)),
        "unary": best(lambda: [UE_Client(truth, size, epsilon, False) for truth in truths]),
        "direct": best(lambda: [GRR_Client(truth, size, epsilon) for truth in truths]),
    }


if __name__ == "__main__":
    n, size, epsilon = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    truths = np.random.default_rng(1).integers(0, size, n).tolist()
    found = {
        "pure-ldp": pure_ldp(truths, size, epsilon),
        "multi-freq-ldpy": multi_freq_ldpy(truths, size, epsilon),
    }
    print(json.dumps(found))
