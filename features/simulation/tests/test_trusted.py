"""What a trusted server would have shown: one object for page and API, on the page for all and in rehearsals."""

import json
import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from django.http import HttpResponse
from django.test import Client

from features.simulation import shape, simulation
from features.simulation.trusted_server import Beside, Shown, Way, compare_with_server
from mechanisms import DirectEncoding, Mangat, UnaryEncoding, Warner, central
from surveys.accounts.tokens import issue_token
from surveys.results.figures.dot_plot import Row
from surveys.site.shape import as_json
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_yes_no,
    create_draft,
    create_researcher,
)
from tests.helpers.html_forms import Form, errors
from tests.results.test_withheld_marks import has_dot

SHARES = [0.4, 0.25, 0.2, 0.1, 0.05]


def text(page: HttpResponse) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.content.decode())).split())


def test_the_true_counts_are_the_shares_and_only_the_noise_is_chance() -> None:
    for n in (1, 7, 1000, 99_999):
        for each in simulation.lesson(SHARES, n, seed=n):
            true = [answer.true for answer in each.server.answers]
            assert sum(true) == each.n == n
            assert np.abs(np.array(true) - n * np.array(SHARES)).max() <= 1
            assert true == [answer.true for answer in each.devices.answers]
    assert simulation.lesson(SHARES, 1000, seed=1) == simulation.lesson(SHARES, 1000, seed=1)
    assert simulation.lesson(SHARES, 1000, seed=1) != simulation.lesson(SHARES, 1000, seed=2)


def test_both_ways_spend_the_same_epsilon_and_are_near_the_truth_as_their_law_says() -> None:
    """150 draws: the mean distance of the server's counts is that of discrete Laplace noise, and ranges hold."""
    drawn = [simulation.lesson(SHARES, 1000, seed) for seed in range(150)]
    for place, epsilon in enumerate(simulation.LESSON_EPSILONS):
        found = [each[place] for each in drawn]
        off = np.array(
            [[answer.shown - answer.true for answer in each.server.answers] for each in found]
        )
        assert np.abs(off).mean() == pytest.approx(central.noise_error(epsilon, 2), rel=0.15)
        assert found[0].noise == central.noise_error(epsilon, 2)
        for way in (
            "server",
            "devices",
        ):  # more than 95% where the counts are few, and where sampling is the most
            answers = [answer for each in found for answer in getattr(each, way).answers]
            assert (
                np.mean([answer.low <= answer.true <= answer.high for answer in answers]) >= 0.925
            )


def test_four_times_as_many_people_halve_the_one_error_and_quarter_the_other() -> None:
    """As the page says."""

    def errors_at(n: int) -> list[float]:
        found = [simulation.lesson(SHARES, n, seed, [1.0])[0] for seed in range(150)]
        return [
            float(np.mean([getattr(each, way).error for each in found]))
            for way in ("server", "devices")
        ]

    few, many = errors_at(2000), errors_at(8000)
    assert few[0] / many[0] == pytest.approx(4, rel=0.15)
    assert few[1] / many[1] == pytest.approx(2, rel=0.15)


@pytest.mark.parametrize(
    ("true", "shown", "words", "error"),
    [
        (400, 400, "exact", 0),
        (400, 408.2, "2.0% too many", 0.0205),
        (400, 300, "25% too few", 0.25),
        (10, -20, "300% too few", 3),
        (1, 30, "2,900% too many", 29),
        (40_000, 40_012, "less than 0.1% too many", 0.0003),
        (0, 12, "12 too many", None),
        (0, -1200, "1,200 too few", None),
        (0, 0, "exact", None),
    ],
)
def test_the_error_of_a_count_in_words(
    true: int, shown: float, words: str, error: float | None
) -> None:
    found = Shown("a", true, shown, shown, shown)
    assert found.wrong_by == words
    assert found.error == (None if error is None else pytest.approx(error))


def test_nobody_has_no_percent_error() -> None:
    way = Way("a", (Shown("a", 0, 3, 0, 6), Shown("b", 10, 5, 0, 6), Shown("c", 10, 10, 0, 20)))
    assert way.error == 0.25
    assert way.off == "off by 25% on average"
    alone = Way("a", (Shown("a", 0, 3, 0, 6),))
    assert (alone.error, alone.off) == (None, "not measured, because no one gave these answers")


def test_a_person_changes_one_count_of_yes_no_two_of_a_choice_and_all_of_any() -> None:
    rng = np.random.default_rng(1)
    cases = [
        (Warner("3/4"), [60, 40], 1),
        (DirectEncoding(4, 1), [40, 30, 20, 10], 2),
        (UnaryEncoding.symmetric(4, 2, "any"), [90, 80, 0, 10], 4),
    ]
    for mechanism, truths, changed in cases:
        asked = np.repeat(np.arange(len(truths)), truths)
        if changed == 4:
            asked = (rng.random((100, 4)) < 0.5).astype(np.uint8)
        estimate = mechanism.estimate(mechanism.tally(mechanism.randomize(asked, rng)))
        found = compare_with_server("abcd", truths, estimate, rng)
        assert (found.changed, found.epsilon, found.n) == (changed, mechanism.epsilon, 100)
        shown = [answer.shown for answer in found.server.answers]
        assert all(isinstance(number, int) for number in shown)
        assert changed != 1 or sum(shown) == 100
        reach = central.noise_reach(mechanism.epsilon, changed)
        assert [
            (each.shown - each.low, each.high - each.shown) for each in found.server.answers
        ] == [(reach, reach)] * len(truths)


