"""Groups compared: the library's tests, Holm, words that keep to the intervals; the same at every door."""

import csv
import html
import io
import re

import numpy as np
import pytest

from mechanisms import Tally, Warner, equal_groups_test, holm, z_test
from surveys.fieldwork.lifecycle import publish
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Instrument
from surveys.results.analysis.groups.groups import Compared, comparison
from surveys.results.analysis.refusals import TooFew
from surveys.results.disclosure.access import ReaderView
from surveys.results.estimates.intervals import Asked
from tests.analysed import MATRIX, analyst, api, on_paper, owner, page
from tests.answered import answered, store
from tests.making import background, draft, yes_no

pytestmark = pytest.mark.django_db
PLACES = ("North", "East", "South", "{West}")


def reported(*counts: tuple[int, int], labels: tuple[str, ...] = PLACES) -> Instrument:
    """Exactly so many reports of Yes of so many, one pair for each region."""
    survey = draft()
    yes_no(survey)
    background(survey, labels=labels[: len(counts)], cut=True)
    made = publish(survey)
    rows = [{"tax": int(number < yes), "region": place} for place, (yes, n) in enumerate(counts) for number in range(n)]
    store(made, rows)
    return made


def compared(made: Instrument, outcome: str = "tax:1", confidence: float = 0.95) -> Compared:
    return comparison(ReaderView(made), "region", outcome, asked=Asked(confidence))


COUNTS = ((150, 400), (200, 400), (260, 500), (120, 300))


def test_tests_and_pairs_are_the_librarys() -> None:
    found = compared(reported(*COUNTS))
    groups = [(Warner("3/4"), Tally(n, [n - yes, yes])) for yes, n in COUNTS]
    assert found.test == equal_groups_test(groups)
    expected = [z_test(groups[a], groups[b]).p_value for a in range(4) for b in range(a + 1, 4)]
    assert [pair.p_value for pair in found.pairs] == pytest.approx(expected, rel=1e-12)
    assert [pair.p_holm for pair in found.pairs] == pytest.approx(list(holm(expected)), rel=1e-12)
    assert [(pair.first, pair.second) for pair in found.pairs][:2] == [("North", "East"), ("North", "South")]
    assert found.pairs[0].difference == pytest.approx((150 / 400 - 200 / 400) / 0.5)


def test_intervals_of_differences_are_newcombes_and_hold_together() -> None:
    """Newcombe 1998, table II, method 10: 56/70 against 48/80 gives .2, .0524 to .3339; here without any noise."""
    made = reported((56, 70), (48, 80))
    pair = compared(made).pairs[0]
    # Warner with p = 3/4 doubles shares and their differences: the intervals of reports map straight.
    assert np.array(pair.interval) / 2 == pytest.approx([0.0524, 0.3339], abs=5e-5)
    three = compared(reported_again(made, (56, 70), (48, 80), (48, 80)))
    assert three.pairs[0].interval[0] < pair.interval[0]


def reported_again(made: Instrument, *counts: tuple[int, int]) -> Instrument:
    survey = draft(made.survey.owner)
    yes_no(survey)
    background(survey, labels=PLACES[: len(counts)])
    again = publish(survey)
    store(again, [{"tax": int(i < yes), "region": v} for v, (yes, n) in enumerate(counts) for i in range(n)])
    return again


def test_sentences_name_sizes_and_intervals_and_nothing_more() -> None:
    found = compared(reported((100, 400), (200, 400), (205, 400)))
    first = found.sentences[0]
    assert re.match(r"“North”: 52\.5 percentage points lower than “South” \(95% interval \d", first)
    said = " ".join(found.sentences)
    assert "Of the other pair these reports show no difference. That does not show that they are alike." in said
    assert "These are comparisons, not causes." in said
    assert "significant" not in said
    assert "hold for all 3 pairs together" in said


def test_one_difference_is_one_comparison() -> None:
    said = " ".join(compared(reported((100, 400), (200, 400))).sentences)
    assert "This is a comparison, not a cause." in said


def test_where_nothing_differs_that_is_said() -> None:
    found = compared(reported((200, 400), (204, 400)))
    said = "These reports do not show that the two groups differ in their share of “Yes”."
    assert found.sentences[0] == f"{said} That does not show that they are alike."
    assert "percentage points" not in " ".join(found.sentences)


