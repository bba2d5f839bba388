"""Coverage of the intervals, exactly: summed over every possible count. Writes docs/coverage.md.

    python -m tests.mechanisms.coverage

Truths are sampled too, so the count of an answer is Binomial(n, r) with r = offset + slope * share, and the coverage is
a sum of binomial chances; nothing is simulated. test_coverage.py compares it with simulated surveys.
"""

from pathlib import Path

import numpy as np
from scipy.stats import binom

from mechanisms import (
    Crosswise,
    DirectEncoding,
    ForcedResponse,
    GeneralizedResponse,
    Mangat,
    SubsetSelection,
    Triangular,
    UnaryEncoding,
    Warner,
)
from mechanisms.estimation import intervals

DESIGNS = {
    "Warner 3/4, two coins": Warner("3/4"),
    "Forced response 2/3, 1/6, 1/6": ForcedResponse("2/3", "1/6", "1/6"),
    "Crosswise 1/6": Crosswise("1/6"),
    "Symmetric, epsilon 0.5": GeneralizedResponse.from_epsilon(0.5),
    "Triangular 1/4": Triangular("1/4"),
    "Mangat 0.9": Mangat("0.9"),
    "Direct, 10 answers, epsilon 3": DirectEncoding(10, 3),
    "Unary 3/4, 1/4": UnaryEncoding(14, "3/4", "1/4"),
    "Unary optimized, epsilon 4": UnaryEncoding.optimized(64, 4),
    "Subset, 64 answers, epsilon 2": SubsetSelection(64, 2),
}
SHARES = (0, 0.01, 0.1, 0.5)
SIZES = (50, 200, 1000, 5000)
NAMES = {
    "wilson": "Wilson (the default)",
    "wald": "Wald",
    "exact": "Clopper-Pearson",
    "likelihood": "Likelihood",
}
SLACK = 1e-12


def report_chance(mechanism, share):
    """The chance that a report says Yes, or answer 1."""
    line = mechanism.line()
    return float(line.offset[1] + line.slope[1] * share)


def share_coverage(method, chance, n, confidence=0.95):
    """The chance that the interval for a share of reports holds the true one."""
    counts = np.arange(n + 1)
    ends = intervals.binomial_intervals(method, counts, n, confidence)
    held = (ends[:, 0] <= chance + SLACK) & (chance - SLACK <= ends[:, 1])
    return float(binom.pmf(counts, n, chance)[held].sum())


def coverage(mechanism, share, n, method):
    """The chance that the interval holds the true share; mapping through the line changes nothing about it."""
    return share_coverage(method, report_chance(mechanism, share), n)


def lowest_wilson(n):
    """The lowest coverage of Wilson's interval for report chances from .05 to .5, and where; .5 to 1 is its mirror."""
    grid = np.linspace(0.05, 0.5, 451)
    found = [share_coverage("wilson", chance, n) for chance in grid]
    return min(found), float(grid[int(np.argmin(found))])


def table(method):
    lines = [
        "| design | share | r | " + " | ".join(f"n = {n}" for n in SIZES) + " |",
        "|---|---|---|" + "---|" * len(SIZES),
    ]
    for name, mechanism in DESIGNS.items():
        for share in SHARES:
            values = " | ".join(shown(coverage(mechanism, share, n, method)) for n in SIZES)
            lines.append(f"| {name} | {share} | {report_chance(mechanism, share):.4f} | {values} |")
    return "\n".join(lines)


def shown(value):
    """In percent, rounded down to a tenth: 94.99 is not 95."""
    return f"{np.floor(value * 1000 + 1e-6) / 10:.1f}"


def summary():
    lines = ["| interval | lowest | at | lowest where r is from .05 to .95 |", "|---|---|---|---|"]
    for method, title in NAMES.items():
        cells = [
            (
                coverage(mechanism, share, n, method),
                f"{name}, share {share}, n = {n}",
                report_chance(mechanism, share),
            )
            for name, mechanism in DESIGNS.items()
            for share in SHARES
            for n in SIZES
        ]
        worst = min(cells)
        usual = min(value for value, _, chance in cells if 0.05 <= chance <= 0.95)
        lines.append(f"| {title} | {shown(worst[0])} | {worst[1]} | {shown(usual)} |")
    return "\n".join(lines)


def wilson_grid():
    lines = ["| n | lowest | at r |", "|---|---|---|"]
    for n in SIZES:
        value, chance = lowest_wilson(n)
        lines.append(f"| {n} | {shown(value)} | {chance:.3f} |")
    return "\n".join(lines)


