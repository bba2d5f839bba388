"""The exact output distribution of a mechanism, report by report, as fractions: every formula is checked against it."""

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from mechanisms import OptionSampling, SubsetSelection, Tally, UnaryEncoding


def truths(mechanism):
    """All possible truths, as sets of answers."""
    if mechanism.select == "any":
        everyone = range(mechanism.size)
        return [
            set(chosen) for r in range(mechanism.size + 1) for chosen in combinations(everyone, r)
        ]
    return [{answer} for answer in range(mechanism.size)]


def distribution(mechanism, truth):
    """The chance of every report, from the story the design tells. A report is the tuple of its indicators."""
    if isinstance(mechanism, OptionSampling):
        return _marks_distribution(mechanism, truth)
    if isinstance(mechanism, SubsetSelection):
        return _subset_distribution(mechanism, min(truth))
    rows = mechanism.probabilities()
    if not isinstance(mechanism, UnaryEncoding):
        return {
            _indicators({report}, len(rows[0])): chance
            for report, chance in enumerate(rows[min(truth)])
        }
    return {
        report: math.prod(rows[answer in truth][bit] for answer, bit in enumerate(report))
        for report in product((0, 1), repeat=mechanism.size)
    }


def _subset_distribution(mechanism, truth):
    size, width = mechanism.size, mechanism.width
    keep = Fraction(mechanism.keep, mechanism.den)
    with_truth, without = math.comb(size - 1, width - 1), math.comb(size - 1, width)
    return {
        _indicators(report, size): keep / with_truth if truth in report else (1 - keep) / without
        for report in combinations(range(size), width)
    }


def _marks_distribution(mechanism, truth):
    """A report has None where a mark was not picked."""
    found = {}
    for picked in combinations(range(mechanism.size), mechanism.pick):
        for pattern in product((0, 1), repeat=mechanism.pick):
            turned = sum(
                bit != (answer in truth) for answer, bit in zip(picked, pattern, strict=True)
            )
            weight = mechanism.high if turned <= mechanism.reach else mechanism.low
            bits = dict(zip(picked, pattern, strict=True))
            report = tuple(bits.get(answer) for answer in range(mechanism.size))
            found[report] = Fraction(weight, mechanism.den) / math.comb(
                mechanism.size, mechanism.pick
            )
    return found


def _indicators(members, size):
    return tuple(int(answer in members) for answer in range(size))


def enumerated_epsilon(mechanism):
    """The largest log-ratio of two chances of one report."""
    all_chances = [distribution(mechanism, truth) for truth in truths(mechanism)]
    assert all(sum(chances.values()) == 1 for chances in all_chances)
    worst = Fraction(1)
    for report in all_chances[0]:
        chances = [distribution[report] for distribution in all_chances]
        if min(chances) == 0 < max(chances):
            return math.inf
        if max(chances) > 0:
            worst = max(worst, max(chances) / min(chances))
    return math.log(worst)


def mixed_distribution(mechanism, weights):
    """The chance of every report when the truths have these weights, in the order of `truths`."""
    total = {}
    for weight, truth in zip(weights, truths(mechanism), strict=True):
        for report, chance in distribution(mechanism, truth).items():
            total[report] = total.get(report, 0) + weight * chance
    return total


def true_shares(mechanism, weights):
    """The share of each answer under these weights of the truths."""
    pairs = list(zip(weights, truths(mechanism), strict=True))
    return np.array(
        [float(sum(w for w, truth in pairs if answer in truth)) for answer in range(mechanism.size)]
    )


def moments(mechanism, weights):
    """Mean and covariance of one report's indicators."""
    chances = mixed_distribution(mechanism, weights)
    reports = np.array(list(chances), dtype=float)
    weight = np.array([float(chance) for chance in chances.values()])
    mean = weight @ reports
    return mean, (reports * weight[:, np.newaxis]).T @ reports - np.outer(mean, mean)


def expected_tally(mechanism, weights, pairs=False):
    """A tally of very many reports that come exactly as expected, but for rounding to whole numbers."""
    n = 10**15
    chances = mixed_distribution(mechanism, weights)
    counts = {report: int(chance * n) for report, chance in chances.items()}
    n = sum(counts.values())
    reports, times = np.array(list(counts)), np.array(list(counts.values()))
    joint = (reports * times[:, np.newaxis]).T @ reports
    return Tally(n, joint.diagonal(), joint if pairs else None)


def some_weights(mechanism, seed=1):
    """Uneven weights of the truths, as fractions that sum to 1."""
    rng = np.random.default_rng(seed)
    whole = rng.integers(0, 20, len(truths(mechanism))).tolist()
    whole[0] += 1
    return [Fraction(weight, sum(whole)) for weight in whole]
