"""Means of sensitive numbers and scales explained, compared and weighted: against other programs and closed forms."""

import csv
import html
import io
import re
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chi2
from statsmodels.regression.linear_model import OLS

from features.regression.model.model import model
from features.regression.model.wording import sentences
from features.weighting import known_margins
from features.weighting.weighting import weight_results
from mechanisms import holm, mean_error
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses import released
from surveys.fieldwork.responses.closing import close_survey
from surveys.models import Instrument, Question
from surveys.results.analysis.groups.groups import compare_by_address
from surveys.results.analysis.groups.shape import Pair
from surveys.results.analysis.refusals import TooFew
from surveys.results.disclosure.access import ReaderView, view_for_reader
from surveys.results.disclosure.subgroups import Group
from surveys.results.estimates.report import report
from tests.factories.analysis_surveys import (
    analyst_client,
    get_analysis_page,
    get_api,
    get_compare_page,
    get_report_page,
    owner_client,
)
from tests.factories.responses import add_responses
from tests.factories.surveys import (
    add_background,
    add_quantity,
    add_scale,
    add_yes_no,
    create_draft,
    publish_survey,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]
LONG = {"parameters": {"epsilon": "1.6"}}


def asked(n: int = 3000, **more: object) -> Instrument:
    """Hours, about 12 fewer of women, who are fewer; half of the people are in the third region."""
    survey = create_draft()
    add_quantity(survey, **(LONG | more))
    add_scale(survey, **LONG)
    add_yes_no(survey)
    add_background(survey, "sex", ("Men", "Women"), cut=True)
    add_background(survey, "region", ("North", "East", "South"), cut=True)
    made = publish_survey(survey)
    rng = np.random.default_rng(7)
    sex, region = rng.binomial(1, 0.4, n), rng.choice(3, size=n, p=[0.3, 0.2, 0.5])
    hours = np.clip(rng.normal(30 - 12 * sex + 2 * region, 6, n).round(), 0, 50).astype(int)
    if more.get("decline"):
        hours = np.where(rng.random(n) < 0.1 + 0.2 * sex, 51, hours)
    add_responses(
        made,
        n,
        hours=hours,
        agrees=np.clip(2 + rng.integers(-2, 3, n) - sex, 0, 4),
        sex=sex,
        region=region,
    )
    return Instrument.objects.get(pk=made.pk)


def stored(made: Instrument) -> dict[str, np.ndarray]:
    rows = np.concatenate(list(released.iter_batches(made)))
    return {item.key: rows[item.key].astype(int) for item in parse_instrument(made).items}


def item_of(made: Instrument, key: str):
    return next(item for item in parse_instrument(made).items if item.key == key)


def decoded(made: Instrument, key: str) -> np.ndarray:
    """Each report as a number whose mean given the truth is the truth, by solving for it."""
    item = item_of(made, key)
    chances = np.array(item.mechanism.probabilities(), dtype=float)
    scores = item.mechanism.unbiased_weights(np.array(item.answer_values, float))
    assert chances @ scores == pytest.approx(np.array(item.answer_values))
    return scores[stored(made)[key]]


def design(made: Instrument) -> np.ndarray:
    """Against men and the South, who are most."""
    columns = stored(made)
    region = columns["region"]
    return np.column_stack([np.ones(len(region)), columns["sex"], region == 0, region == 1])


@pytest.mark.parametrize(("n", "is_shown"), [(120, False), (3000, True)])
def test_a_group_of_a_model_has_a_mean_only_if_its_range_supports_one(
    n: int, is_shown: bool
) -> None:
    for row in model(ReaderView(asked(n)), "hours", ["sex"]).comparisons:
        low, high = row.corrected_interval
        assert (high - low <= 0.2 * 50) is is_shown
        assert bool(row.estimate) is is_shown


