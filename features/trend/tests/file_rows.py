"""The table of a trend, with distinct values: see tests/whole_site/test_file_rows.py."""

from types import SimpleNamespace

from features.trend.change import QuestionName
from features.trend.files import trend_csv
from tests.helpers.filled_tables import FilledTable, FilledTables


def filled_trend() -> FilledTable:
    earlier = SimpleNamespace(n=401, estimate=0.01, interval=(0.02, 0.03), is_withheld=True)
    now = SimpleNamespace(n=402, estimate=0.04, interval=(0.05, 0.06), is_withheld=False)
    comparison = SimpleNamespace(
        estimate=0.07,
        interval_alone=(0.08, 0.09),
        interval=(0.11, 0.12),
        family=SimpleNamespace(confidence=0.91),
        p=0.13,
        p_together=0.14,
    )
    change = SimpleNamespace(
        name=QuestionName(key="fruit", short="Fruit", text="About fruit?", answer="Pear"),
        earlier=SimpleNamespace(statement=earlier),
        now=SimpleNamespace(statement=now),
        comparison=comparison,
        change=SimpleNamespace(verdict="up"),
    )
    name = QuestionName(key="fruit", short="Fruit", text="About fruit?")
    trend = SimpleNamespace(
        earlier=SimpleNamespace(slug="survey-then"),
        now=SimpleNamespace(slug="survey-now"),
        questions=[SimpleNamespace(name=name, changes=(change,))],
    )
    row = {
        "variable": "fruit",
        "question": "About fruit?",
        "answer": "Pear",
        "earlier": "survey-then",
        "now": "survey-now",
        "n_earlier": 401,
        "n_now": 402,
        "estimate_earlier": 0.01,
        "low_earlier": 0.02,
        "high_earlier": 0.03,
        "withheld_earlier": True,
        "estimate_now": 0.04,
        "low_now": 0.05,
        "high_now": 0.06,
        "withheld_now": False,
        "difference": 0.07,
        "low": 0.11,
        "high": 0.12,
        "confidence": 0.91,
        "p": 0.13,
        "p_together": 0.14,
        "verdict": "up",
    }
    return FilledTable(trend_csv(trend), [row])


TABLES: FilledTables = {trend_csv: filled_trend}