@pytest.mark.parametrize(
    ("epsilon", "said", "noise"),
    [
        (0.01, "0.01", "200"),
        (0.1, "0.1", "20"),
        (0.25, "0.25", "8.0"),
        (1.0986, "1.1", "1.7"),
        (5, "5", "0.2"),
    ],
)
def test_epsilon_and_the_noise_are_said_and_never_rounded_down(
    epsilon: float, said: str, noise: str
) -> None:
    (found,) = simulation.lesson(SHARES, 1000, 1, [epsilon])
    assert found.sentence.startswith(f"At epsilon {said} the trusted server’s counts are off by ")
    assert f"changes a count by {noise} people on average" in found.sentence


def test_the_figure_shows_truth_and_range_of_both_on_one_scale() -> None:
    for found in simulation.lesson(SHARES, 1000, seed=4):
        rows = [row for row in found.figure.rows if row.mark]
        assert len(rows) == 10
        assert [row.is_heading for row in found.figure.rows].count(True) == 2
        for row, answer in zip(rows, found.server.answers + found.devices.answers, strict=True):
            assert (row.mark.share, row.mark.truth) == (answer.shown / 1000, answer.true / 1000)
            assert found.figure.axis.low <= row.mark.low <= row.mark.high <= found.figure.axis.high
            assert found.figure.marks(row).count("plot__count") == 1
        assert not found.figure.axis.is_zoomed  # a bar begins at 0


def show(**typed: str) -> HttpResponse:
    return Client().get(
        "/trusted-server/", {name.replace("__", "-"): value for name, value in typed.items()}
    )


def test_everybody_can_read_the_page_and_an_address_shows_the_same_again(db: None) -> None:
    page = show()
    assert (page.status_code, show().content == page.content) == (200, True)
    assert [each.epsilon for each in page.context["comparisons"]] == [0.1, 1.0, 5.0]
    shown = text(page)
    for each in page.context["comparisons"]:
        assert each.sentence in shown
    assert "1,000 invented people" in shown
    assert "Simulated" in shown
    assert "<script" not in page.content.decode().split("<main")[1]


def test_people_shares_and_chance_are_chosen_in_the_address(db: None) -> None:
    page = show(
        n="20000", drove__0="80", drove__1="20", drove__2="0", drove__3="0", drove__4="0", seed="9"
    )
    true = [answer.true for answer in page.context["comparisons"][0].server.answers]
    assert true == [16_000, 4_000, 0, 0, 0]
    again = re.search(r'href="\?([^"]+)"', page.content.decode())
    assert again is not None
    query = {name: values[0] for name, values in parse_qs(unescape(again[1])).items()}
    assert query["seed"] == "10"
    assert {name: query[name] for name in ("n", "drove-0", "drove-4")} == {
        "n": "20000",
        "drove-0": "80",
        "drove-4": "0",
    }
    fresh = Client().get(f"/trusted-server/?{unescape(again[1])}")
    assert fresh.context["comparisons"] != page.context["comparisons"]
    assert [a.true for a in fresh.context["comparisons"][0].server.answers] == true


@pytest.mark.parametrize(
    ("typed", "field", "message"),
    [
        ({"n": "0"}, "n", "whole number from 1 to 100,000"),
        ({"n": "x"}, "n", "whole number from 1 to 100,000"),
        ({"drove__0": "90"}, "drove-0", "must sum to 100, not to 150"),
        ({"drove__2": "x"}, "drove-2", "a number from 0 to 100"),
        ({"seed": "-1"}, "seed", "a seed of at most 9 digits"),
        ({"seed": "9999999999"}, "seed", "a seed of at most 9 digits"),
    ],
)
def test_what_cannot_be_invented_is_said_at_its_field(
    db: None, typed: dict, field: str, message: str
) -> None:
    page = show(**typed)
    assert page.status_code == 422
    found = errors(page)
    assert list(found) == [field]
    assert message in found[field]
    assert Form(page).values[field] == next(iter(typed.values()))
    assert "invented people</h2>" not in page.content.decode()


@pytest.fixture
def program(db: None) -> Client:
    return Client(
        headers={"authorization": f"Token {issue_token(create_researcher(), 'x', ['reports'])}"}
    )


def post(program: Client, path: str, data: dict) -> tuple[int, dict]:
    answer = program.post(f"/api/v1/{path}", json.dumps(data), content_type="application/json")
    return answer.status_code, answer.json()


