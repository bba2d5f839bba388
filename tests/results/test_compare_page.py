"""Groups compared over a whole page: one family of differences decides its sentences, bars and verdicts, and JSON."""

import csv
import html
import io
import re
from math import floor

import numpy as np
import pytest

from mechanisms import Differences, GroupReports
from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument
from surveys.results.analysis.groups.page import page_of
from surveys.results.disclosure.access import ReaderView
from surveys.results.estimates.intervals import IntervalOptions
from surveys.results.report.groups import SideBySide, side_by_side
from surveys.site.shape import as_json
from tests.factories.analysis_surveys import (
    analyst_client,
    get_api,
    get_compare_page,
    owner_client,
    publish_import_survey,
)
from tests.factories.responses import add_responses, release_reports
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_quantity,
    add_yes_no,
    create_draft,
    publish_survey,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]
REGION = ("North", "East", "South")


def mixed(n: int = 900) -> Instrument:
    """Yes/no, four fruits and a number, in three regions; North has far more Yes."""
    survey = create_draft()
    add_yes_no(survey)
    add_choice(survey)
    add_quantity(survey)
    add_background(survey, labels=REGION)
    made = publish_survey(survey)
    region = np.arange(n) % 3
    add_responses(
        made,
        n,
        region=region,
        tax=(region == 0).astype(int),
        fruit=np.arange(n) % 4,
        hours=np.full(n, 25),
    )
    return made


def test_the_family_is_the_whole_page_at_every_door() -> None:
    """Three groups: Yes, four fruits and a mean are 18 differences; one more cannot be decided by itself."""
    made = mixed()
    told = get_api(owner_client(made), made, "compare/?by=region").json()
    assert told["comparisons"] == 3 * (1 + 4 + 1)
    assert [question["key"] for question in told["questions"]] == ["tax", "fruit", "hours"]
    assert [len(question["answers"]) for question in told["questions"]] == [1, 4, 1]
    counts = [
        row.tally["counts"]["tax"]
        for row in side_by_side(ReaderView(made), "region").questions[0][1]
    ]
    hits, n = np.array([each[1] for each in counts]), np.array([sum(each) for each in counts])
    sides = (
        GroupReports(n, hits, 0.5, 0.25),
        GroupReports(n.sum() - n, hits.sum() - hits, 0.5, 0.25),
    )
    expected = Differences(*sides, comparisons=18)
    tax = told["questions"][0]["answers"][0]["differences"]
    assert [each["simultaneous"] for each in tax] == [
        pytest.approx(ends) for ends in expected.simultaneous_intervals.tolist()
    ]
    assert [each["verdict"] for each in tax] == ["higher", "lower", "lower"]
    one = get_api(owner_client(made), made, "compare/?by=region&outcome=tax:1").json()
    assert (one["comparisons"], one["differences"]) == (18, tax)
    groups = get_api(owner_client(made), made, "groups/?by=region&outcome=tax:1").json()[
        "comparison"
    ]
    assert groups["differences"] == tax


def test_two_groups_are_one_difference_an_answer() -> None:
    survey = create_draft()
    add_yes_no(survey)
    add_choice(survey)
    add_background(survey, labels=("A", "B"))
    made = publish_survey(survey)
    add_responses(made, 400, region=[0, 1] * 200)
    assert get_api(owner_client(made), made, "compare/?by=region").json()["comparisons"] == 1 + 4
    page = html.unescape(get_compare_page(owner_client(made), made).content.decode())
    assert "no clear difference between the groups" in page
    text = get_compare_page(owner_client(made), made, "compare.csv").content.decode()
    first, second = list(csv.DictReader(io.StringIO(text)))[:2]
    assert (first["first"], first["second"]) == (second["second"], second["first"])
    assert float(first["difference"]) == -float(second["difference"])
    assert float(first["low"]) == -float(second["high"])


def test_one_question_and_one_difference_are_counted_in_the_singular() -> None:
    survey = create_draft()
    add_yes_no(survey)
    add_background(survey, labels=("A", "B"))
    made = publish_survey(survey)
    add_responses(made, 400, region=[0, 1] * 200)
    methods = page_of(side_by_side(ReaderView(made), "region")).methods
    assert methods.startswith("1 question was compared between groups by “About region?” (n = 400)")
    assert "for the one difference (Bonferroni)" in methods


