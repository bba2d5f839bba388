"""The table of weighted shares, with distinct values: see tests/whole_site/test_file_rows.py."""

from types import SimpleNamespace

from features.weighting.files import weighted_csv
from features.weighting.result import WeighedMean, WeighedQuestion, WeightedChoice
from mechanisms import Functional, WeightedEstimate
from surveys.results.estimates.question_report import ChoiceReport
from tests.helpers.filled_tables import FilledTable, FilledTables


def filled_weighted() -> FilledTable:
    """A share and a mean."""
    answer = WeightedChoice(
        label="Pear",
        plain=ChoiceReport(
            label="Pear", estimate=0.01, standard_error=0.02, interval=(0.03, 0.04), n=402
        ),
        weighted=WeightedEstimate(
            share=0.05, standard_error=0.06, interval=(0.07, 0.08), n=400, effective_n=320.0
        ),
        confidence=0.91,
        method="exact",
        weighted_method="wilson",
    )
    mean = WeighedMean(
        plain=SimpleNamespace(
            unit="hours", mean=Functional(value=11.1, standard_error=0.12, interval=(9.5, 12.5))
        ),
        weighted=WeightedEstimate(
            share=13.1, standard_error=0.14, interval=(11.5, 14.5), n=300, effective_n=150.0
        ),
    )
    fruit = SimpleNamespace(key="fruit", full_text="About fruit?")
    hours = SimpleNamespace(key="hours", full_text="About hours?")
    weighted = SimpleNamespace(
        margins=(SimpleNamespace(key="region"), SimpleNamespace(key="sex")),
        questions=(
            WeighedQuestion(item=fruit, n=403, answers=(answer,)),
            WeighedQuestion(item=hours, n=404, mean=mean),
        ),
        confidence=0.91,
    )
    share_row = {
        "variable": "fruit",
        "question": "About fruit?",
        "answer": "Pear",
        "n": 400,
        "effective_n": 320.0,
        "design_effect": 1.25,
        "weighted": 0.05,
        "standard_error": 0.06,
        "low": 0.07,
        "high": 0.08,
        "unweighted": 0.01,
        "unweighted_standard_error": 0.02,
        "unweighted_low": 0.03,
        "unweighted_high": 0.04,
        "confidence": 0.91,
        "by": "region sex",
        "group": "people in the south",
    }
    mean_row = share_row | {
        "variable": "hours",
        "question": "About hours?",
        "answer": "mean (hours)",
        "n": 300,
        "effective_n": 150.0,
        "design_effect": 2.0,
        "weighted": 13.1,
        "standard_error": 0.14,
        "low": 11.5,
        "high": 14.5,
        "unweighted": 11.1,
        "unweighted_standard_error": 0.12,
        "unweighted_low": 9.5,
        "unweighted_high": 12.5,
    }
    return FilledTable(weighted_csv(weighted, "people in the south"), [share_row, mean_row])


TABLES: FilledTables = {weighted_csv: filled_weighted}
