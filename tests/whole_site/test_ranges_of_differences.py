"""Ranges of differences in models, in tables and since an earlier version: none that is clear has an end at 0."""

import html
import re

import pytest

from features.trend.trend import trend
from surveys.authoring.files.survey_file import new_version
from surveys.fieldwork.responses.closing import close_survey
from surveys.results.disclosure.access import view_for_reader
from tests.factories.analysis_surveys import (
    get_analysis_page,
    get_api,
    owner_client,
    publish_import_survey,
    publish_with_counts,
)
from tests.factories.responses import release_reports
from tests.factories.surveys import add_yes_no, create_draft, publish_survey
from tests.results.test_ranges_of_differences import JUST_CLEAR

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_compare_and_the_linked_model_show_why_a_difference_is_clear() -> None:
    """The range begins at 0.036 points, so two decimals are shown."""
    instrument = publish_with_counts(
        {(0,): (600, 334), (1,): (600, 300)}, region=("North", "South")
    )
    client = owner_client(instrument)

    compared = get_api(client, instrument, "compare/?by=region").json()["questions"][0]["sentence"]
    shown = html.unescape(get_analysis_page(client, instrument, "?by=region").content.decode())
    drawing = get_analysis_page(client, instrument, "tax.svg?by=region").content.decode()
    model = get_api(client, instrument, "model/?outcome=tax:1&explain=region").json()["sentence"]

    for text in (compared, shown, model):
        assert re.search(JUST_CLEAR, text)
    assert re.search(r"\+0\.0[34] to \+22\.\d+", drawing)
    for text in (compared, shown, drawing, model):
        assert not re.search(r"[ +−(]0\.0 to ", text)


def test_the_trend_shows_why_a_change_is_clear() -> None:
    """The range begins at 0.028 points."""
    earlier = create_draft(title="Then")
    add_yes_no(earlier)
    publish_survey(earlier)
    release_reports(earlier.instrument, [{"tax": int(number < 250)} for number in range(500)])
    close_survey(earlier)
    now = new_version(earlier, earlier.owner)
    publish_survey(now)
    release_reports(now.instrument, [{"tax": int(number < 281)} for number in range(500)])
    now.refresh_from_db()

    result = trend(
        *(view_for_reader(survey.instrument, has_rows=True) for survey in (now, earlier))
    )

    answer = result.questions[0].main
    assert answer.change.verdict == "up"
    comparison = answer.comparison
    assert comparison.interval[0] == pytest.approx(0.00028, abs=1e-5)
    low, high = re.fullmatch(r"\+(0\.02) to \+([\d.]+)", comparison.range).groups()
    assert float(high) >= 100 * comparison.interval[1]
    assert re.fullmatch(
        rf"Tax: up [\d.]+ points since .+ \(95% range {low} to {high}\)\.", answer.sentence
    )


def test_phi_shows_why_an_association_is_clear() -> None:
    """Its range begins at 0.00035."""
    question = {"kind": "yes-no", "design": "warner", "parameters": {"p": "3/4"}}
    instrument = publish_import_survey({"key": "tax"} | question, {"key": "other"} | question)
    counts = {(0, 0): 963, (0, 1): 903, (1, 0): 903, (1, 1): 963}
    responses: list[dict[str, int]] = []
    for (tax, other), people in counts.items():
        responses += [{"tax": tax, "other": other}] * people
    release_reports(instrument, responses)

    sentence = get_api(
        owner_client(instrument), instrument, "table/?rows=tax&columns=other"
    ).json()["sentence"]

    assert "Tax and Other are associated (phi 0.1286, 95% range 0.0003 to 0.2569)." in sentence