def test_sentence_bar_and_verdict_are_one_interval() -> None:
    made = mixed()
    page = html.unescape(get_compare_page(owner_client(made), made).content.decode())
    differences = (
        page_of(side_by_side(ReaderView(made), "region")).question("tax").answers[0].differences
    )
    section = page[page.index('aria-labelledby="tax"') : page.index("</section>")]
    title = re.search(r"<h3[^>]*>Tax: (.*?)</h3>", section)[1]
    largest = max(differences, key=lambda each: abs(each.estimate))
    low = floor(100 * largest.interval[0])
    assert largest.interval[1] > 1
    assert title == (
        f"100 points higher in “North” than in the other groups (95% range {low} to 100)."
    )
    printed = re.findall(r"<bdi>([+−\d.]+)</bdi>, <bdi>([+−\d.]+) to ([+−\d.]+)</bdi>", section)
    signed = [tuple(float(each.replace("−", "-")) for each in row) for row in printed]
    # Numbers and bars are cut to what is possible, at most 100 points.
    expected = np.clip([(each.estimate, *each.interval) for each in differences], -1, 1)
    assert np.array(signed) == pytest.approx(100 * expected, abs=1)
    for (_, low, high), (_, least, most) in zip(signed, 100 * expected, strict=True):
        assert low <= least < most <= high
    ticks = [
        (float(x), words)
        for x, words in re.findall(r'<text[^>]* x="([\d.]+)%"[^>]*>([^<]+)</text>', section)
    ]
    zero = next(x for x, words in ticks if words == "same")
    (ten, at) = next(
        (float(words), x) for x, words in ticks[ticks.index((zero, "same")) :] if words.isdigit()
    )
    rows = section.split('<li class="compare__row">')[1:]
    bars = [
        re.findall(r'<svg x="([\d.]+)%" y="50%" width="([\d.]+)%"><use', row)[-1] for row in rows
    ]
    ends = [(float(x), float(x) + float(width)) for x, width in bars]
    drawn = [[(end - zero) / (at - zero) * ten for end in pair] for pair in ends]
    assert np.array(drawn) == pytest.approx(
        100 * np.array([each.possible_interval for each in differences]), abs=0.1
    )
    verdicts = re.findall(r'compare__verdict( compare__verdict--clear)?">(\w+)', section)
    assert verdicts == [
        (" compare__verdict--clear", each.verdict.capitalize()) for each in differences
    ]


@pytest.mark.parametrize("n", [330, 900, 4000])
def test_page_drawing_and_json_print_each_difference_in_one_form(n: int) -> None:
    made = mixed(n)
    client = owner_client(made)
    page = html.unescape(get_compare_page(client, made).content.decode())
    compared = page_of(side_by_side(ReaderView(made), "region"))
    told = get_api(client, made, "compare/?by=region").json()
    rows = csv.DictReader(
        io.StringIO(get_compare_page(client, made, "compare.csv").content.decode())
    )

    for question, result in zip(compared.questions, told["questions"], strict=True):
        drawing = get_compare_page(client, made, f"{question.key}.svg").content.decode()
        assert result["sentence"] == " ".join(question.sentences)
        assert all(sentence in page for sentence in question.sentences)
        for answer, answer_result in zip(question.answers, result["answers"], strict=True):
            statements = [group.statement for group in answer.groups]
            assert [group["printed"] for group in answer_result["groups"]] == [
                as_json(statement.printed) for statement in statements
            ]
            for difference, each in zip(
                answer.differences, answer_result["differences"], strict=True
            ):
                row = next(rows)
                assert each["printed"] == as_json(difference.printed)
                assert each["state"] == difference.state
                assert each["simultaneous"] == list(difference.interval)
                assert float(row["low"]) == pytest.approx(difference.interval[0], rel=1e-12)
                for place in (page, html.unescape(drawing)):
                    assert difference.range in place
                    assert not difference.number or difference.number in place


