"""Columns of pandas and polars, labels, missing values, received counts, and texts about results."""

import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

from mechanisms import (
    DirectEncoding,
    Mechanism,
    OptionSampling,
    Rappor,
    SubsetSelection,
    Tally,
    TwoCoin,
    UnaryEncoding,
    Warner,
    Window,
    Written,
    least_squares,
    regress,
    regress_on,
)
from mechanisms.estimation.finite import FiniteEstimate
from tests.servers.subprocesses import run

LABELS = ["No", "Yes"]
WARNER = Warner("3/4")
TEXTS = ["Yes", "No", "No", "Yes", "Yes"]
CODES = [1, 0, 0, 1, 1]


def columns_of(texts: list[str]) -> dict[str, object]:
    """Return the same answers in every form that a column of labels can have."""
    forms: dict[str, object] = {
        "list": list(texts),
        "tuple": tuple(texts),
        "array of texts": np.array(texts),
        "array of objects": np.array(texts, dtype=object),
        "pandas": pd.Series(texts),
        "pandas, an index of its own": pd.Series(texts, index=range(9, 9 - len(texts), -1)),
        "pandas objects": pd.Series(texts, dtype=object),
        "pandas category": pd.Series(texts, dtype="category"),
        "pandas, categories in another order": pd.Categorical(texts, categories=["Yes", "No"]),
        "pandas, a category that no one has": pd.Categorical(texts, categories=["?", "Yes", "No"]),
    }
    forms["polars"] = pl.Series(texts)
    forms["polars category"] = pl.Series(texts, dtype=pl.Categorical)
    forms["polars enum"] = pl.Series(texts, dtype=pl.Enum(["Yes", "No"]))
    return forms


def missing_columns() -> dict[str, object]:
    """Return the answers Yes, missing, No in every form that a column with a gap can have."""
    forms: dict[str, object] = {
        "list": ["Yes", None, "No"],
        "list with NaN": ["Yes", float("nan"), "No"],
        "codes": [1, None, 0],
        "floats": np.array([1.0, np.nan, 0.0]),
        "masked": np.ma.masked_array([1, 1, 0], mask=[False, True, False]),
        "booleans": [True, None, False],
        "pandas": pd.Series(["Yes", None, "No"]),
        "pandas floats": pd.Series([1, None, 0]),
        "pandas Int64": pd.Series([1, None, 0], dtype="Int64"),
        "pandas boolean": pd.Series([True, None, False], dtype="boolean"),
        "pandas string": pd.Series(["Yes", pd.NA, "No"], dtype="string"),
        "pandas category": pd.Series(["Yes", None, "No"], dtype="category"),
    }
    forms["polars"] = pl.Series(["Yes", None, "No"])
    forms["polars codes"] = pl.Series([1, None, 0])
    forms["polars category"] = pl.Series(["Yes", None, "No"], dtype=pl.Categorical)
    return forms


