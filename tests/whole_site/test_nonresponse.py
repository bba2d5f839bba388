"""“Prefer not to say” at a background question, in analyses and in the files of all features."""

import csv
import io

import numpy as np
import pytest

from features.regression.model.model import model
from features.regression.model.wording import sentences
from features.response_import.tests import import_files
from features.response_import.tests.import_files import send
from features.statistical_packages.scripts.spss import spss_syntax
from features.statistical_packages.scripts.stata import stata_do
from features.weighting.strata import count_strata
from surveys.definition.parsing import parse_instrument
from surveys.export.codebook import as_markdown, codebook
from surveys.fieldwork.responses.background_groups import update_report_groups
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Instrument
from surveys.results.analysis.refusals import TooFew
from surveys.results.disclosure.access import view_for_reader
from surveys.results.estimates.report import EVERYBODY
from tests.api.test_reading import client_of
from tests.definition.test_nonresponse import DECLINE, about_age, about_region, given
from tests.factories import import_surveys, surveys
from tests.factories.analysis_surveys import publish_import_survey
from tests.factories.responses import add_responses, release_reports
from tests.factories.surveys import publish_survey
from tests.helpers.exports import csv_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def instrument() -> Instrument:
    """tax, and two background questions that may be declined."""
    survey = surveys.create_draft()
    surveys.add_yes_no(survey)
    about_region(survey)
    about_age(survey)
    return publish_survey(survey)


def test_a_group_of_those_who_declined_and_those_without_an_answer_is_unknown() -> None:
    """Too few of either: they make one group, which no analysis counts as a place."""
    region = {"key": "region", "kind": "background", "choices": ["North", "South"], "cut": True}
    instrument = publish_import_survey(
        {"key": "tax", "kind": "yes-no", "design": "two-coin"}, region
    )
    release_reports(
        instrument,
        [
            {"tax": n % 2, "region": at}
            for n, at in enumerate([0] * 100 + [1] * 100 + [2] * 20 + [None] * 20)
        ],
    )
    close_survey(instrument.survey)
    update_report_groups(instrument)
    seen = view_for_reader(instrument, has_rows=False)
    assert seen.answer_groups["region"].names == ("North", "South", f"{DECLINE} or no answer")
    assert seen.codes_without_answer("region") == {2}
    assert count_strata(seen, tuple(seen.filter_questions), EVERYBODY).left_out == 40


def test_a_model_leaves_out_who_gave_no_number_and_says_so(instrument: Instrument) -> None:
    given(instrument)
    seen = view_for_reader(instrument, has_rows=True)
    found = model(seen, "tax:1", ["age:number"])
    assert (found.n, found.left_out) == (240, 60)
    assert "People who preferred not to give a number for Old are left out." in sentences(found)
    in_groups = model(seen, "tax:1", ["age:groups"])
    assert (in_groups.n, in_groups.left_out) == (300, 0)
    assert DECLINE in [row.level.label for row in in_groups.comparisons]
    assert "left out" not in " ".join(sentences(in_groups))
    both = model(seen, "tax:1", ["age:number", "region"])
    assert both.n == 240
    assert DECLINE in [row.level.label for row in both.comparisons]


def test_a_model_of_those_who_declined_is_refused(instrument: Instrument) -> None:
    add_responses(instrument, 100, tax=[0] * 100, region=[0] * 100, age=[80] * 100)
    with pytest.raises(TooFew, match="0 people"):
        model(view_for_reader(instrument, has_rows=True), "tax:1", ["age:number"])


def test_the_mean_of_a_number_is_of_those_who_gave_one(instrument: Instrument) -> None:
    """As an outcome, in a model and in groups side by side."""
    given(instrument)
    seen = view_for_reader(instrument, has_rows=True)
    found = model(seen, "age", ["region"])
    assert found.outcome.is_mean
    by_region = {row.level.label: row.corrected for row in found.comparisons}
    ages, regions = (
        np.resize([20, 40, 60, 20, np.nan], 300),
        np.resize(["North", "South", DECLINE], 300),
    )
    for label, mean in by_region.items():
        assert mean == pytest.approx(np.nanmean(ages[regions == label]))
    address = f"/api/v1/surveys/{instrument.survey.slug}/report/groups/"
    side = client_of(instrument.survey.owner).get(address, {"outcome": "age", "by": "region"})
    assert side.status_code == 200, side.content
    assert "NaN" not in side.content.decode()


