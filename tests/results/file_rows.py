"""The tables of the report and of groups compared, with distinct values: see tests/whole_site/test_file_rows.py."""

from types import SimpleNamespace

from mechanisms import Functional
from surveys.results.analysis.groups.differences import Difference
from surveys.results.analysis.groups.files import compared_csv
from surveys.results.analysis.groups.page import ComparedQuestion, GroupsPage
from surveys.results.analysis.measures import POINTS
from surveys.results.estimates.numeric import Quartile
from surveys.results.estimates.question_report import ChoiceReport, QuestionReport
from surveys.results.report.lines import groups_csv, shares_csv
from surveys.results.report.quality import ADVICE, Check, Verdict
from surveys.results.report.quality_shape import checks_csv
from tests.helpers.filled_tables import FilledTable, FilledTables

CHOICE = ChoiceReport(
    label="Pear",
    observed=0.01,
    estimate=0.02,
    standard_error=0.03,
    interval=(0.04, 0.05),
    constrained=0.06,
    n=401,
)
AVERAGE = SimpleNamespace(  # what the tables read of an Average
    unit="hours",
    numbers=range(51),
    mean=Functional(
        value=20.1, standard_error=0.21, interval=(9.5, 30.5)
    ),  # wider than a fifth of 0 to 50
    quartiles=(Quartile(at=0.25, number=11, interval=(10, 12)),),
    at_most=(),
)
QUESTION = QuestionReport(
    key="fruit",
    text="About fruit?",
    kind="choice",
    short="Fruit",
    design="unary",
    design_title="One scrambled bit per choice",
    epsilon=1.0987,
    n=402,
    choices=(CHOICE,),
    constrained_by="norm-sub",
    interval_kind="exact",
    confidence=0.91,
    simultaneous=True,
    average=AVERAGE,
    basis=SimpleNamespace(),
)


SHARE_ROW = {
    "variable": "fruit",
    "question": "About fruit?",
    "answer": "Pear",
    "n": 401,
    "observed": 0.01,
    "corrected": 0.02,
    "standard_error": 0.03,
    "low": 0.04,
    "high": 0.05,
    "constrained": 0.06,
    "constrained_by": "norm-sub",
    "confidence": 0.91,
    "interval": "exact",
    "simultaneous": True,
    "design": "unary",
    "epsilon": 1.0987,
    "group": "people in the south",
    "errors_hold": "sampling and randomization",
    "withheld": False,
}
GROUP_ROW = {
    "variable": "fruit",
    "question": "About fruit?",
    "by": "region",
    "group": "South",
    "answer": "Pear",
    "n": 401,
    "corrected": 0.02,
    "standard_error": 0.03,
    "low": 0.04,
    "high": 0.05,
    "confidence": 0.91,
    "interval": "exact",
    "simultaneous": True,
    "withheld": False,
}
MEAN = {
    "answer": "mean (hours)",
    "n": 402,
    "corrected": 20.1,
    "standard_error": 0.21,
    "low": 9.5,
    "high": 30.5,
    "interval": "wald",
    "simultaneous": False,
    "withheld": True,
}
QUARTILE = {
    "answer": "lower quartile (hours)",
    "n": 402,
    "corrected": 11,
    "standard_error": None,
    "low": 10,
    "high": 12,
    "interval": None,
    "simultaneous": False,
    "withheld": True,
}


def filled_shares() -> FilledTable:
    text = shares_csv(SimpleNamespace(questions=[QUESTION]), about="people in the south")
    unknown = {"observed": None, "constrained": None, "constrained_by": None}
    return FilledTable(
        text, [SHARE_ROW, SHARE_ROW | unknown | MEAN, SHARE_ROW | unknown | QUARTILE]
    )


def filled_groups() -> FilledTable:
    group = SimpleNamespace(report=QUESTION, name="South")
    sides = SimpleNamespace(by=SimpleNamespace(key="region"), questions=[(None, [group])])
    return FilledTable(groups_csv(sides), [GROUP_ROW, GROUP_ROW | MEAN, GROUP_ROW | QUARTILE])


def filled_checks() -> FilledTable:
    check = Check(
        key="fruit",
        text="About fruit?",
        name="Repeated reports",
        finding="The most frequent report came 40 times.",
        p_value=0.001,
        verdict=Verdict.SUSPICIOUS,
    )
    row = {
        "variable": "fruit",
        "question": "About fruit?",
        "check": "Repeated reports",
        "finding": "The most frequent report came 40 times.",
        "p_value": 0.001,
        "verdict": "suspicious",
        "advice": ADVICE[Verdict.SUSPICIOUS],
    }
    return FilledTable(checks_csv([check]), [row])


def filled_comparison() -> FilledTable:
    """Two groups, of which the second has the difference of the first, turned round."""
    north = SimpleNamespace(n=201, value=0.41, interval=(0.42, 0.43), is_withheld=True)
    south = SimpleNamespace(n=202, value=0.44, interval=(0.45, 0.46), is_withheld=False)
    difference = Difference(
        group="North",
        versus="South",
        n=201,
        difference=-0.03,
        standard_error=0.02,
        interval=(-0.07, 0.01),
        simultaneous=(-0.09, 0.05),
        p=0.11,
        p_together=0.12,
        p_holm=0.13,
        p_bh=0.14,
        clear=False,
        verdict="lower",
        measure=POINTS,
    )
    answer = SimpleNamespace(
        question=SimpleNamespace(key="fruit", text="About fruit?"),
        answer="Pear",
        sides=SimpleNamespace(by=SimpleNamespace(key="region")),
        confidence=0.91,
        comparisons=7,
        values=(north, south),
        differences=(difference,),
    )
    page = GroupsPage(sides=None, questions=(ComparedQuestion(answers=(answer,)),))
    row = {
        "variable": "fruit",
        "question": "About fruit?",
        "answer": "Pear",
        "by": "region",
        "first": "North",
        "second": "South",
        "difference": -0.03,
        "standard_error": 0.02,
        "low": -0.09,
        "high": 0.05,
        "confidence": 0.91,
        "p": 0.11,
        "p_holm": 0.13,
        "group": "people in the south",
        "p_together": 0.12,
        "verdict": "lower",
        "comparisons": 7,
        "n": 201,
        "share": 0.41,
        "share_low": 0.42,
        "share_high": 0.43,
        "withheld": True,
    }
    turned = {
        "first": "South",
        "second": "North",
        "difference": 0.03,
        "low": -0.05,
        "high": 0.09,
        "verdict": "higher",
    }
    own = {"n": 202, "share": 0.44, "share_low": 0.45, "share_high": 0.46, "withheld": False}
    return FilledTable(compared_csv(page, "people in the south"), [row, row | turned | own])


TABLES: FilledTables = {
    shares_csv: filled_shares,
    groups_csv: filled_groups,
    checks_csv: filled_checks,
    compared_csv: filled_comparison,
}
