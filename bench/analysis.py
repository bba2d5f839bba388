"""How long models and tables of a million respondents take, beside one np.bincount of a million in the same run.

    python -m bench.analysis [rows]

CPU time of one core, the best of several; the ratios compare across machines. Eight columns: ones, six of 0 and 1 (some
rare), an age. Collapsing, fitting and standard errors are all in. Goals that are missed are listed at the end.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")  # one core, so that CPU time is time
sys.path[0] = str(
    Path(__file__).resolve().parents[1]
)  # not this folder, whose mechanisms.py is a bench

import numpy as np  # noqa: E402

from mechanisms import (  # noqa: E402
    DirectEncoding,
    UnaryEncoding,
    Warner,
    cross,
    least_squares,
    pair_tally,
    rake,
    regress,
    regress_on,
    weighted_estimate,
)

COLUMNS = 8
missed: list[str] = []


def cpu(action: Callable[[], Any]) -> float:
    start = time.process_time()
    action()
    return (time.process_time() - start) * 1000


class Unit:
    """One np.bincount, measured again and again: the best so far."""

    def __init__(self, numbers: np.ndarray) -> None:
        self.numbers, self.best = numbers, float("inf")

    def time(self) -> float:
        self.best = min(self.best, *(cpu(lambda: np.bincount(self.numbers)) for _ in range(5)))
        return self.best


def measure(
    name: str, action: Callable[[], Any], unit: Unit, goal: int | None = None, repeats: int = 5
) -> None:
    """The best of several runs, with the unit before and after each, so that both meet the same neighbours."""
    taken = []
    for _ in range(repeats):
        unit.time()
        taken.append(cpu(action))
    ratio = min(taken) / unit.time()
    told = "" if goal is None else f"goal under {goal:<6} {'met' if ratio < goal else 'MISSED'}"
    print(f"  {name:<52} {min(taken):>9.1f} ms  {ratio:>8.1f} times   {told}")
    if goal is not None and ratio >= goal:
        missed.append(name)


def respondents(n: int, rng: np.random.Generator) -> np.ndarray:
    groups = [rng.random(n) < share for share in (0.5, 0.5, 0.3, 0.2, 0.1, 0.05)]
    return np.column_stack([np.ones(n), *groups, rng.integers(18, 91, n)]).astype(np.float64)


def main(n: int) -> None:
    rng = np.random.default_rng(1)
    unit = Unit(rng.integers(0, 10, n))
    design = respondents(n, rng)
    assert design.shape[1] == COLUMNS  # noqa: S101
    yes = (rng.random(n) < 1 / (1 + np.exp(1 - design[:, 1] / 2))).astype(int)
    choices = rng.integers(0, 10, n) * (1 + yes) // 2
    warner, direct, unary = Warner("3/4"), DirectEncoding(10, 2), UnaryEncoding(10, "3/4", "1/4")
    said, of_ten, bits = (
        warner.randomize(yes, rng),
        direct.randomize(choices, rng),
        unary.randomize(choices, rng),
    )
    print(f"n = {n:,}, {COLUMNS} columns; np.bincount {unit.time():.2f} ms")

    def fit(*data: Any, **options: Any) -> Callable[[], Any]:
        return lambda: regress(*data, **options).standard_errors

    measure("logit of a yes/no question", fit(warner, said, design), unit, 60, 15)
    tenths = design / ([1] * (COLUMNS - 1) + [10])
    measure("logit, age in tens of years", fit(warner, said, tenths), unit)
    continuous = np.column_stack([design[:, :-1], rng.normal(size=n)])
    measure(
        "logit, a number that is never the same", fit(warner, said, continuous), unit, repeats=2
    )
    measure("least squares", lambda: least_squares(warner, said, design).standard_errors, unit)
    measure(
        "multinomial, direct, 10 choices", fit(direct, of_ten, design, choice=None), unit, 150, 8
    )
    measure(
        "multinomial, whole unary reports, 10 choices",
        fit(unary, bits, design, choice=None),
        unit,
        1500,
        4,
    )
    measure(
        "randomized predictor of an outcome",
        lambda: regress_on(yes, warner, said, design),
        unit,
        repeats=2,
    )
    measure(
        "table of two direct questions, possible shares",
        lambda: table(direct, of_ten, direct, of_ten),
        unit,
        100,
    )
    measure(
        "table of two unary questions, 10 choices each",
        lambda: table(unary, bits, unary, bits),
        unit,
        repeats=3,
    )
    measure("a raked share", lambda: raked(warner, said, design), unit)
    print(f"Missed: {'; '.join(missed) or 'nothing'}")


def table(first: Any, reports: Any, second: Any, others: Any) -> Any:
    found = cross(first, second, pair_tally(first, reports, second, others))
    return found.constrained, found.standard_errors, found.independence()


def raked(mechanism: Any, reports: Any, design: np.ndarray) -> Any:
    groups = design[:, 1:3].astype(np.int64)
    cell = groups[:, 0] * 2 + groups[:, 1]
    weights = rake(
        np.bincount(cell, minlength=4).reshape(2, 2), [[0.48, 0.52], [0.4, 0.6]]
    ).ravel()[cell]
    return weighted_estimate(mechanism, reports, weights, margins=groups)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
