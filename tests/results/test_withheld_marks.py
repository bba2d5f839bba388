"""A number that is withheld as too uncertain has no dot: not on a page, not in a file, and not in the legend."""

import csv
import io
import re

import numpy as np
import pytest
from django.conf import LazySettings

from surveys.models import Instrument
from surveys.results.analysis.groups.figure import groups_figure
from surveys.results.analysis.groups.groups import compare_by_address
from surveys.results.disclosure.access import view_for_reader
from surveys.results.estimates.report import report
from surveys.results.figures.dot_plot import Figure
from surveys.results.figures.histogram import number_figure
from surveys.results.figures.likelihood import likelihood_figure
from surveys.results.report.figures import question_figure
from surveys.results.report.groups import side_by_side
from surveys.results.report.lines import groups_csv
from tests.factories.analysis_surveys import (
    get_api,
    get_report_page,
    owner_client,
    publish_with_counts,
)
from tests.factories.responses import add_responses
from tests.factories.surveys import (
    add_background,
    add_quantity,
    add_yes_no,
    create_draft,
    publish_survey,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]

COMPARED_AGES = "compare.csv?by=region&outcome=age"
DOT = re.compile(r'<circle class="plot__(dot|ring)" cx|<use href="#p-d"')


def create_ages(n: int) -> Instrument:
    """Create a survey of a background number from 0 to 10, which half of n people answer with 0 and half with 10."""
    survey = create_draft()
    survey.questions.create(
        key="age", position=1, kind="number", text="How old?", minimum=0, maximum=10
    )
    add_yes_no(survey)
    add_background(survey)
    instrument = publish_survey(survey)
    person = np.arange(n)
    add_responses(instrument, n, age=person % 2 * 10, region=person // 2 % 2)
    return Instrument.objects.get(pk=instrument.pk)


def figure_of_ages(instrument: Instrument) -> Figure:
    (age,) = [
        question
        for question in report(
            instrument, seen=view_for_reader(instrument, has_rows=True)
        ).questions
        if question.key == "age"
    ]
    return number_figure(age)


def has_dot(drawing: str) -> bool:
    return DOT.search(drawing) is not None


@pytest.mark.parametrize("n", [20, 80])
def test_the_withheld_mean_of_a_background_number_has_neither_dot_nor_number_in_its_histogram(
    n: int,
) -> None:
    """20 answers are too few to report, and the mean of 80 has too wide a range."""
    instrument = create_ages(n)
    figure = figure_of_ages(instrument)

    file = get_api(owner_client(instrument), instrument, "age/shares.svg").content.decode()

    assert [row.value for row in figure.rows] == [""]
    assert "plot__band--pale" in file
    assert not has_dot(file)
    assert not has_dot(str(figure.drawn[0][1]))


def test_a_mean_of_a_background_number_that_is_shown_keeps_its_dot() -> None:
    instrument = create_ages(2000)
    figure = figure_of_ages(instrument)

    assert [row.value for row in figure.rows] == ["5.00"]
    assert has_dot(str(figure.drawn[0][1]))
    assert has_dot(get_api(owner_client(instrument), instrument, "age/shares.svg").content.decode())


def test_a_share_that_is_too_wide_has_no_dot_in_the_figure_of_its_likelihood() -> None:
    instrument = publish_with_counts({(0,): (60, 30), (1,): (60, 30)}, region=("North", "South"))
    figure = likelihood_figure(report(instrument).questions[0])

    file = get_api(owner_client(instrument), instrument, "tax/likelihood.svg").content.decode()

    assert [row.value for row in figure.rows] == [""]
    assert "95% range" in file
    assert not has_dot(file)
    assert not has_dot(str(figure.drawn[0][1]))


def test_too_few_responses_have_no_dot_however_narrow_their_range_is(
    settings: LazySettings,
) -> None:
    instrument = publish_with_counts(
        {(0,): (500, 250), (1,): (500, 250)}, region=("North", "South")
    )
    shown = get_report_page(owner_client(instrument), instrument, "").content.decode()
    settings.FEW_RESPONSES = 2000
    (question, _) = report(instrument).questions
    (row,) = question_figure(question).rows

    withheld = get_report_page(owner_client(instrument), instrument, "").content.decode()

    assert row.mark.high - row.mark.low < 0.2
    assert row.value == ""
    assert has_dot(shown)
    assert not has_dot(withheld)


def test_groups_have_no_dot_for_a_withheld_mean_of_a_background_number() -> None:
    instrument = create_ages(160)
    compared = compare_by_address(view_for_reader(instrument, has_rows=True), "region", "age")

    (table,) = csv.DictReader(
        io.StringIO(get_api(owner_client(instrument), instrument, COMPARED_AGES).content.decode())
    )

    assert [group.statement.is_withheld for group in compared.groups] == [True, True]
    assert [row.value for row in groups_figure(compared).rows] == ["", ""]
    assert not any(
        has_dot(groups_figure(compared).marks(row)) for row in groups_figure(compared).rows
    )
    assert not any(has_dot(str(plot)) for _, plot in groups_figure(compared).drawn)
    assert table["withheld"] == "yes"


def test_groups_keep_the_dot_of_a_mean_of_a_background_number_that_is_shown() -> None:
    compared = compare_by_address(
        view_for_reader(create_ages(4000), has_rows=True), "region", "age"
    )

    assert [row.value for row in groups_figure(compared).rows] == ["5.00", "5.00"]
    assert all(has_dot(groups_figure(compared).marks(row)) for row in groups_figure(compared).rows)


def test_the_table_of_groups_says_which_numbers_are_withheld() -> None:
    survey = create_draft()
    add_yes_no(survey)
    add_quantity(survey, parameters={"epsilon": "1"})
    add_background(survey)
    instrument = publish_survey(survey)
    person = np.arange(700)
    add_responses(
        instrument,
        700,
        region=(person < 620).astype(int),
        hours=np.minimum(person % 51, 20),
        tax=person % 2,
    )
    instrument = Instrument.objects.get(pk=instrument.pk)

    table = groups_csv(side_by_side(view_for_reader(instrument, has_rows=True), "region"))

    rows = list(csv.DictReader(io.StringIO(table)))
    assert table.splitlines()[0].endswith(",simultaneous,withheld")
    withheld = {(row["group"], row["answer"]): row["withheld"] for row in rows}
    assert withheld["North", "Yes"] == "yes"
    assert withheld["South", "Yes"] == "no"
    assert withheld["North", "mean (hours)"] == "yes"
    assert withheld["South", "mean (hours)"] == "no"
