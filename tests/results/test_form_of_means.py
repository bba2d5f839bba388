"""A mean has one number and one range: on every page, in JSON, in tables and in figures."""

import csv
import html
import io
import re

import numpy as np
import pytest

from surveys.models import Instrument
from surveys.results.analysis.groups.figure import groups_figure
from surveys.results.analysis.groups.groups import compare_by_address
from surveys.results.disclosure.access import view_for_reader
from surveys.results.estimates.report import report
from surveys.results.figures.histogram import distribution
from surveys.statements.means import MeanStatement
from surveys.statements.statement import State
from tests.factories.analysis_surveys import get_api, get_report_page, owner_client
from tests.factories.responses import add_responses
from tests.factories.surveys import (
    add_background,
    add_quantity,
    add_scale,
    create_draft,
    publish_survey,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]

# A decimal number that is no per cent.
NUMBER = r"(?<![\w.,])−?\d+\.\d+(?![\w.%])"
RANGE = re.compile(rf"({NUMBER}) to ({NUMBER})")


def create_numbers(seed: int) -> Instrument:
    """Create a survey with a number, a scale with a decline and a background number."""
    survey = create_draft()
    add_quantity(survey, short="Work")
    add_scale(survey, short="Worry", decline=True)
    add_background(survey)
    survey.questions.create(
        key="age", position=4, kind="number", text="How old?", short="Age", minimum=18, maximum=97
    )
    instrument = publish_survey(survey)
    rng = np.random.default_rng(seed)
    n = 1500
    add_responses(
        instrument,
        n,
        seed=seed,
        hours=rng.integers(8, 30, n),
        agrees=rng.integers(1, 5, n),
        age=rng.integers(10, 40, n),
    )
    return Instrument.objects.get(pk=instrument.pk)


def mean_statements(instrument: Instrument) -> dict[str, MeanStatement]:
    """Return the statements about the means by the keys of their questions."""
    statements = {}
    view = view_for_reader(instrument, has_rows=True)
    for question in report(instrument, seen=view).questions:
        if question.average:
            statements[question.key] = question.average.statement
        elif question.is_number:
            statements[question.key] = distribution(question).statement
    return statements


def visible_text(content: str) -> str:
    """Return what a page or a drawing says, without its markup."""
    return html.unescape(re.sub(r"<[^>]*>", " ", content))


def other_forms(text: str, mean: MeanStatement) -> list[str]:
    """Return the decimal numbers and ranges in a text that are nearly those of a mean, but not its own."""
    low, high = mean.interval
    near = (high - low) / 5
    own_texts = {mean.number_without_unit, mean.low_text, mean.high_text}
    forms = []
    for number in re.findall(NUMBER, text):
        value = float(number.replace("−", "-"))
        if abs(value - mean.estimate) < near and number not in own_texts:
            forms.append(number)
    for first, last in RANGE.findall(text):
        distance = max(abs(float(first) - low), abs(float(last) - high))
        if distance < near and f"{first} to {last}" != mean.range_in_words:
            forms.append(f"{first} to {last}")
    return forms


@pytest.mark.parametrize("seed", range(4))
def test_no_page_and_no_figure_has_a_second_form_of_a_mean(seed: int) -> None:
    instrument = create_numbers(seed)
    client = owner_client(instrument)
    report_page = get_report_page(client, instrument, "?everything=yes").content.decode()
    texts = {"report": visible_text(report_page)}
    for key in ("hours", "agrees", "age"):
        drawing = get_report_page(client, instrument, f"{key}/shares.svg").content.decode()
        texts[f"{key}.svg"] = visible_text(drawing)
    texts["methods"] = get_report_page(client, instrument, "methods.txt").content.decode()

    statements = mean_statements(instrument)

    assert list(statements) == ["hours", "agrees", "age"]
    for key, mean in statements.items():
        assert mean.state == State.NUMBER
        assert mean.sentence in texts[f"{key}.svg"].replace("\n", " ")
        assert mean.number_without_unit in texts["report"]
        assert mean.range_in_words in texts["report"]
        assert other_forms(texts[f"{key}.svg"], mean) == []
    # Errors of shares are as small as the mean of the scale, so they can be near it by chance.
    for key in ("hours", "age"):
        assert other_forms(texts["report"], statements[key]) == []
        assert other_forms(texts["methods"], statements[key]) == []


def test_files_and_the_api_have_the_unrounded_mean_and_the_printed_one() -> None:
    instrument = create_numbers(1)
    client = owner_client(instrument)
    questions = get_api(client, instrument, "").json()["questions"]
    table = get_report_page(client, instrument, "shares.csv").content.decode()
    rows = {(row["variable"], row["answer"]): row for row in csv.DictReader(io.StringIO(table))}

    statements = mean_statements(instrument)
    hours = next(question for question in questions if question["key"] == "hours")
    number = hours["number"]
    mean = statements["hours"]

    assert hours["finding"]["sentence"] == mean.sentence
    assert hours["finding"]["number"] == mean.number_without_unit
    assert hours["finding"]["range"] == mean.range
    assert (number["mean"], tuple(number["interval"])) == (mean.estimate, mean.interval)
    assert (number["state"], number["method"]) == ("shown", "wald")
    assert number["family"] == {"size": 1, "confidence": 0.95}
    assert number["printed"] == {
        "number": mean.rounded_estimate,
        "low": mean.rounding.low,
        "high": mean.rounding.high,
        "decimals": mean.rounding.decimals,
        "unit": "hours",
    }
    row = rows["hours", "mean (hours)"]
    values = [float(row[column]) for column in ("corrected", "low", "high")]
    assert values == pytest.approx([mean.estimate, *mean.interval], rel=1e-9)
    for quartile in number["quartiles"]:
        low, high = quartile["interval"]
        assert (quartile["printed"]["low"], quartile["printed"]["high"]) == (low, high)
        assert (quartile["printed"]["decimals"], quartile["method"]) == (0, "bootstrap")
    for at_most in number["at_most"]:
        assert at_most["printed"]["unit"] == "%"
        assert at_most["printed"]["low"] <= 100 * max(at_most["interval"][0], 0)


def test_means_of_groups_have_the_form_of_the_statement_about_each_group() -> None:
    instrument = create_numbers(2)
    view = view_for_reader(instrument, has_rows=True)
    page = get_api(owner_client(instrument), instrument, "compare.svg?by=region&outcome=agrees")

    compared = compare_by_address(view, "region", "agrees")

    text = visible_text(page.content.decode())
    rows = groups_figure(compared).rows
    assert len(rows) == 2
    for group, row in zip(compared.groups, rows, strict=True):
        mean = group.statement
        assert isinstance(mean, MeanStatement)
        assert (row.value, row.range) == (mean.number, mean.range)
        assert mean.number in text
        assert mean.range in text


def test_mean_of_those_who_gave_a_number_is_measured_on_the_numbers() -> None:
    """“Prefer not to say” is a sixth answer, but no number, so a range may be 0.8 points long."""
    instrument = create_numbers(3)
    (question,) = [each for each in report(instrument).questions if each.key == "agrees"]

    quantity = question.average.statement.quantity

    assert question.average.aside
    assert (quantity.lowest, quantity.highest) == (1, 5)
    assert quantity.is_too_wide((2.0, 2.81))
    assert not quantity.is_too_wide((2.0, 2.79))
