"""Why these mechanisms and not others: errors at equal epsilon, as they stand in docs/mechanisms-compared.md.

    python -m bench.accuracy

Nothing is drawn: every number is a variance in closed form or by enumeration, or the solution of a linear program, so
that every run prints the same tables. Whatever epsilon a paper states, here it is that of the whole response.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from bench import means, rivals
from mechanisms import (
    DirectEncoding,
    Geometry,
    Mechanism,
    OptionSampling,
    SubsetSelection,
    UnaryEncoding,
    best_known_error,
    total_error,
)

RATIOS = (
    ("0.5", math.exp(0.5)),
    ("1", math.e),
    ("ln 9", 9.0),
    ("4", math.exp(4)),
)  # name of epsilon, e
SHARE = 0.2
Row = tuple[str, Sequence[float | str]]


def table(head: Sequence[str], rows: Iterable[Row]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += [f"| {name} | " + " | ".join(map(_written, cells)) + " |" for name, cells in rows]
    return "\n".join(lines)


def _written(value: float | str) -> str:
    """Three digits, or whole from 100 on."""
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if value >= 99.5 else f"{value:#.3g}".rstrip(".")


def choices(size: int) -> str:
    """Total squared error over that of the best known design, all answers equally frequent, sampling included."""
    f = 1 / size
    ways: list[tuple[str, Callable[[float], float]]] = [
        ("**subset selection**", lambda e: total_error(SubsetSelection(size, math.log(e)))),
        ("**direct encoding**", lambda e: total_error(DirectEncoding(size, math.log(e)))),
        (
            "**unary, optimized** (OUE)",
            lambda e: total_error(UnaryEncoding.optimized(size, math.log(e))),
        ),
        (
            "**unary, symmetric** (RAPPOR)",
            lambda e: total_error(UnaryEncoding.symmetric(size, math.log(e))),
        ),
        ("**geometry**", lambda e: total_error(Geometry(size, math.log(e)))),
        ("optimal local hashing (OLH)", lambda e: size * rivals.local_hashing(e, f)),
        ("Hadamard, one bit", lambda e: size * rivals.hadamard(e, f)),
        ("Hadamard response, best blocks", lambda e: size * rivals.best_hadamard_response(e, size)),
        ("count-mean sketch, 1,024 cells", lambda e: size * rivals.count_mean_sketch(e, f)),
        ("SHE", lambda e: size * rivals.summed_histogram(e, f)),
        ("THE", lambda e: size * rivals.thresholded_histogram(e, f)),
    ]
    rows = [
        (name, [way(e) / best_known_error(size, math.log(e)) for _, e in RATIOS])
        for name, way in ways
    ]
    return table([f"{size:,} choices, epsilon", *(name for name, _ in RATIOS)], rows)


def rare() -> str:
    """n Var of the share of an answer that nobody gives."""
    e = [math.e, math.exp(4)]
    rows = [
        ("**unary, optimized** (OUE)", [rivals.share(0.5, 1 / (each + 1), 0) for each in e]),
        ("THE", [rivals.thresholded_histogram(each, 0) for each in e]),
        ("SHE", [rivals.summed_histogram(each, 0) for each in e]),
    ]
    return table(["A rare answer, epsilon", "1", "4"], rows)


def marks() -> str:
    """n Var of a share of 20% where all that apply are chosen."""
    sizes = (4, 10, 20)
    ratios = (("ln 3", math.log(3)), ("ln 9", math.log(9)))
    head = [f"{size} marks, {name}" for name, _ in ratios for size in sizes]
    both = [(size, epsilon) for _, epsilon in ratios for size in sizes]
    rows = [
        (
            "**marks**, a few picked by chance",
            [error_of_a_mark(OptionSampling(*each)) for each in both],
        ),
        (
            "**unary-any**, every mark scrambled",
            [error_of_a_mark(UnaryEncoding.symmetric(*each, "any")) for each in both],
        ),
    ]
    return table(["All that apply", *head], rows)


def error_of_a_mark(design: Mechanism, f: float = SHARE) -> float:
    """Of n respondents n `asked` say something of a mark."""
    (_, q), (_, p) = design.probabilities()
    return rivals.share(float(p), float(q), f) / design.reported_fraction


def yes_no() -> str:
    """n Var of a Yes of 20%; the best of all other yes/no matrices in steps of 1/200 with at most this epsilon."""
    ratios = (("ln 2", 2), ("ln 3", 3), ("ln 9", 9))
    rows = [
        (
            "**symmetric**: Warner, two coins, gamma",
            [rivals.share(e / (e + 1), 1 / (e + 1), SHARE) for _, e in ratios],
        ),
        ("the best of all others in steps of 1/200", [_best_matrix(e) for _, e in ratios]),
    ]
    return table(["Yes or no, epsilon", *(name for name, _ in ratios)], rows)


def _best_matrix(e: int, steps: int = 200) -> float:
    """p and q are whole numbers of steps, so that epsilon is compared exactly."""
    found = [
        rivals.share(p / steps, q / steps, SHARE)
        for p in range(1, steps)
        for q in range(1, p)  # p below q is the same with Yes and No turned
        if p <= e * q and steps - q <= e * (steps - p) and p + q != steps
    ]
    return min(found)


def claims() -> str:
    """RS+FD with two choices: e as its paper states it, and the largest ratio of chances of whole responses."""
    rows = []
    for d in (2, 3, 5):
        one, whole = (
            rivals.real_ratio(Fraction(3), 2, d, differing=differing) for differing in (1, d)
        )
        rows.append((f"{d}", ["ln 3", f"ln {float(one):.3g}", f"ln {whole}"]))
    head = ["RS+FD, questions", "claimed", "real, if one answer differs", "real, if all do"]
    return table(head, rows)


def questions() -> str:
    """n Var of a share of 20% of one of d yes/no questions, at epsilon ln 3 for the whole response."""
    ds = (2, 3, 5, 10)
    rows = [
        ("**ask one of d**", [rivals.one_of_several(3, 2, d, SHARE) for d in ds]),
        ("RS+FD", [rivals.fake_data(3, 2, d, SHARE) for d in ds]),
        (
            "RS+FD that claims ln 3, really ln(2d + 1)",
            [rivals.fake_data(2 * d + 1, 2, d, SHARE) for d in ds],
        ),
        (
            "**ask one of d** at ln(2d + 1)",
            [rivals.one_of_several(2 * d + 1, 2, d, SHARE) for d in ds],
        ),
        ("all d, each with 1/d of epsilon", [rivals.share(*_split(3, d), SHARE) for d in ds]),
    ]
    return table(["Several questions, d", *map(str, ds)], rows)


def _split(e: float, d: int) -> tuple[float, float]:
    each = e ** (1 / d)
    return each / (each + 1), 1 / (each + 1)


WAYS = (
    ("**window**", means.window),
    ("piecewise", means.piecewise),
    ("hybrid", means.hybrid),
    ("Duchi", means.duchi),
    ("geometric noise", means.geometric),
    ("exponential", means.exponential),
    ("**direct encoding**", means.direct),
)
NUMBERS = (("ln 2", 2.0), ("ln 3", 3.0), ("ln 3.5", 3.5), ("ln 9", 9.0), ("ln 25", 25.0))


def numbers(size: int = 31) -> str:
    """n Var of the noise of the mean on a scale from 0 to 1, for whole numbers that are equally frequent."""
    rows = [(name, [way(e, size) for _, e in NUMBERS]) for name, way in WAYS]
    return table([f"{size} values, epsilon", *(name for name, _ in NUMBERS)], rows)


def optimum(size: int = 31) -> str:
    """The same of the best report there can be, by a linear program, and how far the window is from it."""
    sampling = means.spread(size) / 4
    least = [means.optimum(e, size) for _, e in NUMBERS]
    ours = [means.window(e, size) for _, e in NUMBERS]
    both = list(zip(ours, least, strict=True))
    rows: list[Row] = [
        ("linear program", least),
        ("window over it, the noise", [f"{a / b:.3f}" for a, b in both]),
        (
            "window over it, noise and sampling",
            [f"{(a + sampling) / (b + sampling):.3f}" for a, b in both],
        ),
    ]
    return table([f"{size} values, epsilon", *(name for name, _ in NUMBERS)], rows)


QUICK = (
    lambda: choices(4),
    lambda: choices(16),
    lambda: choices(1000),
    rare,
    marks,
    yes_no,
    claims,
    questions,
    numbers,
)

if __name__ == "__main__":
    for make in (*QUICK, optimum):
        print(make(), flush=True, end="\n\n")
