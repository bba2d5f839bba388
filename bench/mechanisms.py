"""How fast and how accurate the mechanisms are, beside the other Python libraries, in one run on one machine.

    python bench/mechanisms.py

The peers are installed into var/bench-peers, an environment of their own, at the first run. Every time is the best of
several; a ratio says how many times less ours takes. Goals that are missed are listed at the end.
"""

import json
import math
import resource
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT)  # not this folder, where `mechanisms` would be this file

import numpy as np  # noqa: E402
from scipy import fft  # noqa: E402

from mechanisms import (  # noqa: E402
    DirectEncoding,
    Geometry,
    Mechanism,
    OptionSampling,
    SubsetSelection,
    UnaryEncoding,
    Window,
    Written,
    best_known_error,
    recommend,
    total_error,
)
from mechanisms.estimation.orthogonal import Orthogonal  # noqa: E402

PEERS = ROOT / "var" / "bench-peers"
N, SIZE, EPSILON = 100_000, 128, 2 * math.log(3)
missed: list[str] = []


def best(action: Callable[[], Any], repeats: int = 15) -> float:
    """Milliseconds of the fastest of several runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        times.append((time.perf_counter() - start) * 1000)
    return min(times)


def line(name: str, value: str, goal: str, met: bool) -> None:
    print(f"  {name:<62} {value:>12}   goal {goal:<14} {'met' if met else 'MISSED'}")
    if not met:
        missed.append(name)


def peer_times() -> dict[str, dict[str, float]]:
    python = PEERS / "bin" / "python"
    if not (PEERS / "installed").exists():
        print(f"Installing the peers into {PEERS.relative_to(ROOT)} ...")
        venv.create(PEERS, with_pip=True, clear=True)
        needs = [
            f"numpy=={np.__version__}",
            "-r",
            str(ROOT / "bench" / "peers" / "requirements.txt"),
        ]
        subprocess.run([python, "-m", "pip", "install", "--quiet", *needs], check=True)  # noqa: S603
        (PEERS / "installed").touch()
    command = [python, ROOT / "bench" / "peers" / "speed.py", str(N), str(SIZE), str(EPSILON)]
    found: dict[str, dict[str, float]] = json.loads(subprocess.check_output(command))  # noqa: S603
    return found


def bare_popcount(packed: np.ndarray) -> np.ndarray:
    """A positional popcount and nothing else: carry-save adders on whole rows of words, no blocks, no checks."""
    rows, total, weight = packed.view(np.uint64), np.zeros(packed.shape[1] * 8, dtype=np.int64), 1
    while len(rows):
        carries = []
        while len(rows) > 64:
            third = len(rows) // 3
            a, b, c = rows[:third], rows[third : 2 * third], rows[2 * third : 3 * third]
            half = a ^ b
            carries.append((a & b) | (half & c))
            rows = np.concatenate([half ^ c, rows[3 * third :]])
        total += weight * np.unpackbits(rows.view(np.uint8), axis=1).sum(axis=0, dtype=np.int64)
        rows, weight = (np.concatenate(carries) if carries else rows[:0]), 2 * weight
    return total


def speed() -> None:
    peers, rng = peer_times(), np.random.default_rng(1)
    truths = rng.integers(0, SIZE, N)
    unary, fine = (
        UnaryEncoding.symmetric(SIZE, EPSILON, den="survey"),
        UnaryEncoding.symmetric(SIZE, 1),
    )
    direct = DirectEncoding(SIZE, EPSILON)
    packed = unary.randomize_packed(truths, rng)
    assert np.array_equal(bare_popcount(packed), unary.tally_packed(packed).counts)  # noqa: S101

    tally = best(lambda: unary.tally_packed(packed))
    print(f"Speed: n = {N:,}, {SIZE} answers (milliseconds)")
    print(f"  tally of packed unary reports: ours {tally:.2f}, {shown(peers, 'tally')}")
    for name, goal in (("pure-ldp", 100), ("multi-freq-ldpy", 50)):
        ratio(f"tally, {name} / ours", peers[name]["tally"] / tally, goal)
    bare = best(lambda: bare_popcount(packed))
    line(
        "tally, ours / a bare NumPy positional popcount",
        f"{tally / bare:.2f}",
        "at most 2",
        tally / bare <= 2,
    )
    plain = best(lambda: np.unpackbits(packed, axis=1).sum(axis=0))
    print(f"  tally, unpackbits().sum() / ours: {plain / tally:.1f}")

    marks = OptionSampling(SIZE, EPSILON)
    stored = marks.randomize_stored(rng.integers(0, 2, (N, SIZE)), rng)
    counted = best(lambda: marks.wire.counts(stored))
    line(
        "tally of marks / a bare popcount of one field",
        f"{counted / bare:.2f}",
        "at most 2.2",
        counted / bare <= 2.2,
    )
    checked = best(lambda: marks.tally_packed(stored))
    print(
        f"  tally of marks: as the site counts {counted:.2f}, with every row checked {checked:.2f}"
    )

    for name, mechanism in (("p = 3/4", unary), ("epsilon 1, den 2**32", fine)):
        ours = best(lambda each=mechanism: each.randomize(truths, rng))
        ours_packed = best(lambda each=mechanism: each.randomize_packed(truths, rng))
        print(
            f"  randomize unary, {name}: ours {ours:.2f}, packed {ours_packed:.2f}, {shown(peers, 'unary')}"
        )
        for peer in peers:
            ratio(f"randomize unary, {name}, {peer} / ours", peers[peer]["unary"] / ours, 40)
    ours = best(lambda: direct.randomize(truths, rng))
    print(f"  randomize k-ary: ours {ours:.2f}, {shown(peers, 'direct')}")
    for peer in peers:
        ratio(f"randomize k-ary, {peer} / ours", peers[peer]["direct"] / ours, 30)


def shown(peers: dict[str, dict[str, float]], key: str) -> str:
    return ", ".join(f"{name} {times[key]:.1f}" for name, times in peers.items())


def ratio(name: str, value: float, goal: int) -> None:
    line(name, f"{value:.0f}", f"at least {goal}", value >= goal)


def subset() -> None:
    """In a process of its own, so that the memory is that of this work alone, with Python and NumPy."""
    mechanism, rng = SubsetSelection(1024, 1), np.random.default_rng(1)
    truths = rng.integers(0, 1024, N)
    start = time.perf_counter()
    packed = mechanism.randomize_packed(truths, rng)
    drawn = time.perf_counter()
    estimate = mechanism.estimate(mechanism.tally_packed(packed))
    parts = estimate.proportions, estimate.standard_errors, estimate.intervals, estimate.constrained
    done = time.perf_counter()
    assert all(len(part) == 1024 for part in parts)  # noqa: S101
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"randomize": drawn - start, "estimate": done - drawn, "memory": memory}))


def large_subset() -> None:
    found = json.loads(subprocess.check_output([sys.executable, __file__, "subset"]))  # noqa: S603
    both = found["randomize"] + found["estimate"]
    print(f"Subset selection: n = {N:,}, 1,024 answers, epsilon 1")
    line(
        "tally, unbiased estimate with intervals, Norm-Sub",
        f"{found['estimate']:.2f} s",
        "below 1 s",
        found["estimate"] < 1,
    )
    line("the same and the randomizing", f"{both:.2f} s", "below 1 s", both < 1)
    line(
        "memory of the whole process",
        f"{found['memory']:.0f} MB",
        "below 200 MB",
        found["memory"] < 200,
    )


def windows() -> None:
    """Counting reports that are numbers, and the way from counts to the mean and the distribution."""
    mechanism, rng = Window(1001, 1), np.random.default_rng(1)
    reports = mechanism.randomize(rng.integers(0, 1001, 10 * N), rng)
    stored = reports.astype(mechanism.wire.field)
    tally = mechanism.tally(reports)
    print(f"Window: n = {10 * N:,}, 1,001 values (milliseconds)")
    for name, ours, bare in (
        (
            "window counting",
            lambda: mechanism.tally(reports),
            lambda: np.bincount(reports, minlength=tally.counts.size),
        ),
        (
            "window counting, as records hold them",
            lambda: mechanism.wire.counts(stored),
            lambda: np.bincount(stored, minlength=tally.counts.size),
        ),
    ):
        value = best(ours) / best(bare)
        line(f"{name} / np.bincount", f"{value:.2f}", "at most 1.2", value <= 1.2)
    print(f"  mean with interval {best(lambda: mechanism.mean(tally)):.2f}")
    print(f"  certified distribution {best(lambda: mechanism.constrain(tally), 3):.1f}")


def geometries() -> None:
    """Counting reports about long lists, and the way from counts to shares."""
    rng = np.random.default_rng(1)
    print(f"Geometry: n = {10 * N:,} (milliseconds)")
    for size, epsilon in ((1000, 1.0987), (20_000, 1.0987), (20_000, 3), (100_000, 1.0987)):
        mechanism = Geometry(size, epsilon)
        reports = rng.integers(0, mechanism.reports, 10 * N)
        stored, tally = reports.astype(mechanism.wire.field), mechanism.tally(reports)
        whole = np.zeros((mechanism.space.order,) * mechanism.space.dimension)
        transform = best(lambda: fft.fftn(whole), 5)  # noqa: B023 (called at once)
        decoding = best(lambda: mechanism.space.counts(tally.counts, size), 5)  # noqa: B023
        name = f"{size:,} choices, epsilon {epsilon}, {mechanism.reports:,} reports"
        counting = best(lambda: mechanism.wire.counts(stored))  # noqa: B023
        bare = best(lambda: np.bincount(stored, minlength=mechanism.reports))  # noqa: B023
        line(
            f"{name}: counting / np.bincount",
            f"{counting / bare:.2f}",
            "at most 1.2",
            counting <= 1.2 * bare,
        )
        name = f"{name}: decoding, {decoding:.1f}, / FFT of all vectors"
        line(name, f"{decoding / transform:.2f}", "at most 1.5", decoding <= 1.5 * transform)


def candidates() -> None:
    """Counting candidates for written answers, against the bare product of the same vectors."""
    mechanism, rng = Written(1.0987, den="survey"), np.random.default_rng(1)
    reports = rng.integers(0, mechanism.space.points, 100_000)
    points = np.unique(rng.integers(0, mechanism.space.points, 1000))
    own, theirs = (mechanism.space.vectors(each).astype(np.float32) for each in (points, reports))
    bare = best(lambda: theirs @ own.T, 3)
    value = best(lambda: Orthogonal(mechanism.space, points).count_reports(reports), 3) / bare
    print("Written answers: 1,000 candidates, 100,000 reports")
    line("counting / the bare matrix product", f"{value:.2f}", "at most 2", value <= 2)


def measured_error(mechanism: Mechanism, n: int, surveys: int, rng: np.random.Generator) -> float:
    """n times the mean total squared error of simulated surveys with uniform truths."""
    reports = mechanism.randomize(rng.integers(0, mechanism.size, n * surveys), rng)
    if reports.ndim == 1:
        shift = np.repeat(np.arange(surveys) * mechanism.size, n)
        counts = np.bincount(reports + shift, minlength=surveys * mechanism.size).reshape(
            surveys, -1
        )
    else:
        counts = reports.reshape(surveys, n, -1).sum(axis=1, dtype=np.int64)
    errors = mechanism.decode(counts / n) - 1 / mechanism.size
    return n * float((errors**2).sum(axis=1).mean())


def accuracy() -> None:
    rng = np.random.default_rng(2)
    print(
        "Total squared error of simulated surveys over the theoretical one (n = 100, 4,000 surveys)"
    )
    print(
        "  epsilon  answers   direct  symmetric  optimized  subset   recommended / best known bound"
    )
    worst = 0.0
    for epsilon in (0.5, 1.0, 2.0, 4.0):
        for size in (2, 4, 16, 64):
            mechanisms = (
                DirectEncoding(size, epsilon),
                UnaryEncoding.symmetric(size, epsilon),
                UnaryEncoding.optimized(size, epsilon),
                SubsetSelection(size, epsilon),
            )
            found = [
                measured_error(each, 100, 4000, rng) / total_error(each) for each in mechanisms
            ]
            bound = recommend(size, epsilon)[0].error / best_known_error(size, epsilon)
            worst = max(worst, *(abs(value - 1) for value in found))
            cells = "".join(
                f"{value:>{width}.3f}" for value, width in zip(found, (9, 11, 11, 8), strict=True)
            )
            print(f"  {epsilon:>7}  {size:>7}{cells}   {bound:>10.6f}")
    line(
        "largest distance of measured / theoretical from 1",
        f"{worst:.3f}",
        "at most 0.1",
        worst <= 0.1,
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["subset"]:
        subset()
    else:
        speed()
        large_subset()
        windows()
        geometries()
        candidates()
        accuracy()
        print(f"Missed: {'; '.join(missed) or 'nothing'}")