class TestLabels:
    @pytest.mark.parametrize("form", columns_of(TEXTS))
    def test_labels_mean_the_answers_that_they_name(self, form):
        column = columns_of(TEXTS)[form]

        tally = WARNER.tally(column, labels=LABELS)

        assert tally == WARNER.tally(CODES)
        assert tally.labels == ("No", "Yes")

    @pytest.mark.parametrize("form", columns_of(TEXTS))
    @pytest.mark.parametrize(
        "mechanism", [WARNER, DirectEncoding(2, 1.0), SubsetSelection(2, 1.0), Window(2, 1.0)]
    )
    def test_truths_as_labels_give_the_reports_of_their_codes(
        self, mechanism: Mechanism, form: str
    ):
        column = columns_of(TEXTS)[form]

        reports = mechanism.randomize(column, 5, labels=LABELS)

        assert np.array_equal(reports, mechanism.randomize(CODES, 5))

    def test_series_of_codes_need_no_labels(self):
        assert WARNER.tally(pd.Series(CODES)) == WARNER.tally(CODES)
        assert WARNER.tally(pd.Series(CODES, dtype="Int64")) == WARNER.tally(CODES)
        assert WARNER.tally(pd.Series(CODES).astype(bool)) == WARNER.tally(CODES)

    def test_a_code_stays_a_code_beside_labels_that_are_numbers(self):
        labels = ["1", "0"]

        assert WARNER.tally([1, 1, 0], labels=labels).counts.tolist() == [1, 2]
        assert WARNER.tally(["1", "1", "0"], labels=labels).counts.tolist() == [2, 1]
        categories = pd.Categorical([1, 1, 0])
        assert WARNER.tally(categories, labels=labels).counts.tolist() == [2, 1]

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: WARNER.tally(TEXTS), "reports holds 'Yes'; allowed are whole numbers, or"),
            (lambda: WARNER.tally(pd.Categorical(TEXTS)), "reports is a categorical; allowed with"),
            (lambda: WARNER.randomize(pd.Categorical([0, 1])), "truths is a categorical"),
            (lambda: WARNER.tally(["Maybe"], labels=LABELS), r"holds 'Maybe'; allowed is one of"),
            (lambda: WARNER.tally(["yes"], labels=LABELS), r"holds 'yes'; allowed is one of"),
            (lambda: WARNER.tally([0], labels=["No"]), "labels is .*; allowed is a different text"),
            (lambda: WARNER.tally([0], labels=["No", "No"]), "labels is .*; allowed is"),
            (lambda: WARNER.tally([0], labels=[0, 1]), "labels is .*; allowed is"),
            (lambda: WARNER.tally([0], labels="NY"), "labels is 'NY'; allowed is"),
            (lambda: WARNER.estimate([3, 4], labels=["a", "b", "c"]), "labels is .*; allowed is"),
            (lambda: WARNER.tally([0.5, 1.0]), "reports has dtype float64"),
            (lambda: WARNER.tally([1], missing="skip"), "missing is 'skip'; allowed is one of"),
        ],
    )
    def test_what_is_no_answer_is_refused(self, call, message):
        with pytest.raises(ValueError, match=message):
            call()

    def test_labels_of_tallies_that_are_added_have_to_agree(self):
        first, second = WARNER.tally([0, 1], labels=LABELS), WARNER.tally([1])

        assert (first + second).labels == (second + first).labels == ("No", "Yes")
        with pytest.raises(ValueError, match=r"allowed are .* as in the first tally"):
            first + WARNER.tally([1], labels=["Nein", "Ja"])

    def test_the_library_imports_neither_pandas_nor_polars(self):
        program = (
            "import sys, mechanisms\n"
            "m = mechanisms.Warner('3/4')\n"
            "tally = m.tally(['Yes', None], labels=['No', 'Yes'], missing='drop')\n"
            "m.estimate(tally).summary()\n"
            "mechanisms.regress(m, ['Yes', 'No', 'No'], [[1]] * 3, labels=['No', 'Yes'])\n"
            "assert not {'pandas', 'polars'} & set(sys.modules)\n"
        )

        run([sys.executable, "-c", program])


