"""The tables of the report and of groups compared, with distinct values: see tests/whole_site/test_file_rows.py."""

from dataclasses import replace
from types import SimpleNamespace

from mechanisms import Functional
from mechanisms.estimation.quantiles import Quantile
from surveys.results.analysis.groups.files import compared_csv
from surveys.results.analysis.groups.page import ComparedQuestion, GroupsPage
from surveys.results.estimates.question_report import ChoiceReport, QuestionReport
from surveys.results.report.lines import groups_csv, shares_csv
from surveys.results.report.quality import ADVICE, Check, Verdict
from surveys.results.report.quality_shape import checks_csv
from surveys.statements.comparisons import Comparison, share_difference
from surveys.statements.family import Family
from surveys.statements.means import mean_statement, quartile_statements
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
# Wider than a fifth of 0 to 50.
WIDE_MEAN = Functional(value=20.1, standard_error=0.21, interval=(9.5, 30.5))
NUMBERS = {"values": range(51), "n": 402, "confidence": 0.91, "unit": "hours"}
AVERAGE = SimpleNamespace(  # what the tables read of an Average
    unit="hours",
    mean=WIDE_MEAN,
    statement=mean_statement(WIDE_MEAN, **NUMBERS),
    quartiles=quartile_statements([Quantile(at=0.25, value=11, interval=(10, 32))], **NUMBERS),
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
    basis=SimpleNamespace(level=0.91),
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
    "high": 32,
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
    """Return the table of three groups, whose p-values are adjusted for the other differences."""
    numbers = {"North": 0, "East": 1, "South": 2}
    groups = [
        SimpleNamespace(
            n=201 + number,
            estimate=0.41 + number / 1000,
            interval=(0.42 + number / 1000, 0.43 + number / 1000),
            is_withheld=number > 0,
        )
        for number in numbers.values()
    ]
    differences = [
        Comparison(
            quantity=replace(share_difference("Fruit"), group=name),
            n=201 + number,
            estimate=-0.03 - number / 1000,
            interval=(-0.09 - number / 1000, 0.05 + number / 1000),
            family=Family(size=7, confidence=0.91),
            versus="all other groups",
            versus_n=901,
            standard_error=0.02 + number / 1000,
            interval_alone=(-0.07, 0.01),
            p=0.11 + number / 200,
            guard=0.15,
            verdict="lower",
        )
        for name, number in numbers.items()
    ]
    answer = SimpleNamespace(
        question=SimpleNamespace(key="fruit", text="About fruit?"),
        answer="Pear",
        sides=SimpleNamespace(by=SimpleNamespace(key="region")),
        groups=[SimpleNamespace(statement=statement) for statement in groups],
        differences=differences,
    )
    question = ComparedQuestion(answers=(answer,))
    page = GroupsPage(sides=None, questions=(question,), family=differences[0].family)
    rows = []
    for name, number in numbers.items():
        row = {
            "variable": "fruit",
            "question": "About fruit?",
            "answer": "Pear",
            "by": "region",
            "first": name,
            "second": "all other groups",
            "difference": -0.03 - number / 1000,
            "standard_error": 0.02 + number / 1000,
            "low": -0.09 - number / 1000,
            "high": 0.05 + number / 1000,
            "confidence": 0.91,
            "p": 0.11 + number / 200,
            # Three times the smallest one, which is more than twice the next one.
            "p_holm": 3 * 0.11,
            "group": "people in the south",
            "p_together": 7 * (0.11 + number / 200),
            "verdict": "lower",
            "comparisons": 7,
            "n": 201 + number,
            "share": 0.41 + number / 1000,
            "share_low": 0.42 + number / 1000,
            "share_high": 0.43 + number / 1000,
            "withheld": number > 0,
        }
        rows.append(row)
    return FilledTable(compared_csv(page, "people in the south"), rows)


TABLES: FilledTables = {
    shares_csv: filled_shares,
    groups_csv: filled_groups,
    checks_csv: filled_checks,
    compared_csv: filled_comparison,
}