def test_a_mean_is_explained_as_statsmodels_does_at_every_door() -> None:
    made = asked()
    peer = OLS(decoded(made, "hours"), design(made)).fit(cov_type="HC1")
    larger = np.maximum(peer.bse, OLS(decoded(made, "hours"), design(made)).fit().bse)
    client, wanted = owner_client(made), "outcome=hours&explain=sex,region"
    found = get_api(client, made, f"model/?{wanted}").json()
    assert (found["of"], found["unit"], found["model"], found["standard_errors"]) == (
        "means",
        "hours",
        "mean",
        "HC1",
    )
    terms = {term["key"]: term for term in found["terms"]}
    assert terms["sex:1"]["difference"] == pytest.approx(peer.params[1], rel=1e-8)
    assert terms["sex:1"]["difference_error"] == pytest.approx(larger[1], rel=1e-8)
    assert terms["region:0"]["difference"] == pytest.approx(peer.params[2], rel=1e-8)
    assert terms["region:1"]["coefficient"] == pytest.approx(peer.params[3], rel=1e-8)
    assert terms["region:1"]["standard_error"] == pytest.approx(peer.bse[3], rel=1e-8)
    tests = {test["key"]: test["statistic"] for test in found["tests"]}
    both = peer.wald_test(np.eye(4)[2:], scalar=True)
    assert tests["region"] == pytest.approx(float(both.statistic), rel=1e-8)
    rows = list(
        csv.DictReader(
            io.StringIO(
                get_report_page(client, made, f"model.csv?{split(wanted)}").content.decode()
            )
        )
    )
    assert {row["answer"] for row in rows} == {"mean"}
    assert [row["difference"] for row in rows] == [
        str(term["difference"] or "") for term in found["terms"]
    ]
    shown = html.unescape(
        get_analysis_page(client, made, f"linked/?{split(wanted)}").content.decode()
    )
    assert found["sentence"].split(". ")[0] in shown
    assert "Hours: " in shown
    assert "Differences are in hours" in shown
    drawn = html.unescape(
        get_report_page(client, made, f"model.svg?{split(wanted)}").content.decode()
    )
    assert "Differences in hours" in drawn
    assert get_report_page(client, made, f"model.png?{split(wanted)}").content.startswith(
        b"\x89PNG"
    )


def split(wanted: str) -> str:
    return wanted.replace(",", "&explain=")


def test_sentences_are_in_the_unit_of_the_question() -> None:
    made = asked()
    said = sentences(model(ReaderView(made), "hours", ["sex", "region"]))
    assert re.match(
        r"Hours: 1\d\.\d hours fewer in “Women” than in “Men”, adjusted for Region \(95% range \d+\.\d to \d+\.\d\)\.",
        said[0],
    )
    assert "percentage points" not in " ".join(said)
    assert (
        " points of the scale lower in “Women” than in “Men” "
        in sentences(model(ReaderView(made), "agrees", ["sex"]))[0]
    )


def test_those_who_preferred_not_to_say_are_treated_as_the_report_does() -> None:
    made = asked(4000, decline=True)
    found = model(ReaderView(made), "hours", ["sex"])
    means = [
        report(made, group=Group((("sex", (code,)),)), seen=ReaderView(made))
        .questions[0]
        .average.mean
        for code in (0, 1)
    ]
    row = found.comparisons[1]
    assert row.difference == pytest.approx(means[1].value - means[0].value, rel=1e-9)
    columns, mechanism = stored(made), item_of(made, "hours").mechanism
    given = mechanism.unbiased_weights(np.append(np.ones(mechanism.values), 0.0))[columns["hours"]]
    n, part = (
        np.bincount(columns["sex"]),
        np.array([given[columns["sex"] == code].mean() for code in (0, 1)]),
    )
    spread = n * part**2 * [mean.standard_error**2 for mean in means]
    assert row.difference_error == pytest.approx(mean_error([-1, 1] / part, n, spread), rel=1e-9)
    assert row.corrected == pytest.approx(means[1].value, rel=1e-9)
    told = get_api(owner_client(made), made, "model/?outcome=hours&explain=sex").json()
    assert "among those who gave a number" in told["method"]


def test_nothing_is_said_of_a_group_that_may_have_given_no_number() -> None:
    survey = create_draft()
    add_quantity(survey, decline=True)
    add_background(survey, "sex", ("Men", "Women"))
    made = publish_survey(survey)
    sex = np.arange(400) % 2
    add_responses(made, 400, hours=np.where(sex, 51, 20), sex=sex)
    answer = get_api(owner_client(made), made, "model/?outcome=hours&explain=sex")
    assert answer.json()["type"] == "/problems/too-few"
    assert (
        "whether anyone gave a number to “About hours?” instead of “Prefer not to say”"
        in answer.json()["detail"]
    )


