"""A survey as counts, and how rows are made of counts."""

import numpy as np

NAMES = ("reports", "design", "counts")


def nigeria():
    """497 of 1,312 men and 334 of 1,123 women said Yes; the second column is 1 for women."""
    design = np.array([[1.0, 0], [1, 0], [1, 1], [1, 1]])
    return dict(
        zip(NAMES, (np.array([0, 1, 0, 1]), design, np.array([815, 497, 789, 334])), strict=True)
    )


def unary_reports():
    """Every report of three bits, in two groups."""
    design = np.column_stack([np.ones(16), np.repeat([0.0, 1.0], 8)])
    counts = [60, 70, 95, 55, 160, 70, 80, 40, 62, 130, 85, 75, 90, 95, 60, 43]
    return dict(
        zip(
            NAMES, ([format(report, "03b") for report in range(8)] * 2, design, counts), strict=True
        )
    )


def expanded(reports, design, counts):
    """A row for each respondent."""
    rows = np.repeat(np.arange(len(counts)), counts)
    return {"reports": np.asarray(reports)[rows], "design": np.asarray(design, dtype=float)[rows]}


def simulated(mechanism, n, slope, seed, states=2):
    """Reports of truths that depend on a group and a number; the design has both, and ones."""
    rng = np.random.default_rng(seed)
    design = np.column_stack([np.ones(n), rng.integers(0, 2, n), rng.integers(-3, 4, n) / 3])
    line = np.column_stack(
        [np.zeros(n), *(design @ (np.array([-0.4, slope, -slope]) * s) for s in range(1, states))]
    )
    shares = np.exp(line) / np.exp(line).sum(axis=1, keepdims=True)
    truths = (rng.random((n, 1)) > shares.cumsum(axis=1)).sum(axis=1)
    return {"reports": mechanism.randomize(truths, rng), "design": design}, truths