class TestMissing:
    @pytest.mark.parametrize("form", missing_columns())
    def test_missing_values_are_refused_unless_they_are_dropped(self, form):
        column = missing_columns()[form]

        with pytest.raises(
            ValueError, match=r'holds 1 missing value; allowed are none, or missing="drop"'
        ):
            WARNER.tally(column, labels=LABELS)
        tally = WARNER.tally(column, labels=LABELS, missing="drop")

        assert (tally.n, tally.counts.tolist(), tally.missing) == (2, [1, 1], 1)
        assert WARNER.estimate(tally).missing == 1

    @pytest.mark.parametrize("form", missing_columns())
    def test_missing_truths_have_no_report(self, form):
        column = missing_columns()[form]

        with pytest.raises(ValueError, match="truths holds 1 missing value"):
            WARNER.randomize(column, 1, labels=LABELS)
        reports = WARNER.randomize(column, 1, labels=LABELS, missing="drop")

        assert np.array_equal(reports, WARNER.randomize([1, 0], 1))

    def test_missing_values_are_added_with_their_tallies(self):
        first = WARNER.tally([1, None], missing="drop")

        assert (first + WARNER.tally([0])).missing == 1

    def test_written_answers_can_be_missing(self):
        answers = pd.Series(["Bus", None, "Tram"])

        for mechanism in (Written(3.0), Rappor()):
            with pytest.raises(ValueError, match="truths holds 1 missing value"):
                mechanism.randomize(answers)
            reports = mechanism.randomize(answers, 1, missing="drop")
            assert mechanism.tally(reports) == Tally(2, np.zeros(0, np.int64))
            assert mechanism.tally([*reports, None], missing="drop").missing == 1

    def test_rows_with_a_gap_are_missing(self):
        mechanism = UnaryEncoding(2, "3/4", "1/4", select="any")
        frame = pd.DataFrame({"a": [1, None, 0], "b": [0, 1, 1]})

        with pytest.raises(ValueError, match="holds 1 missing value"):
            mechanism.tally(frame)
        tally = mechanism.tally(frame, missing="drop")

        assert (tally.n, tally.counts.tolist(), tally.missing) == (2, [1, 1], 1)
        assert len(mechanism.randomize(frame, 1, missing="drop")) == 2

    def test_strings_of_bits_can_be_missing(self):
        mechanism = SubsetSelection(3, 1.0, 1)

        tally = mechanism.tally(pd.Series(["100", None, "010"]), missing="drop")

        assert (tally.n, tally.counts.tolist(), tally.missing) == (2, [1, 1, 0], 1)


class TestFrames:
    def test_columns_of_a_frame_are_put_into_the_order_of_the_labels(self):
        mechanism = UnaryEncoding(3, "3/4", "1/4", select="any")
        rows = np.array([[1, 0, 0], [1, 1, 0]])
        frame = pd.DataFrame(rows, columns=["a", "b", "c"])[["c", "a", "b"]]

        assert mechanism.tally(frame, labels=["a", "b", "c"]) == mechanism.tally(rows)
        assert np.array_equal(
            mechanism.randomize(frame, 1, labels=["a", "b", "c"]), mechanism.randomize(rows, 1)
        )

    def test_columns_with_other_names_are_refused(self):
        mechanism = UnaryEncoding(2, "3/4", "1/4", select="any")

        with pytest.raises(ValueError, match=r"columns \['a', 'x'\]; allowed are the labels"):
            mechanism.tally(pd.DataFrame({"a": [1], "x": [0]}), labels=["a", "b"])

    def test_numbered_columns_keep_their_order(self):
        mechanism = UnaryEncoding(2, "3/4", "1/4", select="any")

        tally = mechanism.tally(pd.DataFrame([[1, 0]]), labels=["a", "b"])

        assert tally.counts.tolist() == [1, 0]


class TestOptionsThatWereNotPicked:
    mechanism = OptionSampling(5, 1.0)

    def test_they_are_masked(self):
        reports = self.mechanism.randomize(np.zeros((50, 5), int), 1)

        assert (~reports.mask).sum(axis=1).tolist() == [self.mechanism.pick] * 50
        assert set(np.unique(reports.compressed())) <= {0, 1}
        # Their shares are those of the picked options, which -1 would have shifted.
        counts = self.mechanism.tally(reports).counts
        assert reports.mean(axis=0).tolist() == pytest.approx((counts[:5] / counts[5:]).tolist())

    def test_masked_reports_are_counted_like_all_other_forms(self):
        reports = self.mechanism.randomize(np.zeros((50, 5), int), 1)
        tally = self.mechanism.tally(reports)

        assert self.mechanism.tally(reports.filled()) == tally
        assert self.mechanism.tally(np.asarray(reports)) == tally
        assert self.mechanism.tally(pd.DataFrame(reports)) == tally
        texts = [
            "".join("-" if cell is None else str(cell) for cell in row) for row in reports.tolist()
        ]
        assert self.mechanism.tally(pd.Series(texts)) == tally

    def test_a_report_without_any_picked_option_is_missing(self):
        reports = self.mechanism.randomize(np.zeros((3, 5), int), 1)
        reports[1] = np.ma.masked

        with pytest.raises(ValueError, match="holds 1 missing value"):
            self.mechanism.tally(reports)
        tally = self.mechanism.tally(reports, missing="drop")

        assert (tally.n, tally.missing) == (2, 1)