def test_who_declined_has_no_known_share(instrument: Instrument) -> None:
    given(instrument)
    ada = client_of(instrument.survey.owner)
    address = f"/api/v1/surveys/{instrument.survey.slug}/report/weighted/"
    found = ada.get(address, {"margins": "region:0.4,0.6"}).json()
    assert (found["n"], found["left_out"]) == (200, 100)
    refused = ada.get(address, {"margins": "region:0.4,0.5,0.1"})
    assert refused.status_code in (400, 422)
    assert "needs 2 shares" in refused.content.decode()


def test_files_name_it(instrument: Instrument) -> None:
    frozen = parse_instrument(instrument)
    add_responses(instrument, 40, tax=[0] * 40, region=[2] * 40, age=[80] * 40)
    variables = {each["name"]: each for each in codebook(frozen)["variables"]}
    assert variables["region"]["declined"] == 2
    assert variables["age"]["choices"][80]["label"] == DECLINE
    assert "declined" not in variables["tax"]
    assert (
        f"Reported as: number from 18 to 97, or nothing and age_declined = 1 for “{DECLINE}”."
        in as_markdown(frozen)
    )
    coded = next(csv.DictReader(io.StringIO(csv_of(instrument))))
    assert (coded["region"], coded["age"], coded["age_declined"]) == ("-99", "", "1")
    labelled = next(csv.DictReader(io.StringIO(csv_of(instrument, "responses-excel.csv"))))
    assert (labelled["region"], labelled["age"]) == (DECLINE, DECLINE)
    spss = spss_syntax(frozen)
    assert f"VALUE LABELS age_declined\n  0 'Not declined'\n  1 '{DECLINE}'." in spss
    assert "VARIABLE LEVEL age (SCALE)." in spss
    assert f'1 `"{DECLINE}"\', add' in stata_do(frozen)


def test_files_of_answers_hold_it_as_words_or_as_a_code() -> None:
    asked = {"kind": "number", "key": "age", "text": "Age?", "minimum": "18", "maximum": "99"}
    survey = import_surveys.create_one_question_survey(**asked)
    send(
        survey,
        b"age\n18\n99\nPrefer not to say\nprefer not to  say\n",
        {"questions": {"age": {"as": "labels"}}},
    )
    counts = import_files.tally(survey)["counts"]["age"]
    assert (counts[0], counts[81], counts[82], sum(counts)) == (1, 1, 2, 4)
    said = "“17” is not a whole number from 18 to 99, or “Prefer not to say”."
    again = import_surveys.create_one_question_survey(surveys.create_researcher("grace"), **asked)
    assert import_files.problems(again, b"age\n17\n", {"questions": {"age": {"as": "labels"}}}) == [
        (2, "age", said)
    ]
    send(again, b"age\n0\n82\n", {"questions": {"age": {"as": "codes"}}})
    assert import_files.tally(again)["counts"]["age"][82] == 1


def test_the_bands_of_a_number_end_before_those_who_declined() -> None:
    """Enough people: the last group is of nobody else; an analysis without the right to rows knows it as such."""
    survey = surveys.create_draft()
    surveys.add_yes_no(survey)
    about_age(survey)
    instrument = publish_survey(survey)
    add_responses(instrument, 300, tax=[0, 1] * 150, age=[2] * 100 + [42] * 100 + [80] * 100)
    close_survey(survey)
    update_report_groups(instrument)
    seen = view_for_reader(instrument, has_rows=False)
    assert seen.answer_groups["age"].codes[-1] == (80,)
    item = next(item for item in seen.definition.items if item.key == "age")
    assert (item.choices[-1], item.decline_code) == (DECLINE, len(item.choices) - 1)
    assert seen.codes_without_answer("age") == {item.decline_code}
    assert count_strata(seen, (item,), EVERYBODY).left_out == 100
