"""Means and quartiles are withheld by one rule on every page and in every file: their own range is too wide."""

import csv
import html
import io
import re

import numpy as np
import pytest

from surveys.models import Instrument
from surveys.results.estimates.report import report
from surveys.results.figures.means import mean_figure
from tests.factories.analysis_surveys import get_api, get_report_page, owner_client
from tests.factories.responses import add_responses
from tests.factories.surveys import add_quantity, create_draft, publish_survey

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def create_numbers(n: int) -> Instrument:
    """Create a survey of a scrambled number from 0 to 50 with the answers of n people, most of them small."""
    survey = create_draft()
    add_quantity(survey, parameters={"epsilon": "1"})
    instrument = publish_survey(survey)
    add_responses(instrument, n, hours=np.minimum(np.arange(n) % 51, 20))
    return Instrument.objects.get(pk=instrument.pk)


def test_a_quartile_that_is_too_wide_has_no_row_no_mark_and_no_sentence() -> None:
    instrument = create_numbers(220)
    client = owner_client(instrument)
    (question,) = report(instrument).questions

    page = html.unescape(get_report_page(client, instrument, "").content.decode())
    number = get_api(client, instrument, "").json()["questions"][0]["number"]
    rows = csv.DictReader(
        io.StringIO(get_report_page(client, instrument, "shares.csv").content.decode())
    )

    average = question.average
    names = [quartile.name for quartile in average.quartiles]
    wide = [quartile.name for quartile in average.quartiles if quartile.is_withheld]
    assert names == ["lower quartile", "median", "upper quartile"]
    assert average.statement.is_withheld
    assert "median" in wide
    assert "The median is" not in page
    figure = mean_figure(question)
    assert not {name.capitalize() for name in wide} & {row.label for row in figure.rows}
    for name in wide:
        assert name.capitalize() not in page
    assert number["withheld"]
    assert [quartile["withheld"] for quartile in number["quartiles"]] == [
        name in wide for name in names
    ]
    withheld = {row["answer"].split(" (")[0] for row in rows if row["withheld"] == "yes"}
    assert withheld == {"mean", *wide}


def test_a_withheld_mean_is_a_range_without_a_dot() -> None:
    instrument = create_numbers(220)
    (question,) = report(instrument).questions

    row = mean_figure(question).rows[0]
    drawing = mean_figure(question).marks(row)

    assert row.mark.is_withheld
    assert "plot__band--pale" in drawing
    assert not re.search("plot__dot|plot__ring", drawing)


def test_a_mean_that_is_shown_keeps_its_dot_and_the_quartiles_that_are_narrow_enough() -> None:
    instrument = create_numbers(4000)
    (question,) = report(instrument).questions
    number = get_api(owner_client(instrument), instrument, "").json()["questions"][0]["number"]

    figure = mean_figure(question)

    assert not number["withheld"]
    assert "plot__dot" in figure.marks(figure.rows[0])
    shown = question.average.shown_quartiles
    assert shown
    assert all(quartile.interval[1] - quartile.interval[0] <= 10 for quartile in shown)
    assert [row.mark.share for row in figure.rows[1:]] == [quartile.estimate for quartile in shown]
    assert [not quartile["withheld"] for quartile in number["quartiles"]] == [
        quartile in shown for quartile in question.average.quartiles
    ]