class TestCounts:
    @pytest.mark.parametrize(
        "counts",
        [
            [240, 160],
            (240, 160),
            np.array([240, 160]),
            {0: 240, 1: 160},
            {1: 160, 0: 240},
            {"Yes": 160, "No": 240},
            pd.Series([240, 160]),
            pd.Series({"Yes": 160, "No": 240}),
            pd.Series([1] * 160 + [0] * 240).value_counts(),
            pd.Series(["Yes"] * 160 + ["No"] * 240).value_counts(),
            pd.Series(["Yes"] * 160 + ["No"] * 240, dtype="category").value_counts(),
        ],
    )
    def test_received_counts_are_enough(self, counts):
        estimate = WARNER.estimate(counts, labels=LABELS)

        assert estimate.tally == Tally(400, [240, 160])
        assert estimate.proportions[1] == pytest.approx(0.3)

    def test_an_answer_without_a_count_has_none(self):
        assert WARNER.estimate({"Yes": 160}, labels=LABELS).tally == Tally(160, [0, 160])

    @pytest.mark.parametrize(
        ("mechanism", "counts", "message"),
        [
            (WARNER, [240], "counts is .* allowed are 2 counts"),
            (WARNER, [1, 2, 3], "counts is .* allowed are 2 counts"),
            (WARNER, [-1, 2], "tally is .*; allowed is a Tally, or a count of at least 0"),
            (WARNER, [0.6, 0.4], "tally is .*; allowed is a Tally, or a count of at least 0"),
            (WARNER, [], "tally is .*; allowed is a Tally, or"),
            (WARNER, "240", "tally is .*; allowed is a Tally, or"),
            (WARNER, [0, 0], "tally has n = 0"),
            (WARNER, {"Maybe": 3, "Yes": 4}, "tally holds 'Maybe'"),
            (UnaryEncoding(2, "3/4", "1/4"), [3, 4], "UnaryEncoding do not say how many reports"),
        ],
    )
    def test_counts_that_do_not_determine_an_estimate_are_refused(self, mechanism, counts, message):
        with pytest.raises(ValueError, match=message):
            mechanism.estimate(counts, labels=LABELS)


class TestTexts:
    def test_an_estimate_is_one_line(self):
        assert (
            repr(WARNER.estimate([240, 160]))
            == "<Estimate of Warner, n=400: Yes 0.300 (0.206 to 0.397)>"
        )
        many = DirectEncoding(5, 1.0).estimate([10, 20, 30, 40, 50])
        assert repr(many).startswith("<Estimate of DirectEncoding, n=150: 0 -0.321 (")
        assert repr(many).endswith(", and 2 more>")

    def test_a_summary_has_a_row_for_each_answer(self):
        tally = WARNER.tally(["Yes"] * 160 + ["No"] * 240 + [None], labels=LABELS, missing="drop")

        assert WARNER.estimate(tally).summary() == (
            "Estimate of Warner: 400 reports, epsilon 1.0987, Wilson intervals\n"
            "Missing values left out: 1\n"
            "\n"
            "     received  estimate  std. error    95% interval\n"
            "No      0.600     0.700       0.049  0.603 to 0.794\n"
            "Yes     0.400     0.300       0.049  0.206 to 0.397"
        )

    def test_a_summary_names_its_level_and_its_population(self):
        estimate = WARNER.estimate([240, 160], 0.9, labels=["Nein", "Ja"])

        assert "90% interval" in estimate.summary()
        assert "\nJa " in FiniteEstimate(estimate, 1000).summary()
        assert "Shares of a population of 1000" in FiniteEstimate(estimate, 1000).summary()
        assert "simultaneous exact intervals" in (
            DirectEncoding(3, 1.0).estimate([5, 6, 7], simultaneous=True).summary()
        )

    def test_a_window_has_no_received_shares(self):
        window = Window(3, 1.0)

        summary = window.estimate(window.tally(window.randomize([0, 1, 2] * 100, 1))).summary()

        assert "received" not in summary
        assert len(summary.splitlines()) == 2 + 1 + 3