def test_groups_are_compared_by_their_means_at_every_door() -> None:
    made = asked()
    scores, region = decoded(made, "hours"), stored(made)["region"]
    groups = [scores[region == code] for code in range(3)]
    means, errors = (
        [each.mean() for each in groups],
        [each.std() / np.sqrt(len(each)) for each in groups],
    )
    found = compare_by_address(ReaderView(made), "region", "hours")
    assert [group.mean.value for group in found.groups] == pytest.approx(means)
    expected, p_values, used = [], [], []
    for a, b in combinations(range(3), 2):
        expected.append((means[a] - means[b], np.hypot(errors[a], errors[b])))
        n = np.array([len(groups[place]) for place in (a, b)])
        common = np.concatenate([groups[place] - means[place] for place in (a, b)]).std() * np.sqrt(
            (1 / n).sum()
        )
        used.append(max(expected[-1][1], common) * np.sqrt(n.sum() / (n.sum() - 2)))
        p_values.append(chi2.sf((expected[-1][0] / used[-1]) ** 2, 1))
    for pair, each in zip(found.pairs, expected, strict=True):
        assert (pair.estimate, pair.standard_error) == pytest.approx(each)
    results = Pair.list_from(found.pairs)
    assert [pair.p_holm for pair in results] == pytest.approx(list(holm(p_values)))
    half = 2.3939797998185104 * used[0]  # the normal quantile of 1 - .05/6
    assert found.pairs[0].interval == pytest.approx((expected[0][0] - half, expected[0][0] + half))
    weights = 1 / np.square(errors)
    common = np.average(means, weights=weights)
    statistic = float(weights @ (np.array(means) - common) ** 2)
    assert found.test.statistic == pytest.approx(statistic)
    assert found.test.p_value == pytest.approx(chi2.sf(statistic, 2))
    client, wanted = owner_client(made), "by=region&outcome=hours"
    told = get_api(client, made, f"groups/?{wanted}").json()["comparison"]
    assert (told["of"], told["outcome"]["choice"], told["outcome"]["label"]) == (
        "means",
        None,
        "mean (hours)",
    )
    assert told["pairs"][0]["difference"] == pytest.approx(expected[0][0])
    assert "hours fewer in “" in html.unescape(get_compare_page(client, made).content.decode())
    rows = list(
        csv.DictReader(io.StringIO(get_api(client, made, f"compare.csv?{wanted}").content.decode()))
    )
    assert float(rows[0]["difference"]) == told["differences"][0]["difference"]
    assert "Means by" in html.unescape(
        get_api(client, made, f"compare.svg?{wanted}").content.decode()
    )


def test_groups_that_do_not_differ_get_no_sentence_of_their_own() -> None:
    survey = create_draft()
    add_quantity(survey)
    add_background(survey)
    made = publish_survey(survey)
    add_responses(made, 400, hours=np.full(400, 25), region=np.arange(400) % 2)
    said = compare_by_address(ReaderView(made), "region", "hours").sentences
    assert said[0].startswith(
        "Hours: no clear difference between the groups. Differences of up to "
    )


def test_a_weighted_mean_is_that_of_the_groups_at_every_door() -> None:
    made = asked()
    scores, region = decoded(made, "hours"), stored(made)["region"]
    groups, known, n = (
        [scores[region == code] for code in range(3)],
        np.array([0.2, 0.5, 0.3]),
        len(scores),
    )
    mean = known @ [each.mean() for each in groups]
    error = np.sqrt(
        sum(share**2 * each.var() / len(each) for share, each in zip(known, groups, strict=True))
    )
    client, wanted = owner_client(made), "margins=region:0.2,0.5,0.3"
    told = get_api(client, made, f"weighted/?{wanted}").json()
    hours = next(question for question in told["questions"] if question["key"] == "hours")
    assert hours["choices"] == []
    assert hours["mean"]["value"] == pytest.approx(mean)
    assert hours["mean"]["standard_error"] == pytest.approx(error * np.sqrt(n / (n - 1)))
    assert hours["mean"]["unweighted"]["value"] == pytest.approx(scores.mean())
    assert "Hours: " in told["sentence"]
    assert "from 1 (“" in told["sentence"]
    rows = list(
        csv.DictReader(
            io.StringIO(get_api(client, made, f"weighted.csv?{wanted}").content.decode())
        )
    )
    row = next(row for row in rows if row["answer"] == "mean (hours)")
    assert float(row["weighted"]) == pytest.approx(mean)
    filled = "&".join(f"region-{place}={share}" for place, share in enumerate((20, 50, 30)))
    shown = html.unescape(get_analysis_page(client, made, f"weighting/?{filled}").content.decode())
    assert "Mean, unweighted" in shown
    drawn = html.unescape(get_report_page(client, made, f"weighted.svg?{filled}").content.decode())
    assert drawn.count("Mean, unweighted") == 2  # of hours and of the scale


def test_a_weighted_mean_of_those_who_gave_a_number_is_a_ratio() -> None:
    made = asked(4000, decline=True)
    item, columns = item_of(made, "hours"), stored(made)
    numbers = np.append(np.array(item.answer_values, float), 0)
    score = item.mechanism.unbiased_weights(numbers)[columns["hours"]]
    gave = item.mechanism.unbiased_weights((np.arange(item.size) < 51).astype(float))[
        columns["hours"]
    ]
    known, here = np.array([0.4, 0.6]), np.bincount(columns["sex"]) / 4000
    weights = (known / here)[columns["sex"]]
    ratio = weights @ score / (weights @ gave)
    left = (score - ratio * gave) / (weights @ gave / weights.sum())
    for code in (0, 1):
        left[columns["sex"] == code] -= left[columns["sex"] == code].mean()
    error = np.sqrt(4000 / 3999 * (weights**2 @ left**2)) / weights.sum()
    seen = ReaderView(made)
    found = next(
        each
        for each in weight_results(seen, known_margins.margins(seen, {"sex": known})).questions
        if each.mean
    )
    assert found.mean.weighted.share == pytest.approx(ratio)
    assert found.mean.weighted.standard_error == pytest.approx(error)


