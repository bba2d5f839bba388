"""The tables of the two analyses, with distinct values: see tests/whole_site/test_file_rows.py."""

from types import SimpleNamespace

import numpy as np

from features.regression.model.comparisons import ModelRow
from features.regression.model.files import model_csv
from features.regression.table.conditionals import OfThose
from features.regression.table.files import crossed_csv
from surveys.statements.comparisons import share_difference
from surveys.statements.contrasts import LinkedDifference, PredictorKind
from surveys.statements.family import Family
from surveys.statements.results import statement_fields
from surveys.statements.shares import share_of
from tests.helpers.filled_tables import FilledTable, FilledTables


def filled_model() -> FilledTable:
    statement = LinkedDifference(
        quantity=share_difference("Fruit"),
        n=401,
        estimate=0.03,
        interval=(0.07, 0.08),
        # Bonferroni: the p-value of this difference alone, times the size of the family.
        family=Family(size=2),
        versus="South",
        versus_n=0,
        standard_error=0.04,
        interval_alone=(0.05, 0.06),
        p=0.095,
        guard=None,
        verdict="higher",
        kind=PredictorKind.GROUP,
        predictor="Region",
        adjusted_for=(),
    )
    row_of_model = ModelRow(
        level=SimpleNamespace(term=SimpleNamespace(key="region"), label="North"),
        answer=1,
        n=401,
        observed=0.01,
        alone=share_of(0.02, (0.021, 0.022)),
        reference=SimpleNamespace(label="South"),
        statement=statement,
        p_holm=0.12,
        coefficient=0.13,
        standard_error=0.14,
        robust_error=0.15,
        odds_ratio=0.16,
        odds_interval=(0.17, 0.18),
    )
    model = SimpleNamespace(
        outcome=SimpleNamespace(item=SimpleNamespace(key="fruit", choices=("Apple", "Pear"))),
        comparisons=(row_of_model,),
        kind="logit",
        confidence=0.91,
    )
    row = {
        "outcome": "fruit",
        "answer": "Pear",
        "question": "region",
        "group": "North",
        "n": 401,
        "observed": 0.01,
        "corrected": 0.02,
        "reference": "South",
        "difference": 0.03,
        "difference_error": 0.04,
        "low": 0.05,
        "high": 0.06,
        "simultaneous_low": 0.07,
        "simultaneous_high": 0.08,
        "p": 0.095,
        "p_holm": 0.12,
        "coefficient": 0.13,
        "standard_error": 0.14,
        "robust_error": 0.15,
        "odds_ratio": 0.16,
        "odds_low": 0.17,
        "odds_high": 0.18,
        "model": "logit",
        "confidence": 0.91,
        "people": "people in the south",
        "p_together": 0.19,
        "verdict": "higher",
    }
    return FilledTable(model_csv(model, "people in the south"), [row])


def filled_crossed() -> FilledTable:
    of_row = OfThose(
        share=0.31,
        standard_error=0.32,
        interval=(0.33, 0.34),
        reason="why of the row",
        **statement_fields(None),
    )
    of_column = OfThose(
        share=0.41,
        standard_error=0.42,
        interval=(0.43, 0.44),
        reason="why of the column",
        **statement_fields(None),
    )
    crossed = SimpleNamespace(
        first=SimpleNamespace(name="region"),
        second=SimpleNamespace(name="fruit"),
        rows=("North",),
        columns=("Pear",),
        n=401,
        confidence=0.91,
        table=SimpleNamespace(
            shares=np.array([[0.01]]),
            standard_errors=np.array([[0.02]]),
            intervals=np.array([[[0.03, 0.04]]]),
            constrained=np.array([[0.05]]),
        ),
        results_of_rows=((of_row,),),
        results_of_columns=((of_column,),),
    )
    row = {
        "rows": "region",
        "columns": "fruit",
        "row": "North",
        "column": "Pear",
        "n": 401,
        "share": 0.01,
        "standard_error": 0.02,
        "low": 0.03,
        "high": 0.04,
        "constrained": 0.05,
        "of_row": 0.31,
        "of_row_low": 0.33,
        "of_row_high": 0.34,
        "of_column": 0.41,
        "of_column_low": 0.43,
        "of_column_high": 0.44,
        "confidence": 0.91,
        "group": "people in the south",
        "of_row_reason": "why of the row",
        "of_column_reason": "why of the column",
    }
    return FilledTable(crossed_csv(crossed, "people in the south"), [row])


TABLES: FilledTables = {model_csv: filled_model, crossed_csv: filled_crossed}