def test_what_is_clear_comes_first_and_everything_else_is_a_line() -> None:
    made = mixed()
    page = html.unescape(get_compare_page(owner_client(made), made).content.decode())
    assert "1 of 3 questions shows a clear difference between groups" in page
    assert page.index(">Tax:") < page.index(">Fruit") < page.index(">Hours:")
    assert re.search(
        r"Hours: no clear difference between the groups. Differences of up to [\d.]+ hours are",
        page,
    )
    assert (
        "Without any real difference, up to about 5 in 100 surveys would show one somewhere on this page."
        in page
    )


def test_a_share_too_wide_for_a_number_has_none_and_its_range_stays() -> None:
    made = mixed(330)
    page = html.unescape(get_compare_page(owner_client(made), made).content.decode())
    groups = get_api(owner_client(made), made, "compare/?by=region").json()["questions"][0][
        "answers"
    ][0]["groups"]
    assert [each["withheld"] for each in groups] == [True] * 3
    section = page[page.index('aria-labelledby="tax"') : page.index("</section>")]
    numbers = re.findall(r'<span class="compare__number">(.*?)</span></span>', section)
    assert len(numbers) == 3
    assert not [each for each in numbers if "<strong>" in each]
    assert all(re.search(r"\d+ to \d+%", each) for each in numbers)
    rows = list(
        csv.DictReader(
            io.StringIO(get_compare_page(owner_client(made), made, "compare.csv").content.decode())
        )
    )
    assert [row["withheld"] for row in rows if row["variable"] == "tax"] == ["yes"] * 3


def test_groups_are_large_enough_for_one_question_and_not_for_another() -> None:
    """South is asked tax too seldom for a row of its own, and fruit often enough."""
    fruit = {"key": "fruit", "kind": "yes-no", "design": "two-coin"}
    tax = {"key": "tax", "kind": "yes-no", "design": "two-coin"}
    region = {"key": "region", "kind": "background", "choices": [*REGION, "West"], "decline": False}
    made = publish_import_survey(tax, fruit, region)
    places = [0] * 200 + [1] * 200 + [2] * 60 + [3] * 31
    asks = (
        [True] * 400 + [number < 20 for number in range(60)] + [number < 25 for number in range(31)]
    )
    rows = [
        {"tax": 0 if ask else None, "fruit": number % 2, "region": place}
        for number, (place, ask) in enumerate(zip(places, asks, strict=True))
    ]
    release_reports(made, rows)
    names = {
        item.key: [row.name for row in rows]
        for item, rows in side_by_side(ReaderView(made), "region").questions
    }
    assert names["tax"] == ["North", "East", "Other"]  # 20 in South with 25 in West
    assert names["fruit"] == [*REGION, "West"]


@pytest.mark.parametrize("surveys", [60, pytest.param(400, marks=pytest.mark.long)])
def test_a_page_without_real_differences_shows_one_in_at_most_5_of_100_surveys(
    surveys: int,
) -> None:
    """Ten questions of which a tenth is true, five groups of 30 to 400; at most 32 of 400 by chance."""
    keys = [f"tax{number}" for number in range(10)]
    region = {"key": "region", "kind": "background", "choices": list("ABCDE"), "decline": False}
    made = publish_import_survey(
        *({"key": key, "kind": "yes-no", "design": "two-coin"} for key in keys), region
    )
    frozen, sizes, rng = parse_instrument(made), (30, 60, 120, 200, 400), np.random.default_rng(7)
    false = 0
    for _ in range(surveys):
        hits = {key: rng.binomial(sizes, 0.25 + 0.5 * 0.1).tolist() for key in keys}
        parts = tuple(
            {
                "n": n,
                "counts": {key: [n - hits[key][v], hits[key][v]] for key in keys}
                | {"region": _one(v, n)},
            }
            for v, n in enumerate(sizes)
        )
        whole = {"n": sum(sizes)}
        sides = SideBySide(frozen.items[-1], frozen, IntervalOptions(), parts, whole, frozenset())
        page = page_of(sides)
        assert page.comparisons == 10 * 5
        false += bool(page.clear)
    assert false <= (32 if surveys == 400 else 8)


def _one(place: int, n: int) -> list[int]:
    return [n if v == place else 0 for v in range(5)]


def test_a_reader_without_row_access_sees_groups_after_closing_only() -> None:
    made = mixed()
    page = get_compare_page(analyst_client(made), made).content.decode()
    assert "n = " not in page
