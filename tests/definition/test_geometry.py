"""A question with a list of hundreds of choices, from the draft to the report."""

import re
import uuid

import numpy as np
import pytest
from django.test import Client

from mechanisms import Geometry
from surveys.authoring.drafts import drafts
from surveys.authoring.planning.precision import verdict
from surveys.definition.odds import odds
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses import Outcome, store_response
from surveys.fieldwork.responses.closing import close_survey
from surveys.fieldwork.responses.records import encode
from surveys.models import Instrument, Survey
from surveys.results.estimates.heavy_hitters import DetectedChoicesText
from surveys.results.estimates.report import report, summarize
from surveys.results.report.headlines import Verdict, finding
from surveys.results.report.methods import methods
from surveys.results.report.quality import check_counts, check_rows, worst
from tests.factories import surveys
from tests.factories.responses import add_responses
from tests.factories.surveys import publish_survey
from tests.helpers.report_api import report_json

pytestmark = [pytest.mark.django_db, pytest.mark.once]
PLACES = tuple(f"Place {number}" for number in range(1000))


def drafted(choices: tuple[str, ...] = PLACES, **survey: object) -> Survey:
    made = surveys.create_draft(**survey)
    drafts.save_question(
        survey=made, key="place", text="Where?", kind="choice", choices=choices, design="balanced"
    )
    surveys.add_background(made)
    return made


def asked(choices: tuple[str, ...] = PLACES) -> Instrument:
    return publish_survey(drafted(choices))


def tallied(instrument: Instrument, n: int, shares: dict[int, float], seed: int = 1) -> dict:
    """n responses, of whom so many are of these places."""
    rng, item = np.random.default_rng(seed), parse_instrument(instrument).items[0]
    truths = rng.choice(list(shares), n, p=list(shares.values()))
    counts = item.mechanism.tally(item.mechanism.randomize(truths, rng)).counts
    return {"n": n, "counts": {"place": counts.tolist(), "region": [n, 0]}}


def test_a_level_takes_it_for_a_list_and_the_page_says_so() -> None:
    item = parse_instrument(asked()).items[0]
    assert item.mechanism == Geometry(1000, 1.0987, den="survey")
    assert (
        odds(item).shape,
        odds(item).total,
        odds(item).recorded_if_chosen,
        odds(item).recorded_if_other,
    ) == (
        "group",
        100,
        43,
        20,
    )
    assert verdict("choice", item.mechanism, 10_000).grade == "useful"


def test_answers_are_accepted_and_come_out_in_the_report() -> None:
    instrument = asked()
    item = parse_instrument(instrument).items[0]
    for report_, status in (
        (3905, 201),
        (3906, 422),
        (-1, 422),
        ("7", 422),
        (True, 422),
        (None, 422),
    ):
        body = surveys.response_body(instrument, reports={"place": report_, "region": 0})
        assert surveys.post_response(instrument, body).status_code == status
    reports = item.mechanism.randomize(np.full(600, 7), 5).tolist()
    for number, place in enumerate(reports):
        record = encode(parse_instrument(instrument), {"place": place, "region": number % 2})
        assert store_response(instrument, uuid.uuid4(), record) is Outcome.RECORDED
    close_survey(instrument.survey)
    question = report(Instrument.objects.get(pk=instrument.pk)).questions[0]
    assert question.n == 601
    assert [each.label for each in question.found.choices] == ["Place 7"]
    assert question.choices[7].estimate == pytest.approx(1, abs=0.3)


