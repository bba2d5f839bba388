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
    "exact": "Clopper–Pearson",
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


def shown(value):
    """In percent, rounded down to a tenth: 94.99 is not 95."""
    return f"{np.floor(value * 1000 + 1e-6) / 10:.1f}"


def share_rows():
    """Return a row for each kind of interval of a share: its worst design, share and n."""
    rows = []
    for method, title in NAMES.items():
        cells = []
        for name, mechanism in DESIGNS.items():
            for share in SHARES:
                for n in SIZES:
                    case = f"{name}, share {share}, n = {n}"
                    cells.append((coverage(mechanism, share, n, method), case))
        rate, case = min(cells)
        row = ("share of an answer", title, f"{shown(rate)} held", case, "test_coverage.py")
        rows.append(row)
    return rows


def page():
    """Return the whole page."""
    lines = [TEXT, "| statement | method | worst rate | case | test |", "|---|---|---|---|---|"]
    for statement, method, rate, case, test in [*share_rows(), *MEASURED]:
        lines.append(f"| {statement} | {method} | {rate} | {case} | `{test}` |")
    return "\n".join(lines) + "\n" + NOTES


TEXT = """# How often statements are right

A range that is called 95% should contain the true value in 95 of 100 surveys, and at most 5 of 100 pages should
show a difference where there is none. This table has the worst rate that was measured for each kind of statement,
with its case and its test. All numbers are percent, and those that should be high are rounded down.
"""

# Rates of the long tests (`make test-long`), or of enumerations of all counts.
MEASURED = [
    (
        "printed range of a share",
        "Wilson, rounded outwards",
        "94.5 held",
        "Warner 3/4 and 19/20, n = 300 and 4,000, 276 shares from 0 to 90%",
        "test_printed_coverage.py",
    ),
    (
        "printed range of a mean",
        "normal, rounded outwards",
        "95.2 held",
        "five points, Balanced protection, n = 1,500 and 4,000",
        "test_means.py",
    ),
    (
        "share among people with a scrambled answer",
        "inverted score test",
        "93.6 held; 5.7 a number with a wrong range",
        "Warner 19/20 and two coins; 10% or 30% of 300 or 1,000 people, shares from 0 to 10%",
        "test_conditional_shares.py",
    ),
    (
        "the same with three to five answers",
        "inverted score test",
        "93.9 held; 1.4 a number with a wrong range",
        "direct with epsilon 2, unary 3/4, 1/4",
        "test_conditional_shares.py",
    ),
    (
        "association in a table",
        "permutation test where fewer than 20 reports are expected, else chi-square",
        "7.0 falsely clear",
        "three groups, unary optimized, 10 answers, epsilon ln 9, n = 100; nine shares of 1%",
        "test_independence.py",
    ),
    (
        "text on a list for RAPPOR",
        "least squares, and the chance that a random text stands out as much",
        "5.3 falsely found",
        "100 texts that nobody wrote beside a frequent text that is not on the list",
        "test_false_finds.py",
    ),
    (
        "number that goes with an answer",
        "score test with the enumerated reports of ten people",
        "3.3 falsely clear",
        "Warner 19/20, share 2%, 1% of people with unusual numbers, n from 150 to 1,000",
        "test_slopes.py",
    ),
    (
        "people that show a mean",
        "the distribution that makes the range longest",
        "95.3 shown",
        "numbers from 0 to 30 and 0 to 100, five points; epsilon ln 3 and ln 9",
        "test_planning_means.py",
    ),
]

NOTES = """
The rates of shares are exact: the truths of the respondents are a random sample, so the number of reports of an
answer is binomial with the chance r of such a report, and its probabilities are summed over all counts. The design
matters only through r: an interval for the share of reports is mapped to the share of truths by a straight line,
and contains one exactly when it contains the other. Randomizing pulls r away from 0 and 1, where intervals are at
their worst, so nearly all designs do well even when nobody has the trait. Designs with an infinite epsilon, and
choice designs at a large epsilon, are the exceptions.

**Clopper–Pearson** is never below 95%, by its construction, and pays for it with width. **Wilson** is close to 95%
on average and dips a little below for some counts, as every interval of its width must. Just above r = 0, or below
1, there are chances at which a single report decides, and its coverage drops to about 84% in a narrow band near r =
0.18/n. Take `interval="exact"` there. **Wald** has no such floor: with r near 0 it often shrinks to nothing. It is
offered because other programs print it, and for general matrices, where nothing better is known to us.
**Likelihood** drops to about 84% near r = 0, too.

For a choice the rate is about one answer's share. All intervals of a question together hold less often: with 15
answers, unary 3/4, 1/4 and n = 2,000 in about 46 of 100 surveys. Ask for `simultaneous=True`, or in a report for
intervals that hold together.

The page is written by `python -m tests.mechanisms.coverage`.
"""


if __name__ == "__main__":
    (Path(__file__).parents[2] / "docs" / "coverage.md").write_text(page())