def test_the_api_gives_what_the_page_shows(program: Client) -> None:
    page = show(n="3000", seed="5")
    status, found = post(program, "trusted-server/", {"n": 3000, "seed": 5})
    assert (status, found["simulated"]) == (200, True)
    assert found["comparisons"] == json.loads(
        json.dumps([as_json(shape.Beside.tell(each)) for each in page.context["comparisons"]])
    )
    sentences = [each.sentence for each in page.context["comparisons"]]
    assert [each["sentence"] for each in found["comparisons"]] == sentences
    status, one = post(program, "trusted-server/", {"shares": [1, 0, 0, 0, 0], "epsilons": [2]})
    assert [each["epsilon"] for each in one["comparisons"]] == [2]
    assert one["comparisons"][0]["server"]["counts"][4] | {
        "shown": 0,
        "range": 0,
        "wrong_by": 0,
    } == {
        **{
            "label": "12 times or more",
            "true": 0,
            "shown": 0,
            "range": 0,
            "error": None,
            "wrong_by": 0,
        }
    }


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ({"shares": [0.5, 0.5]}, "shares"),
        ({"shares": [0.5, 0.5, 0.5, 0, 0]}, "shares"),
        ({"epsilons": []}, "epsilons"),
        ({"epsilons": [0]}, "epsilons.0"),
        ({"epsilons": [21]}, "epsilons.0"),
        ({"n": 0}, "n"),
        ({"seed": -1}, "seed"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_the_api_says_what_is_wrong(program: Client, data: dict, place: str) -> None:
    status, problem = post(program, "trusted-server/", data)
    assert (status, list(problem["errors"])) == (422, [place])


@pytest.mark.django_db
def test_a_rehearsal_shows_it_for_each_scrambled_question() -> None:
    survey = create_draft(create_researcher())
    add_yes_no(survey)
    add_choice(survey)
    add_choice(survey, "any", kind="any", design="unary-any", parameters={"epsilon": "2"})
    add_background(survey)
    client = Client()
    client.force_login(survey.owner)
    page = client.get(f"/surveys/{survey.slug}/simulation/")
    shown = text(page)
    trusted = {question.item.key: question.trusted for question in page.context["questions"]}
    assert trusted["region"] is None
    assert shown.count("What a trusted server would have shown") == 1  # the fold that holds all
    for key in ("tax", "fruit", "any"):
        found: Beside = trusted[key]
        assert found.sentence in shown
        (item,) = (each for each in page.context["report"].questions if each.key == key)
        assert found.epsilon == item.epsilon
        by_label = {each.label: each.estimate for each in item.choices}
        assert all(
            each.shown == pytest.approx(1000 * by_label[each.label])
            for each in found.devices.answers
        )
    assert [each.label for each in trusted["tax"].server.answers] == ["Yes"]
    assert sum(each.true for each in trusted["fruit"].server.answers) == 1000
    assert (trusted["tax"].changed, trusted["fruit"].changed, trusted["any"].changed) == (1, 2, 4)
    assert urlsplit(page.request["PATH_INFO"]).path.endswith("simulation/")


@pytest.mark.django_db
@pytest.mark.parametrize("n", [1, 3, 1000])
def test_a_mark_that_chance_never_picked_has_no_estimate_and_no_place_in_the_comparison(
    n: int,
) -> None:
    survey = create_draft(create_researcher())
    add_choice(survey, "any", kind="any", design="marks", parameters={"epsilon": "1"})
    client = Client()
    client.force_login(survey.owner)
    page = client.get(f"/surveys/{survey.slug}/simulation/", {"n": n})
    assert page.status_code == 200
    (question,) = page.context["questions"]
    found = question.trusted
    known = [each.label for each in question.report.choices if each.estimate is not None]
    assert [each.label for each in found.devices.answers] == known
    assert (len(found.server.answers), found.changed) == (4, 4)
    assert n != 1 or len(known) == 1
    assert "nan" not in text(page)


@pytest.mark.django_db
def test_where_a_report_can_prove_a_truth_there_is_nothing_to_compare() -> None:
    survey = create_draft(create_researcher(), import_only=True)
    add_yes_no(survey, design="mangat", parameters={"p": "2/3"})
    client = Client()
    client.force_login(survey.owner)
    page = client.get(f"/surveys/{survey.slug}/simulation/")
    assert page.status_code == 200
    assert "trusted server would have shown" not in text(page)
    mechanism = Mangat("2/3")
    with pytest.raises(ValueError, match="epsilon"):
        compare_with_server(
            "ab", [5, 5], mechanism.estimate(mechanism.tally([0, 1])), np.random.default_rng(1)
        )


def test_the_page_of_a_trusted_server_withholds_what_a_report_withholds() -> None:
    (beside,) = simulation.lesson([0.4, 0.25, 0.2, 0.1, 0.05], 200, seed=1, epsilons=[0.1])
    figure = beside.figure
    rows: list[Row] = [row for row in figure.rows if row.mark]
    wide = [row for row in rows if row.mark.is_withheld]

    for row in wide:
        assert row.value == ""
        assert row.note == "too uncertain for one number"
        assert not has_dot(figure.marks(row))
    assert len(wide) >= 5
    assert all(has_dot(figure.marks(row)) for row in rows if row not in wide)