def test_labels_with_braces_stay_what_they_are() -> None:
    found = compared(reported((100, 400), (200, 400), (205, 400), (380, 400)))
    assert "“{West}”" in " ".join(found.sentences)


def test_too_few_get_no_statement() -> None:
    with pytest.raises(TooFew, match="100 or more"):
        compared(reported((20, 40), (20, 40)))


def test_groups_whose_reports_are_all_the_same_do_not_differ() -> None:
    assert compared(reported((0, 60), (0, 60))).pairs[0].p_holm == 1


def test_a_matrix_has_pairs_and_no_common_test() -> None:
    fruit = {"key": "fruit", "kind": "choice", "choices": ["A", "B", "C"], "design": "matrix", "parameters": MATRIX}
    made = on_paper(fruit, {"key": "region", "kind": "background", "choices": ["North", "South"]})
    answered(made, 400, region=[0, 1] * 200, fruit=[0] * 200 + [1] * 200)
    found = compared(made, "fruit:2")
    assert (found.test, len(found.pairs)) == (None, 1)
    assert "two by two only" in found.test_in_words


def test_page_api_and_files_say_the_same() -> None:
    made = reported(*COUNTS)
    client, found = owner(made), compared(made, confidence=0.9)
    told = api(client, made, "groups/?by=region&outcome=tax:1&confidence=0.9").json()["comparison"]
    assert told["outcome"] == {"key": "tax", "choice": 1, "label": "Yes"}
    assert told["test"]["p_value"] == found.test.p_value
    assert told["sentence"] == " ".join(found.sentences)
    assert [pair["p_bh"] for pair in told["pairs"]] == [pair.p_bh for pair in found.pairs]
    file = page(client, made, "compare.csv?by=region&outcome=tax:1&confidence=90").content.decode()
    rows = list(csv.DictReader(io.StringIO(file)))
    assert [float(row["p_holm"]) for row in rows] == [pair["p_holm"] for pair in told["pairs"]]
    assert [float(row["low"]) for row in rows] == [pair["interval"][0] for pair in told["pairs"]]
    shown = page(client, made, "analysis/?what=compare&by=region&outcome=tax:1&confidence=90").content.decode()
    for sentence in found.sentences:
        assert html.escape(sentence) in shown
    for form in ("csv", "svg", "png"):
        by_program = api(client, made, f"compare.{form}?by=region&outcome=tax:1&confidence=0.9")
        assert by_program.content == page(client, made, f"compare.{form}?by=region&outcome=tax:1&confidence=90").content
    assert api(client, made, "groups/?by=region").json()["comparison"] is None


@pytest.mark.parametrize("outcome", ["", "tax", "tax:2", "tax:-1", "region:0", "nobody:0", "tax:٣"])
def test_an_unknown_outcome_is_named_at_its_place(outcome: str) -> None:
    made = reported((150, 400), (200, 400))
    answer = api(owner(made), made, f"groups/?by=region&outcome={outcome}")
    assert (answer.status_code, list(answer.json()["errors"])) == (422, ["outcome"])
    shown = page(owner(made), made, f"analysis/?what=compare&by=region&outcome={outcome}")
    assert shown.status_code == 422
    (section,) = [each for each in shown.context["sections"] if each.section.name == "compare"]
    assert list(section.form.errors) == ["outcome"]


def test_too_few_is_a_problem_document_and_a_notice() -> None:
    made = reported((20, 40), (20, 40))
    answer = api(owner(made), made, "groups/?by=region&outcome=tax:1")
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/too-few")
    shown = page(owner(made), made, "analysis/?what=compare&by=region&outcome=tax:1")
    assert (shown.status_code, answer.json()["detail"] in shown.content.decode()) == (422, True)


def test_without_the_right_to_rows_groups_are_compared_from_the_closing_on() -> None:
    made = reported(*COUNTS)
    client = analyst(made)
    early = api(client, made, "groups/?by=region&outcome=tax:1")
    assert (early.status_code, early.json()["type"]) == (422, "/problems/not-of-the-cut")
    close_survey(made.survey)
    told, whole = (api(each, made, "groups/?by=region&outcome=tax:1").json() for each in (client, owner(made)))
    assert told["comparison"] == whole["comparison"]
