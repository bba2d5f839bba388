"""Analyses of questions whose devices pick one mark, and of those asked by lot: n is the number that was asked."""

import math

import numpy as np
import pytest

from features.regression.model.model import model
from features.regression.table.counts import cross_tabulate, parse_table_variables
from features.weighting import known_margins
from features.weighting.weighting import weight_results
from surveys.authoring.drafts import question_subset
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Instrument, Survey
from surveys.results.analysis import selection
from surveys.results.analysis.groups.groups import compare_by_address
from surveys.results.analysis.refusals import TooFew
from surveys.results.disclosure.access import ReaderView, view_for_reader
from surveys.site.errors import Invalid
from tests.factories.analysis_surveys import get_api, owner_client
from tests.factories.many_responses import add_invented_responses
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    publish_survey,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def made() -> Instrument:
    return picked(1500)


def picked(n: int) -> Instrument:
    survey = create_draft()
    add_choice(survey, "drugs", ("A", "B", "C"), "marks", kind="any", parameters={"epsilon": "2"})
    add_yes_no(survey)
    add_background(survey, cut=True)
    instrument = publish_survey(survey)
    add_invented_responses(instrument, n)
    return Instrument.objects.get(pk=instrument.pk)


def test_each_answer_has_the_n_of_those_who_were_asked_for_it(made: Instrument) -> None:
    tally, size = made.tally["counts"]["drugs"], 3
    found = compare_by_address(ReaderView(made), "region", "drugs:1")
    assert found.n == tally[size + 1] < 1500
    table = cross_tabulate(
        ReaderView(made),
        *(selection.parse_variable(ReaderView(made), text, "rows") for text in ("drugs:1", "tax")),
    )
    assert (table.n, table.left_out) == (tally[size + 1], 1500 - tally[size + 1])
    seen = ReaderView(made)
    drugs, tax = weight_results(seen, known_margins.margins(seen, {"region": [0.5, 0.5]})).questions
    assert [answer.weighted.n for answer in drugs.answers] == tally[size:]
    assert tax.answers[1].weighted.n == 1500
    assert drugs.answers[1].weighted.share == pytest.approx(
        np.mean([group.statement.estimate for group in found.groups])
    )


def test_a_table_takes_one_of_the_answers(made: Instrument) -> None:
    with pytest.raises(Invalid, match="Choose one of its answers"):
        cross_tabulate(
            ReaderView(made),
            *(
                selection.parse_variable(ReaderView(made), text, "rows")
                for text in ("drugs", "tax")
            ),
        )


def test_the_cut_says_the_same(made: Instrument) -> None:
    close_survey(made.survey)
    doors = [
        view_for_reader(Instrument.objects.get(pk=made.pk), has_rows=has_rows)
        for has_rows in (True, False)
    ]
    tables = [
        cross_tabulate(
            seen, *(selection.parse_variable(seen, text, "rows") for text in ("region", "drugs:1"))
        )
        for seen in doors
    ]
    assert tables[0].table.tally == tables[1].table.tally
    assert tables[0].sentences == tables[1].sentences
    pairs = [compare_by_address(seen, "region", "drugs:1").pairs for seen in doors]
    assert pairs[0] == pairs[1]
    weighted = [
        weight_results(seen, known_margins.margins(seen, {"region": [0.5, 0.5]})).questions
        for seen in doors
    ]
    assert weighted[0] == weighted[1]


def test_questions_asked_by_lot_count_whom_they_were_asked() -> None:
    survey = create_draft()
    for key in ("tax", "other", "third"):
        add_yes_no(survey, key)
    add_background(survey)
    question_subset.set_draw(survey=survey, count=2, of=["tax", "other", "third"], by=survey.owner)
    made = publish_survey(Survey.objects.get(pk=survey.pk))
    add_invented_responses(made, 900)
    answered = Instrument.objects.get(pk=made.pk).tally["answered"]
    seen = ReaderView(made)
    assert compare_by_address(seen, "region", "tax:1").n == answered["tax"] < 900
    assert (
        cross_tabulate(seen, *parse_table_variables(seen, "tax", "other")).n
        == 900 - answered["third"]
    )
    found = weight_results(seen, known_margins.margins(seen, {"region": [0.5, 0.5]})).questions
    assert {question.item.key: question.n for question in found} == answered


def test_too_few_of_those_asked_by_lot_are_refused_with_how_many_are_expected() -> None:
    survey = create_draft()
    for key in ("tax", "other", "third"):
        add_yes_no(survey, key)
    add_background(survey)
    question_subset.set_draw(survey=survey, count=2, of=["tax", "other", "third"], by=survey.owner)
    made = publish_survey(Survey.objects.get(pk=survey.pk))
    add_invented_responses(made, 120)
    asked = Instrument.objects.get(pk=made.pk).tally["answered"]
    seen = ReaderView(made)
    with pytest.raises(
        TooFew, match=f"{asked['tax']} people .* About 80 of 120 .* 100 you need about 150"
    ):
        model(seen, "tax:1", ["region"])
    with pytest.raises(
        TooFew, match=r"About 40 of 120 people get these questions\. For 100 you need about 300"
    ):
        cross_tabulate(seen, *parse_table_variables(seen, "tax", "other"))
    with pytest.raises(TooFew, match="About 80 of 120"):
        compare_by_address(seen, "region", "tax:1")
    found = weight_results(seen, known_margins.margins(seen, {"region": [0.5, 0.5]})).questions
    assert all("About 80 of 120" in each.refused for each in found)


def test_what_a_lot_never_asks_together_is_refused() -> None:
    survey = create_draft()
    for key in ("tax", "other"):
        add_yes_no(survey, key)
    add_background(survey)
    question_subset.set_draw(survey=survey, count=1, of=["tax", "other"], by=survey.owner)
    made = publish_survey(Survey.objects.get(pk=survey.pk))
    add_invented_responses(made, 400)
    with pytest.raises(TooFew, match=r"0 people .* No one gets all of these"):
        cross_tabulate(ReaderView(made), *parse_table_variables(ReaderView(made), "tax", "other"))


def test_too_few_of_the_marks_that_devices_pick_are_refused_with_how_many_are_expected() -> None:
    made = picked(120)
    item = parse_instrument(made).items[0]
    part = item.report_format.pick / item.size
    words = (
        f"About {round(120 * part)} of 120 people get these questions. For 100 you need "
        f"about {math.ceil(100 / part)}"
    )
    with pytest.raises(TooFew, match=words):
        model(ReaderView(made), "drugs:1", ["region"])
    assert (
        words
        in get_api(owner_client(made), made, "model/?outcome=drugs:1&explain=region").json()[
            "detail"
        ]
    )
