"""Groups compared: the library's tests, Holm, words that keep to the intervals; the same at every door."""

import csv
import html
import io
import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from mechanisms import (
    Differences,
    GroupReports,
    Tally,
    Warner,
    benjamini_hochberg,
    equal_groups_test,
    holm,
)
from surveys.definition.instrument import QuestionDefinition
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Instrument
from surveys.results.analysis.groups.groups import ComparedAnswer, compare_by_address
from surveys.results.analysis.groups.shape import Pair
from surveys.results.analysis.groups.values import GroupEstimate, pooled_groups
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.analysis.refusals import TooFew
from surveys.results.disclosure.access import ReaderView
from surveys.results.estimates.intervals import IntervalOptions
from surveys.statements.comparisons import OTHERS, SidePair, compare, share_difference
from surveys.statements.family import Family
from tests.factories.analysis_surveys import (
    MATRIX,
    analyst_client,
    get_api,
    get_compare_page,
    owner_client,
    publish_import_survey,
)
from tests.factories.responses import add_responses, release_reports
from tests.factories.surveys import add_background, add_yes_no, create_draft, publish_survey

pytestmark = [pytest.mark.django_db, pytest.mark.once]
PLACES = ("North", "East", "South", "{West}")


def reported(*counts: tuple[int, int], labels: tuple[str, ...] = PLACES) -> Instrument:
    """Exactly so many reports of Yes of so many, one pair for each region."""
    survey = create_draft()
    add_yes_no(survey)
    add_background(survey, labels=labels[: len(counts)], cut=True)
    made = publish_survey(survey)
    rows = [
        {"tax": int(number < yes), "region": place}
        for place, (yes, n) in enumerate(counts)
        for number in range(n)
    ]
    release_reports(made, rows)
    return made


def compared(made: Instrument, outcome: str = "tax:1", confidence: float = 0.95) -> ComparedAnswer:
    return compare_by_address(
        ReaderView(made), "region", outcome, asked=IntervalOptions(confidence)
    )


COUNTS = ((150, 400), (200, 400), (260, 500), (120, 300))


def test_differences_are_the_librarys() -> None:
    """Each group against the pooled reports of all others, a family of four; pairs are one of six."""
    found = compared(reported(*COUNTS))
    groups = [(Warner("3/4"), Tally(n, [n - yes, yes])) for yes, n in COUNTS]
    assert found.test == equal_groups_test(groups)
    others = [
        (sum(yes for yes, _ in COUNTS) - yes, sum(n for _, n in COUNTS) - n) for yes, n in COUNTS
    ]
    expected = rule(COUNTS, others)
    assert [each.estimate for each in found.differences] == pytest.approx(list(expected.values))
    assert [each.interval for each in found.differences] == list(
        map(pytest.approx, expected.simultaneous_intervals)
    )
    assert [each.interval_alone for each in found.differences] == list(
        map(pytest.approx, expected.separate_intervals)
    )
    assert [each.p_together for each in found.differences] == pytest.approx(
        list(expected.p_together)
    )
    assert [(each.group, each.versus) for each in found.differences][:2] == [
        ("North", OTHERS),
        ("East", OTHERS),
    ]
    couples = list(combinations(COUNTS, 2))
    pairs = rule([one for one, _ in couples], [other for _, other in couples])
    assert [pair.interval for pair in found.pairs] == list(
        map(pytest.approx, pairs.simultaneous_intervals)
    )
    results = Pair.list_from(found.pairs)
    assert [pair.p_holm for pair in results] == pytest.approx(list(holm(pairs.p_values)))


def rule(ones: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]) -> Differences:
    sides = (
        GroupReports([n for _, n in counts], [yes for yes, _ in counts], 0.5, 0.25)
        for counts in (ones, others)
    )
    return Differences(*sides, comparisons=len(ones))


def test_two_groups_are_one_comparison() -> None:
    """numbers of Warner's 3/4, 150 of 400 against 200 of 400."""
    (only,) = compared(reported((150, 400), (200, 400))).differences
    expected = rule([(150, 400)], [(200, 400)])
    assert (only.group, only.versus, only.verdict) == ("North", "East", "lower")
    assert (
        only.interval
        == only.interval_alone
        == pytest.approx(tuple(expected.simultaneous_intervals[0]))
    )


def test_sentences_name_sizes_and_ranges_and_nothing_more() -> None:
    found = compared(reported((100, 400), (200, 400), (205, 400)))
    first = found.sentences[0]
    assert first == "Tax: 51 points lower in “North” than in the other groups (95% range 37 to 65)."
    assert found.sentences[-1] == (
        "Without any real difference, up to about 5 in 100 surveys would show one somewhere on this page."
    )
    assert "significant" not in " ".join(found.sentences)