def test_without_the_right_to_rows_the_cut_says_the_same() -> None:
    made = asked()
    close_survey(made.survey)
    doors = [
        view_for_reader(Instrument.objects.get(pk=made.pk), has_rows=has_rows)
        for has_rows in (True, False)
    ]
    models = [model(seen, "hours", ["sex", "region"]) for seen in doors]
    assert models[0].comparisons[1].difference == pytest.approx(models[1].comparisons[1].difference)
    assert [row.difference_error for row in models[0].comparisons] == pytest.approx(
        [row.difference_error for row in models[1].comparisons]
    )
    pairs = [compare_by_address(seen, "region", "hours").pairs for seen in doors]
    assert [pair.estimate for pair in pairs[0]] == pytest.approx(
        [pair.estimate for pair in pairs[1]]
    )
    weighted = [
        weight_results(seen, known_margins.margins(seen, {"sex": [0.4, 0.6]})).questions[0].mean
        for seen in doors
    ]
    assert weighted[0].weighted.share == pytest.approx(weighted[1].weighted.share)
    answer = get_api(analyst_client(made), made, "model/?outcome=hours&explain=sex")
    assert answer.status_code == 200


WRONG = [
    ("model/?outcome=hours:3&explain=sex", "outcome", "Send hours alone."),
    (
        "model/?outcome=hours&explain=sex&model=logit",
        "model",
        "the mean is compared, by least squares",
    ),
    ("model/?outcome=hours&explain=tax:1", "model", "the logit of one answer"),
    ("model/?outcome=tax:1&explain=hours", "explain", "measures a mean, not shares"),
    ("table/?rows=hours&columns=sex", "rows", "measures a mean, not shares"),
    ("table/?rows=sex&columns=hours:3", "columns", "so you can’t choose it here"),
    ("groups/?by=sex&outcome=hours:2", "outcome", "Send hours alone."),
]


@pytest.mark.parametrize(("address", "place", "words"), WRONG)
def test_what_a_mean_cannot_do_is_said_at_its_place(address: str, place: str, words: str) -> None:
    answer = get_api(owner_client(made := asked(200)), made, address)
    assert answer.status_code == 422
    assert words in answer.json()["errors"][place]


def test_the_page_says_why_a_number_is_in_no_table() -> None:
    made = asked(200)
    shown = html.unescape(get_analysis_page(owner_client(made), made, "linked/").content.decode())
    assert '<option value="hours">Hours, average</option>' in shown
    refused = get_analysis_page(owner_client(made), made, "linked/?rows=hours&columns=sex")
    assert refused.status_code == 422
    assert 'id="model-outcome_error"' in refused.content.decode()


def test_too_few_people_say_how_many_there_are_and_have_to_be() -> None:
    made = asked(60)
    with pytest.raises(TooFew, match=r"60 people .* 100 or more"):
        model(ReaderView(made), "hours", ["sex"])


def test_a_background_number_has_a_mean_too() -> None:
    survey = create_draft()
    add_yes_no(survey)
    age = add_background(survey, "age", ())
    Question.objects.filter(pk=age.pk).update(kind="number", minimum=18, maximum=79)
    add_background(survey, "sex", ("Men", "Women"))
    made = publish_survey(survey)
    rng = np.random.default_rng(5)
    sex = np.arange(500) % 3 > 0
    add_responses(made, 500, age=rng.integers(0, 50, 500) + 10 * sex, sex=sex.astype(int))
    columns = stored(made)
    table = np.column_stack([np.ones(500), columns["sex"] == 0])
    peer = OLS(columns["age"] + 18, table).fit(cov_type="HC1")
    larger = max(peer.bse[1], OLS(columns["age"] + 18, table).fit().bse[1])
    found = model(ReaderView(made), "age", ["sex"])
    row = next(row for row in found.comparisons if row.difference is not None)
    assert (row.difference, row.difference_error) == pytest.approx((peer.params[1], larger))
    pair = compare_by_address(ReaderView(made), "sex", "age").pairs[0]
    assert pair.estimate == pytest.approx(peer.params[1])
    told = get_api(owner_client(made), made, "model/?outcome=age&explain=sex").json()
    assert "the answers with the largest of heteroskedasticity" in told["method"]