class TestModels:
    def setup_method(self):
        rng = np.random.default_rng(1)
        city = np.repeat([0, 1], 2000)
        truths = (rng.random(4000) < np.where(city == 1, 0.3, 0.1)).astype(int)
        self.reports = TwoCoin().randomize(truths, rng)
        self.design = pd.DataFrame({"one": np.ones(4000), "city": city})
        self.texts = pd.Series(np.where(self.reports == 1, "Yes", "No"), dtype=object)

    def test_labels_give_the_model_of_their_codes(self):
        by_code = regress(TwoCoin(), self.reports, self.design)
        by_label = regress(TwoCoin(), self.texts.astype("category"), self.design, labels=LABELS)

        assert np.array_equal(by_code.coefficients, by_label.coefficients)

    def test_rows_without_a_report_are_left_out(self):
        texts = self.texts.copy()
        texts[::100] = None
        mask = texts.notna().to_numpy()
        rest = regress(TwoCoin(), self.reports[mask], self.design[mask])

        with pytest.raises(ValueError, match="reports holds 40 missing values"):
            regress(TwoCoin(), texts, self.design, labels=LABELS)
        fitted = regress(TwoCoin(), texts, self.design, labels=LABELS, missing="drop")

        assert (fitted.n, fitted.missing) == (3960, 40)
        assert np.array_equal(fitted.coefficients, rest.coefficients)
        assert "Missing values left out: 40" in fitted.summary()

    def test_a_report_is_missing_only_if_its_row_was_asked(self):
        texts = self.texts.copy()
        texts[:50] = None
        asked = np.arange(4000) >= 50

        fitted = regress(TwoCoin(), texts, self.design, labels=LABELS, asked=asked)

        assert (fitted.n, fitted.missing) == (3950, 0)

    def test_a_model_names_the_columns_of_its_design(self):
        fitted = regress(TwoCoin(), self.reports, self.design)

        assert repr(fitted) == (
            "<Regression of TwoCoin, n=4000, fine: one -1.910 (-2.272 to -1.548),"
            " city 1.096 (0.681 to 1.510)>"
        )
        assert fitted.summary().splitlines() == [
            "Regression of TwoCoin, n=4000, fine, log odds of Yes, errors observed",
            "",
            "      estimate  std. error      95% interval",
            "one     -1.910       0.185  -2.272 to -1.548",
            "city     1.096       0.212    0.681 to 1.510",
        ]

    def test_a_model_of_all_answers_has_a_row_for_each_of_them(self):
        mechanism = DirectEncoding(3, 2.0)
        reports = mechanism.randomize(np.arange(4000) % 3, 1)
        labels = ["Bus", "Tram", "Bike"]

        logit = regress(mechanism, reports, self.design, choice=None, labels=labels)
        linear = least_squares(mechanism, reports, self.design, choice=None, labels=labels)

        assert "log odds against Bus" in logit.summary()
        assert [line.split("  ")[0] for line in logit.summary().splitlines()[3:]] == [
            "one: Tram",
            "one: Bike",
            "city: Tram",
            "city: Bike",
        ]
        assert linear.summary().count("Bus") == 2

    def test_coefficients_at_the_boundary_are_not_shown(self):
        mechanism = Warner("11/20")
        reports = mechanism.randomize(np.zeros(60, int), 3)

        fitted = regress(mechanism, reports, np.ones((60, 1)))

        assert fitted.verdict == "boundary"
        assert repr(fitted) == "<Regression of Warner, n=60, boundary: no coefficients to show>"
        assert fitted.reason in fitted.summary()
        assert "x0" not in fitted.summary()

    def test_a_randomized_predictor_is_named_after_its_answer(self):
        outcome = np.random.default_rng(2).normal(size=4000)
        texts = self.texts.copy()
        texts[0] = None

        fitted = regress_on(
            outcome,
            TwoCoin(),
            texts,
            self.design,
            family="normal",
            labels=LABELS,
            missing="drop",
        )

        assert (fitted.n, fitted.missing) == (3999, 1)
        assert fitted.names == ("one", "city", "Yes")
        assert "\nYes " in fitted.summary()
        assert repr(fitted).startswith("<Predictor, n=3999, fine: one ")
