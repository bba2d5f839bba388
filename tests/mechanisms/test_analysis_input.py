"""What models, tables and weights refuse, and in which words."""

import math

import numpy as np
import pytest

from mechanisms import (
    DirectEncoding,
    Matrix,
    PairTally,
    SubsetSelection,
    Tally,
    UnaryEncoding,
    Variable,
    Warner,
    benjamini_hochberg,
    correlate,
    cross,
    holm,
    least_squares,
    pair_tally,
    rake,
    regress,
    regress_on,
    weighted_estimate,
)

WARNER, GENERAL = Warner("3/4"), Matrix([[7, 2, 1], [1, 8, 1], [1, 3, 6]], 10)
ANY, UNARY = UnaryEncoding(3, "3/4", "1/4", "any"), UnaryEncoding(3, "3/4", "1/4")
Y, ONES = [0, 1, 0, 1, 1], np.ones((5, 1))
X = np.column_stack([np.ones(5), [0, 1, 2, 3, 4]])
ONE = Tally(5, [2, 3])
FIT = regress(WARNER, Y * 20, np.vstack([X] * 20))
TABLE = pair_tally(WARNER, Y, WARNER, Y)


def column(value):
    return np.column_stack([X, np.full(5, value)])


REFUSED = {
    "no mechanism": (lambda: regress("warner", Y, X), "mechanism is 'warner'; allowed"),
    "no mechanism at all": (lambda: regress(None, Y, X), "mechanism is None; allowed"),
    "a report of 2": (lambda: regress(WARNER, [0, 1, 2, 0, 1], X), "reports holds 2; allowed"),
    "a choice too many": (lambda: regress(WARNER, Y, X, choice=2), "choice is 2; allowed"),
    "one choice of a matrix": (
        lambda: regress(GENERAL, Y, X),
        "choice is 1; allowed for a matrix of 3 answers is None",
    ),
    "all of choose-all": (
        lambda: regress(ANY, ["010"] * 5, X, choice=None),
        "choice is None; allowed for choose-all",
    ),
    "a set of the wrong width": (
        lambda: regress(SubsetSelection(3, 1, 1), ["011"] * 5, X),
        "with 2 ones; allowed",
    ),
    "reports of None": (
        lambda: regress(WARNER, None, X),
        "reports is None; allowed is one report for each row",
    ),
    "no design": (lambda: regress(WARNER, Y, None), "design is None; allowed|design has shape"),
    "a design of words": (
        lambda: regress(WARNER, Y, [["a"]] * 5),
        "design is .*; allowed are numbers",
    ),
    "a design without rows": (
        lambda: regress(WARNER, [], np.ones((0, 2))),
        "2 columns for 0 respondents; allowed",
    ),
    "a design without columns": (
        lambda: regress(WARNER, Y, np.ones((5, 0))),
        r"design has shape \(5, 0\); allowed",
    ),
    "a flat design": (lambda: regress(WARNER, Y, np.ones(5)), r"design has shape \(5,\); allowed"),
    "a short design": (
        lambda: regress(WARNER, Y, X[:4]),
        "design has 4 rows and reports has 5; allowed",
    ),
    "a design with nan": (
        lambda: regress(WARNER, Y, column(math.nan)),
        "design is (?s:.*); allowed are finite numbers",
    ),
    "an infinite design": (
        lambda: least_squares(WARNER, Y, column(math.inf)),
        "allowed are finite numbers",
    ),
    "too few": (
        lambda: regress(WARNER, Y[:2], X[:2]),
        "design has 2 columns for 2 respondents; allowed",
    ),
    "too few asked": (
        lambda: regress(WARNER, Y, X, asked=[True, True] + [False] * 3),
        "for 2 respondents; allowed",
    ),
    "too few counted": (
        lambda: regress(WARNER, Y, X, counts=[1, 1, 0, 0, 0]),
        "for 2 respondents; allowed",
    ),
    "a column of nothing": (
        lambda: regress(WARNER, Y, column(0)),
        r"design has columns \[2\] that add nothing",
    ),
    "two constants": (
        lambda: least_squares(WARNER, Y, column(7)),
        r"design has columns \[2\] that add nothing",
    ),
    "a sum of columns": (
        lambda: regress(WARNER, Y, np.column_stack([X, X @ [3, 1e-6], X[:, 1] ** 2])),
        r"columns \[2\]",
    ),
    "negative counts": (
        lambda: regress(WARNER, Y, X, counts=[1, 1, -1, 5, 5]),
        "counts holds -1; allowed",
    ),
    "broken counts": (
        lambda: regress(WARNER, Y, X, counts=[1, 1, 0.5, 5, 5]),
        "counts has dtype float64 .*; allowed",
    ),
    "few counts": (
        lambda: regress(WARNER, Y, X, counts=[1, 1]),
        "counts has 2 rows and reports has 5; allowed",
    ),
    "a weight of 0": (
        lambda: regress(WARNER, Y, X, weights=[1, 0, 1, 1, 1]),
        "weights holds 0.0; allowed",
    ),
    "a negative weight": (
        lambda: least_squares(WARNER, Y, X, weights=[1, -2, 1, 1, 1]),
        "weights holds -2.0; allowed",
    ),
    "a weight of nan": (
        lambda: regress(WARNER, Y, X, weights=[1, math.nan, 1, 1, 1]),
        "weights is .*; allowed",
    ),
    "few weights": (lambda: regress(WARNER, Y, X, weights=[1.0]), "weights has 1 rows"),
    "weights in rows": (
        lambda: regress(WARNER, Y, X, weights=np.ones((5, 1))),
        r"weights has shape \(5, 1\); allowed",
    ),
    "one cluster": (
        lambda: regress(WARNER, Y, X, clusters=[4] * 5),
        "clusters holds 1 cluster; allowed",
    ),
    "clusters of numbers": (
        lambda: regress(WARNER, Y, X, clusters=[0.5] * 5),
        "clusters is .*; allowed",
    ),
    "a test of more than clusters": (
        lambda: least_squares(WARNER, Y, X, clusters=[0, 0, 0, 1, 1]).test([0, 1]),
        "clusters holds 2 clusters; allowed to test 2 coefficients are more",
    ),
    "an impossible report": (
        lambda: regress(UnaryEncoding(3, 1, "1/4"), ["000"] * 5, X, choice=None),
        "reports holds one that no answer makes possible; allowed",
    ),
    "two bits that give an answer away": (
        lambda: regress(UnaryEncoding(3, "1/2", 0), ["110"] * 5, X, choice=None),
        "reports holds one that no answer makes possible; allowed",
    ),
    "asked in words": (
        lambda: regress(WARNER, Y, X, asked=["yes"] * 5),
        "asked is .*; allowed is True or False",
    ),
    "few asked": (lambda: regress(WARNER, Y, X, asked=[True]), "asked has 1 rows"),
    "scores of nan": (
        lambda: least_squares(None, [0.1, math.nan, 1, 1, 1], X),
        "reports is .*; allowed are finite",
    ),
    "scores in rows": (
        lambda: least_squares(None, np.ones((5, 2)), X),
        r"reports has shape \(5, 2\); allowed",
    ),
    "a test of no column": (lambda: FIT.test([]), r"columns is \[\]; allowed"),
    "a test of a column too many": (lambda: FIT.test(2), "columns is 2; allowed"),
    "a profile of a column too many": (lambda: FIT.profile_interval(2), "column is 2; allowed"),
    "a profile with weights": (
        lambda: regress(WARNER, Y, X, weights=np.ones(5)).profile_interval(0),
        "without weights or clusters; allowed here is interval",
    ),
    "a confidence of 1": (lambda: FIT.interval(1), "confidence is 1; allowed"),
    "a prediction of another design": (
        lambda: FIT.predict([[1, 2, 3]]),
        "design has 3 columns; allowed are the model's 2",
    ),
    "an effect of another design": (
        lambda: FIT.effect([[1]], [[1, 2]]),
        "design1 has 1 columns; allowed",
    ),
    "effects of few counts": (
        lambda: FIT.effect(X, X, counts=[1]),
        "counts is .*; allowed are 5 counts",
    ),
    # a predictor
    "a family too many": (
        lambda: regress_on(Y, WARNER, Y, X, family="poisson"),
        "family is 'poisson'; allowed",
    ),
    "an outcome of 2": (
        lambda: regress_on([0, 1, 2, 1, 0], WARNER, Y, X),
        "outcome holds 2; allowed",
    ),
    "a short outcome": (
        lambda: regress_on(Y[:4], WARNER, Y, X),
        r"outcome has shape \(4,\); allowed",
    ),
    "a short number": (
        lambda: regress_on([0.5] * 4, WARNER, Y, X, family="normal"),
        "outcome has shape",
    ),
    "a number of nan": (
        lambda: regress_on([math.nan] * 5, WARNER, Y, X, family="normal"),
        "outcome is .*; allowed",
    ),
    "always one number": (
        lambda: regress_on([3] * 5, WARNER, Y, X, family="normal"),
        "outcome is always 3; allowed",
    ),
    "a short own": (
        lambda: regress_on(Y, WARNER, Y, X, own=X[:3]),
        "own has 3 rows and design has 5; allowed",
    ),
    "a column twice in own": (
        lambda: regress_on(Y, WARNER, Y, ONES, own=column(1)[:, ::2]),
        r"columns \[1\]",
    ),
    "a matrix as predictor": (
        lambda: regress_on(Y, GENERAL, Y, X),
        "choice is 1; allowed for a matrix",
    ),
    # tables
    "no pair tally": (lambda: cross(WARNER, WARNER, ONE), "tally is .*; allowed is a PairTally"),
    "nobody": (
        lambda: cross(WARNER, WARNER, pair_tally(WARNER, [], WARNER, [])),
        "tally has n = 0; allowed",
    ),
    "another question": (
        lambda: cross(UNARY, WARNER, TABLE),
        r"counts is \[2, 3\] .*; allowed are the 3 counts",
    ),
    "few others": (
        lambda: pair_tally(WARNER, Y, WARNER, Y[:3]),
        "others has 3 rows and reports has 5; allowed",
    ),
    "others of 2": (
        lambda: pair_tally(WARNER, Y, WARNER, [0, 1, 2, 0, 0]),
        "others holds 2; allowed",
    ),
    "pairs of nothing": (lambda: pair_tally(None, Y, WARNER, Y), "mechanism is None; allowed"),
    "pairs above their counts": (
        lambda: PairTally(5, [[4, 0], [0, 1]], ONE, ONE),
        "counts holds 4; allowed",
    ),
    "pairs of another n": (
        lambda: PairTally(4, [[2, 0], [0, 3]], ONE, ONE),
        "first is .*; allowed is a Tally of n = 4",
    ),
    "pairs of another shape": (
        lambda: PairTally(5, [2, 3], ONE, ONE),
        r"counts has shape \(2,\) .*; allowed",
    ),
    "choose-all bits without pairs": (
        lambda: cross(
            ANY, WARNER, PairTally(5, np.zeros((3, 2), int), Tally(5, [1, 2, 3]), ONE)
        ).independence(),
        "tally has only counts; allowed",
    ),
    "phi of which answers": (
        lambda: cross(UNARY, WARNER, pair_tally(UNARY, ["100"] * 5, WARNER, Y)).phi(),
        "the table is 3 x 2; allowed",
    ),
    "phi of an answer too many": (
        lambda: cross(WARNER, WARNER, TABLE).phi(2, 1),
        "row is 2; allowed",
    ),
    # correlation
    "no variable": (lambda: correlate(Y, Variable(Y)), "first is .*; allowed is a Variable"),
    "different lengths": (
        lambda: correlate(Variable(Y), Variable(Y[:4])),
        "have 5 and 4 values; allowed",
    ),
    "a share of nobody": (
        lambda: correlate(Variable([0] * 5, WARNER), Variable(Y)),
        "decoded share of -0.5; allowed",
    ),
    "always the same": (
        lambda: correlate(Variable(Y), Variable([2.0] * 5)),
        "second is always 2; allowed",
    ),
    "no values": (lambda: correlate(Variable([]), Variable([])), "first has shape .*; allowed"),
    "no reports": (
        lambda: correlate(Variable([], WARNER), Variable([])),
        "first is empty; allowed",
    ),
    # weights
    "counts of nobody": (
        lambda: rake([[0, 0]], [[1], [0.5, 0.5]]),
        "counts has nobody in any cell; allowed",
    ),
    "negative cells": (
        lambda: rake([1, -1], [[0.5, 0.5]]),
        "counts is .*; allowed are whole numbers",
    ),
    "one margin of two": (
        lambda: rake([[1, 2]], [[1]]),
        "margins is .*; allowed are 2 lists of shares",
    ),
    "no margins": (lambda: rake([[1, 2]], None), "margins is None; allowed"),
    "a long margin": (
        lambda: rake([3, 4], [[0.2, 0.3, 0.5]]),
        r"margins\[0\] has shape \(3,\); allowed is \(2,\)",
    ),
    "a negative margin": (
        lambda: rake([3, 4], [[-0.5, 1.5]]),
        r"margins\[0\] is .*; allowed are shares above 0",
    ),
    "a margin of nan": (
        lambda: rake([3, 4], [[math.nan, 1]]),
        r"margins\[0\] is .*; allowed are finite",
    ),
    "different sums": (
        lambda: rake([[3, 4], [5, 6]], [[0.5, 0.5], [0.5, 0.4]]),
        "margins sum to 1, 0.9; allowed",
    ),
    "an empty group": (
        lambda: rake([[3, 0], [5, 0]], [[0.5, 0.5], [0.6, 0.4]]),
        r"margins\[1\] gives group 1 the share 0.4, but nobody is in it; allowed is to merge it",
    ),
    "a group without a share": (
        lambda: rake([[3, 4], [5, 6]], [[1, 0], [0.5, 0.5]]),
        r"margins\[0\] gives group 1, with 11 respondents, no share; allowed",
    ),
    "an empty cell of a population": (
        lambda: rake(np.array([[3, 0], [5, 6]]), np.array([[0.2, 0.2], [0.3, 0.3]])),
        "margins gives group 1 the share 0.2, but nobody is in it",
    ),
    "both margins and population": (
        lambda: weighted_estimate(WARNER, Y, np.ones(5), margins=Y, population=9),
        "margins and population are given; allowed is one",
    ),
    "short margins": (
        lambda: weighted_estimate(WARNER, Y, np.ones(5), margins=[0]),
        r"margins has shape \(1,\); allowed",
    ),
    "margins of numbers": (
        lambda: weighted_estimate(WARNER, Y, np.ones(5), margins=[0.5] * 5),
        "margins has dtype",
    ),
    "chances above 1": (
        lambda: weighted_estimate(WARNER, Y, np.full(5, 0.5), population=9),
        "weights holds 0.5; allowed with population are 1 and more",
    ),
    "a population of nobody": (
        lambda: weighted_estimate(WARNER, Y, np.ones(5), population=0),
        "population is 0; allowed",
    ),
    "a weight of 0 in a share": (
        lambda: weighted_estimate(WARNER, Y, [1, 0, 1, 1, 1]),
        "weights holds 0.0; allowed",
    ),
    "all choices weighted": (
        lambda: weighted_estimate(WARNER, Y, np.ones(5), choice=None),
        "choice is None; allowed",
    ),
    # several tests
    "a p-value above 1": (
        lambda: holm([0.5, 1.5]),
        "p_values is .*; allowed are shares from 0 to 1",
    ),
    "p-values in rows": (
        lambda: benjamini_hochberg([[0.5]]),
        r"p_values has shape \(1, 1\); allowed",
    ),
    "a p-value of nan": (lambda: holm([math.nan]), "p_values is .*; allowed"),
    "an identity of one": (lambda: Matrix.identity(1), "size is 1; allowed"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_in_words(name):
    act, words = REFUSED[name]
    with pytest.raises(ValueError, match=words):
        act()


def test_a_direct_question_of_one_group_that_says_only_no_has_no_odds_but_an_answer():
    found = regress(DirectEncoding(2, 3), np.zeros(500, dtype=int), np.ones((500, 1)))
    assert (found.verdict, found.odds_ratios) == ("boundary", None)
    assert found.instead.coefficients[0] < 0