def test_one_difference_is_one_comparison() -> None:
    said = " ".join(compared(reported((100, 400), (200, 400))).sentences)
    assert "Tax: 50 points lower in “North” than in “East” (95% range 36 to 63)." in said
    assert "This is an association. It doesn’t show cause and effect." in said


def test_where_nothing_differs_it_is_said_how_large_a_difference_could_be() -> None:
    found = compared(reported((200, 400), (204, 400)))
    assert found.sentences[0] == (
        "Tax: no clear difference between the groups. Differences of up to 16 points are still possible."
    )
    assert max(map(abs, found.differences[0].interval)) == pytest.approx(0.1581494617)


def test_nothing_is_said_whose_range_holds_no_difference() -> None:
    """No Yes of 30, in the other group 20 of 300 by Warner's 19/20: "7.4 points lower" was said of it."""
    survey = create_draft()
    add_yes_no(survey, design="warner", parameters={"p": "19/20"})
    add_background(survey, labels=("A", "B"))
    made = publish_survey(survey)
    release_reports(
        made,
        [{"tax": 0, "region": 0}] * 30 + [{"tax": int(i < 20), "region": 1} for i in range(300)],
    )
    (only,) = compared(made).differences
    assert only.verdict == "no_clear_difference"
    assert only.interval == pytest.approx((-0.1745991482, 0.0490870147), abs=1e-9)


def test_what_too_few_answers_suggest_is_not_said() -> None:
    """The range excludes 0 and the exact test does not agree: no direction in words."""
    survey = create_draft()
    add_yes_no(survey, design="warner", parameters={"p": "19/20"})
    add_background(survey, labels=("A", "B"))
    made = publish_survey(survey)
    rows = [{"tax": int(i < 4), "region": 0} for i in range(30)]
    release_reports(made, rows + [{"tax": int(i < 3), "region": 1} for i in range(100)])
    groups = compared(made)
    assert groups.differences[0].interval[0] > 0
    assert groups.differences[0].verdict == "too_few_answers"
    assert groups.sentences[0] == "Too few answers for a statement about “A”."
    assert "higher" not in " ".join(groups.sentences)


@pytest.mark.parametrize(("north", "sizes"), [(10, [229, 300]), (20, [49, 200, 300])])
def test_groups_of_whom_too_few_were_asked_are_nowhere_or_together(
    north: int, sizes: list[int]
) -> None:
    """Of 400 in North, as of 400 in East, few were on the question's path: 29 people together are too few for a row,
    so the smallest group joins them; 49 have a row.
    """
    survey = create_draft()
    add_background(survey, "sex", ("Men", "Women"))
    add_background(survey, labels=PLACES)
    add_yes_no(survey, when={"of": "sex", "in": ["Women"]})
    made = publish_survey(survey)
    people = ((north, 400), (29 if north == 20 else 19, 400), (200, 200), (300, 300))
    rows = [
        {"sex": int(i < on), "region": place, "tax": i % 2 if i < on else None}
        for place, (on, of) in enumerate(people)
        for i in range(of)
    ]
    release_reports(made, rows)
    client = owner_client(made)
    told = get_api(client, made, "groups/?by=region&outcome=tax:1").json()["comparison"]
    assert sorted(each["n"] for each in told["differences"]) == (sizes if len(sizes) > 2 else [300])
    shown = html.unescape(get_compare_page(client, made).content.decode())
    assert sorted(map(int, re.findall(r"n = (\d+)", shown))) == sizes
    rows = csv.DictReader(
        io.StringIO(get_compare_page(client, made, "compare.csv").content.decode())
    )
    assert sorted(int(row["n"]) for row in rows) == sizes
    whole = get_api(client, made, "compare/?by=region").json()["questions"][0]["answers"][0][
        "groups"
    ]
    assert sorted(each["n"] for each in whole) == sizes


def test_labels_with_braces_stay_what_they_are() -> None:
    found = compared(reported((100, 400), (200, 400), (205, 400), (380, 400)))
    assert "“{West}”" in " ".join(found.sentences)


def test_too_few_get_no_statement() -> None:
    with pytest.raises(TooFew, match="100 or more"):
        compared(reported((20, 40), (20, 40)))


def test_groups_whose_reports_are_all_the_same_do_not_differ() -> None:
    assert compared(reported((0, 60), (0, 60))).pairs[0].p == 1


def test_a_matrix_has_pairs_and_no_common_test() -> None:
    fruit = {
        "key": "fruit",
        "kind": "choice",
        "choices": ["A", "B", "C"],
        "design": "matrix",
        "parameters": MATRIX,
    }
    made = publish_import_survey(
        fruit, {"key": "region", "kind": "background", "choices": ["North", "South"]}
    )
    add_responses(made, 400, region=[0, 1] * 200, fruit=[0] * 200 + [1] * 200)
    found = compared(made, "fruit:2")
    assert (found.test, len(found.pairs)) == (None, 1)
    assert "likelihood" not in found.methods