def page():
    parts = [TEXT.format(summary=summary(), grid=wilson_grid())]
    parts += [f"## {title}\n\n{table(method)}\n" for method, title in NAMES.items()]
    return "\n".join(parts) + TABLES


TEXT = """# How often the 95% intervals hold the truth

An interval that is called 95% should hold the true share in 95 of 100 surveys. Here is how often each kind does. The
numbers are exact: the truths of the respondents are a random sample, so the number of reports of an answer is binomial
with the chance r of such a report, and its probabilities are summed over all counts. `test_coverage.py` in
`tests/mechanisms` checks that simulated surveys, from truth to report to estimate, agree with them. The page is written
by `python -m tests.mechanisms.coverage`. All numbers are percent, rounded down.

The design matters only through r: an interval for the share of reports is mapped to the share of truths by a straight
line, and holds one exactly when it holds the other. Randomizing pulls r away from 0 and 1, where intervals are at their
worst; that is why nearly all designs do well even when nobody has the trait. Designs with an infinite epsilon, and
choice designs at a large epsilon, are the exceptions.

{summary}

**Clopper-Pearson** is never below 95%, by its construction, and pays for it with width. **Wilson** is close to 95% on
average; it dips a little below for some counts, as every interval of its width must, because counts are whole numbers.
Its lowest coverage over all report chances from .05 to .95, in steps of .001:

{grid}

Outside of that range Wilson does fall lower: just above r = 0 (or below 1) there are report chances at which a single
report decides, and the coverage of every n drops to about 84% in a narrow band near r = 0.18/n. Take
`interval="exact"` there. **Wald** has no such floor: with r near 0 it often shrinks to nothing around 0. It is offered
because other programs print it, and for general matrices, where nothing better is known to us. **Likelihood** drops to
about 84% near r = 0 too, and to somewhat less than Wilson elsewhere.

For a choice the table is about one choice's share, here answer 1. All k intervals together hold less often: with 15
answers, unary 3/4, 1/4 and n = 2,000 in about 46 of 100 surveys. Ask for `simultaneous=True`, in a report for intervals
that hold together.
"""

TABLES = """
## Tables of two questions

These numbers come from simulated surveys (`test_conditional_shares.py` and `test_independence.py`,
with `make test-long`).

The share of an answer among people who gave another, scrambled answer has the interval of a score
test. It held the true share in at least this part of the surveys that had an interval:

| designs | cases | lowest | number with a wrong range, at most |
|---|---|---|---|
| Warner 19/20, two coins; the other answer also not scrambled | 120 | 93.6 | 5.7 |
| three to five answers: direct with epsilon 2, unary 3/4, 1/4 | 48 | 93.9 | 1.4 |

In the first row 10% or 30% of 300 or 1,000 people gave the scrambled answer, and 0 to 10% of these
the other one. A number is shown where the interval is at most 20 points long.

Answers that have nothing to do with each other were called associated in this part of 400 surveys,
at a level of 5%. All but one answer have a share of 1%:

| designs | n | permutation test | chi-square |
|---|---|---|---|
| direct, 8 answers, epsilon 4 | 100 | 4.0 | 23.5 |
| direct, 8 answers, epsilon 4 | 300 | 4.2 | 13.0 |
| direct, 15 answers, epsilon 4.5 | 100 | 5.2 | 28.7 |
| direct, 15 answers, epsilon 4.5 | 300 | 5.2 | 22.7 |
| direct, 15 answers, epsilon 4.5 | 1000 | 5.5 | 11.0 |
| unary optimized, 10 answers, epsilon 4 | 100 | 6.0 | 26.2 |
| unary optimized, 10 answers, epsilon 4 | 300 | 5.0 | 14.5 |
| unary optimized, 10 answers, epsilon 4 | 1000 | 5.2 | 8.2 |
| three groups of equal size, unary optimized, 10 answers, epsilon 4 | 100 | 5.0 | 2.2 |
| the same | 300 | 4.0 | 2.7 |
| the same | 1000 | 5.5 | 4.7 |
| three groups, unary optimized, 10 answers, epsilon ln 9 | 100 | 7.0 | 5.7 |
| the same | 300 | 5.5 | 5.5 |

Associations between answers of equal shares were found as often by the permutation test as by
chi-square.
"""


if __name__ == "__main__":
    (Path(__file__).parents[2] / "docs" / "coverage.md").write_text(page())