def test_the_finding_names_what_was_found_and_what_cannot_be() -> None:
    instrument = asked()
    result = summarize(
        parse_instrument(instrument), tallied(instrument, 20_000, {3: 0.5, 8: 0.3, 11: 0.2})
    )
    said = finding(result.questions[0])
    assert said.verdict is Verdict.CLEAR
    assert said.sentence == "3 of 1,000 choices are clearly above 0."
    assert said.detail.startswith("Highest estimates: “Place 3” ")
    assert "With 20,000 responses, a share below 5% can’t be detected." in said.detail
    few = finding(
        summarize(
            parse_instrument(instrument),
            tallied(instrument, 300, dict.fromkeys(range(1000), 0.001)),
        ).questions[0]
    )
    assert few.sentence == "No choice is clearly above 0 yet."
    assert "With 300 responses, a share below 44" in few.detail
    told = report_json(result)["questions"][0]["found"]
    assert [each["code"] for each in told["choices"]] == [3, 8, 11]
    assert told["of"] == 1000


def test_what_is_found_is_above_the_least_share_and_nothing_else_is() -> None:
    instrument = asked()
    shares = dict.fromkeys(range(20), 0.05)
    for seed in range(3):
        question = summarize(
            parse_instrument(instrument), tallied(instrument, 15_000, shares, seed)
        ).questions[0]
        above = {
            code
            for code, choice in enumerate(question.choices)
            if choice.estimate > question.found.least
        }
        assert above == {each.code for each in question.found.choices}
        assert (
            question.choices[0].interval[0] > question.basis.simultaneous_estimate.intervals[0][0]
        )


def test_what_is_found_is_exact_whatever_a_reader_asks_for() -> None:
    """Wilson's interval for the whole list, asked for by name, is above 0 for place 3, and the exact one is not."""
    instrument = asked()
    tally = tallied(instrument, 300, {3: 0.42, 4: 0.28, 5: 0.3}, 4)
    for kind in (None, "wilson"):
        question = summarize(
            parse_instrument(instrument), tally, interval=kind, simultaneous=True
        ).questions[0]
        assert question.found.choices == ()
        assert (question.choices[3].interval[0] > 0) is (kind == "wilson")
        assert question.told_apart_name == "95% simultaneous Clopper–Pearson interval"
    assert "Clopper and Pearson 1934" in str(
        methods(parse_instrument(instrument), summarize(parse_instrument(instrument), tally))
    )


def test_of_three_responses_no_choice_can_be_told_from_0() -> None:
    instrument = asked()
    result = summarize(parse_instrument(instrument), tallied(instrument, 3, {3: 1.0}))
    said = DetectedChoicesText(result.questions[0].found, 3, "95%").detail
    assert said == "With 3 responses, no share can be detected."
    assert report_json(result)["questions"][0]["found"]["least"] is None


def test_the_checks_and_the_methods_know_it() -> None:
    instrument = asked()
    add_responses(instrument, 400)
    instrument.refresh_from_db()
    result = report(instrument)
    assert (
        worst(
            check_counts(parse_instrument(instrument), result)
            + check_rows(parse_instrument(instrument), instrument)
        )
        == "not contradicted"
    )
    assert "stands for a group of the 1000 answers" in str(
        methods(parse_instrument(instrument), result)
    )
    assert "Feldman, V." in str(methods(parse_instrument(instrument), result))
    faked = tallied(instrument, 400, {0: 1.0})
    faked["counts"]["place"] = [400] + [0] * 3905
    assert (
        worst(
            check_counts(
                parse_instrument(instrument), summarize(parse_instrument(instrument), faked)
            )
        )
        == "impossible"
    )


def test_before_publishing_the_author_reads_what_cannot_be_found() -> None:
    shown = verdict("choice", Geometry(1000, 1.0987, den="survey"), 20_000)
    assert shown.least == pytest.approx(0.05, abs=0.003)
    assert verdict("choice", Geometry(25, 1.0987, den="survey"), 20_000).least is None


def test_the_editor_says_it_beside_the_question(client: Client) -> None:
    made = drafted(PLACES[:300])
    client.force_login(made.owner)
    page = client.get(f"/surveys/{made.slug}/questions/place/")
    text = " ".join(page.content.decode().split())
    assert re.search(
        r"With 1,000 responses, a share below <strong>2\d\.\d%</strong> can’t be detected\.", text
    )
    assert "No known design would need more than" in text