def test_api_and_files_say_the_same_of_one_answer() -> None:
    made = reported(*COUNTS)
    client, found = owner_client(made), compared(made, confidence=0.9)
    told = get_api(client, made, "groups/?by=region&outcome=tax:1&confidence=0.9").json()[
        "comparison"
    ]
    assert told["outcome"] == {"key": "tax", "choice": 1, "label": "Yes"}
    assert told["test"]["p_value"] == found.test.p_value
    assert told["sentence"] == " ".join(found.sentences)
    p_values = [pair.p for pair in found.pairs]
    assert [pair["p_bh"] for pair in told["pairs"]] == list(benjamini_hochberg(p_values))
    assert told["pairs"][0]["printed"]["unit"] == "points"
    assert [pair["family"] for pair in told["pairs"]] == [{"size": 6, "confidence": 0.9}] * 6
    assert [each["verdict"] for each in told["differences"]] == [
        each.verdict for each in found.differences
    ]
    file = get_api(
        client, made, "compare.csv?by=region&outcome=tax:1&confidence=0.9"
    ).content.decode()
    rows = list(csv.DictReader(io.StringIO(file)))
    assert [float(row["p_holm"]) for row in rows] == [
        each["p_holm"] for each in told["differences"]
    ]
    assert [float(row["low"]) for row in rows] == [
        each["simultaneous"][0] for each in told["differences"]
    ]
    assert get_api(client, made, "compare.svg?by=region&outcome=tax:1").content.startswith(b"<svg")
    assert get_api(client, made, "compare.svg?by=region").status_code == 422
    assert get_api(client, made, "groups/?by=region").json()["comparison"] is None


@pytest.mark.parametrize("outcome", ["", "tax", "tax:2", "tax:-1", "region:0", "nobody:0", "tax:٣"])
def test_an_unknown_outcome_is_named_at_its_place(outcome: str) -> None:
    made = reported((150, 400), (200, 400))
    answer = get_api(owner_client(made), made, f"groups/?by=region&outcome={outcome}")
    assert (answer.status_code, list(answer.json()["errors"])) == (422, ["outcome"])


def test_too_few_is_a_problem_document() -> None:
    made = reported((20, 40), (20, 40))
    answer = get_api(owner_client(made), made, "groups/?by=region&outcome=tax:1")
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/too-few")


def test_without_the_right_to_rows_groups_are_compared_from_the_closing_on() -> None:
    made = reported(*COUNTS)
    client = analyst_client(made)
    early = get_api(client, made, "groups/?by=region&outcome=tax:1")
    assert (early.status_code, early.json()["type"]) == (422, "/problems/not-of-the-cut")
    close_survey(made.survey)
    told, whole = (
        get_api(each, made, "groups/?by=region&outcome=tax:1").json()
        for each in (client, owner_client(made))
    )
    assert {**told["comparison"], "note": ""} == whole["comparison"]


LEVELS = [("balanced", 3 / 4, 0.1), ("rare", 19 / 20, 0.02)]


@pytest.mark.parametrize(("name", "p", "share"), LEVELS)
@pytest.mark.parametrize("surveys", [40, pytest.param(400, marks=pytest.mark.long)])
def test_a_page_of_four_groups_alike_says_a_difference_in_at_most_5_of_100_surveys(
    name: str, p: float, share: float, surveys: int
) -> None:
    """Groups of 30, 60, 120 and 400, by the product's own rule; at most 32 of 400 by chance where 20 are promised."""
    rng, sizes = np.random.default_rng(31), (30, 60, 120, 400)
    mechanism = Warner(Fraction(p).limit_denominator(20))
    part, false = (
        SurveyVariable(
            QuestionDefinition("tax", "yes-no", "Tax?", "", ("No", "Yes"), mechanism), 1
        ),
        0,
    )
    for _ in range(surveys):
        hits = rng.binomial(sizes, (2 * p - 1) * share + 1 - p)
        groups = [
            GroupEstimate(str(n), part, mechanism.estimate(Tally(n, [n - yes, yes])))
            for n, yes in zip(sizes, hits.tolist(), strict=True)
        ]
        pairs = []
        for group in groups:
            others = pooled_groups([other for other in groups if other is not group], OTHERS)
            pairs.append(SidePair(share_difference("Tax"), group.side, others.side))
        compared_groups = compare(pairs, Family(size=len(pairs)))
        false += any(comparison.is_clear for comparison in compared_groups)
    assert false <= (32 if surveys == 400 else 7), name
