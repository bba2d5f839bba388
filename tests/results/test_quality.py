"""Data quality: honest reports pass, wrong ones are called what they are, and the numbers are the library's."""

import json
from dataclasses import replace

import numpy as np
import pytest
from django.test import Client

from mechanisms import UnaryEncoding
from mechanisms.analysis.diagnostics import number_of_ones, repeated_reports
from surveys.authoring.drafts import drafts
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument
from surveys.results.estimates.repeats import most_repeated
from surveys.results.estimates.report import summarize
from surveys.results.report.data_quality import inspect
from surveys.results.report.quality import (
    Check,
    Verdict,
    check_counts,
    check_rows,
    numbers_of_ones,
    worst,
)
from surveys.results.report.quality_kinds import by_kind
from tests.factories.responses import add_responses, release_reports
from tests.factories.surveys import add_choice, create_draft, create_published, publish_survey

pytestmark = pytest.mark.django_db


def of_tax(yes: int, n: int = 400, anchor: float | None = None) -> list[Check]:
    frozen = parse_instrument(Instrument.objects.first() or create_published())
    frozen = with_anchor(frozen, anchor)
    tally = {
        "n": n,
        "counts": {"tax": [n - yes, yes], "fruit": [n * 35 // 100] * 5, "region": [n, 0]},
    }
    return [check for check in check_counts(frozen, summarize(frozen, tally)) if check.key == "tax"]


def with_anchor(frozen: SurveyDefinition, anchor: float | None) -> SurveyDefinition:
    items = tuple(
        replace(item, anchor=anchor if item.key == "tax" else None) for item in frozen.items
    )
    return replace(frozen, items=items)


@pytest.mark.parametrize(
    ("yes", "verdict"),
    [
        (160, Verdict.FINE),
        (100, Verdict.FINE),
        (85, Verdict.FINE),
        (70, Verdict.SUSPICIOUS),
        (30, Verdict.IMPOSSIBLE),
    ],
)
def test_shares_that_the_design_cannot_make(yes: int, verdict: Verdict) -> None:
    """Under Warner's 3/4 a quarter to three quarters report Yes: 100 to 300 of 400, give or take chance."""
    (check,) = of_tax(yes)
    assert check.verdict == verdict
    assert check.advice


@pytest.mark.once  # a thousand tallies of one instrument
def test_the_alarm_is_rare_when_everybody_is_honest() -> None:
    """Nobody has the trait, the hardest case: of 1,000 surveys of 400 at most 1 in 100 is suspicious."""
    rng = np.random.default_rng(3)
    verdicts = [of_tax(int(yes))[0].verdict for yes in rng.binomial(400, 0.25, 1000)]
    assert sum(verdict != Verdict.FINE for verdict in verdicts) / 1000 <= 0.01


@pytest.mark.parametrize(
    ("anchor", "verdict"),
    [
        (0.3, Verdict.FINE),
        (0.22, Verdict.FINE),
        (0.12, Verdict.SUSPICIOUS),
        (0.9, Verdict.IMPOSSIBLE),
    ],
)
def test_an_anchor_is_tested_against_its_known_share(anchor: float, verdict: Verdict) -> None:
    """160 of 400 under Warner's design: estimate .3, standard error .049."""
    check = of_tax(160, anchor=anchor)[-1]
    assert check.name == "Known share"
    assert check.verdict == verdict
    assert f"known share of Yes is {100 * anchor:.1f}" in check.finding


def test_an_anchor_that_makes_the_reports_impossible() -> None:
    assert of_tax(160, anchor=0.3)[-1].p_value == pytest.approx(1)


@pytest.mark.parametrize(("born", "verdict"), [(0.25, "passed"), (0.75, "impossible")])
def test_an_anchor_goes_all_the_way_from_the_author_to_the_report(
    client: Client, born: float, verdict: str
) -> None:
    survey = create_draft()
    question = {
        "kind": "yes-no",
        "text": "Were you born from January to March?",
        "design": "two-coin",
    }
    drafts.save_question(survey=survey, key="born", anchor="24.6", **question)
    made = publish_survey(survey)
    assert json.loads(made.content)["questions"][0]["anchor"] == pytest.approx(0.246)
    add_responses(made, 2000, born=(np.random.default_rng(4).random(2000) < born).astype(int))
    client.force_login(survey.owner)
    page = client.get(f"/surveys/{survey.slug}/report/born/details/").content.decode()
    assert f"<strong>Known share: {verdict}.</strong> The known share of Yes is 24.6%" in page
    assert ("First check whether the known share" in page) == (verdict == "impossible")


def test_numbers_of_ones_are_counted_over_all_batches(settings) -> None:
    settings.SEAL_SLICE = 60
    made = create_published()
    add_responses(made, 400)
    frozen = parse_instrument(made)
    ((item, ones),) = numbers_of_ones(frozen, made)
    assert item.key == "fruit"
    assert ones.sum() == 400
    assert ones @ np.arange(6) == sum(Instrument.objects.get().tally["counts"]["fruit"])


def marks(made: Instrument) -> Check:
    (check,) = (
        check
        for check in check_rows(parse_instrument(made), made)
        if check.name.startswith("Number of marks")
    )
    return check


def test_the_test_of_marks_is_the_librarys() -> None:
    made = create_published()
    rng = np.random.default_rng(2)
    mechanism = UnaryEncoding(5, "3/4", "1/4")
    reports = mechanism.randomize(rng.integers(5, size=300), rng)
    release_reports(
        made,
        [{"tax": 0, "fruit": "".join(map(str, bits)), "region": 0} for bits in reports.tolist()],
    )
    check = marks(made)
    assert check.p_value == pytest.approx(number_of_ones(mechanism, reports).p_value)
    assert check.verdict == Verdict.FINE


@pytest.mark.parametrize("fake", ["10000", "11111", "00000"])
def test_reports_made_by_hand_show_by_their_marks(fake: str) -> None:
    """A script that sends the bare answer, all marks or none, in 1 of 3 responses."""
    made = create_published()
    add_responses(made, 400)
    release_reports(made, [{"tax": 0, "fruit": fake, "region": 0}] * 200)
    check = marks(made)
    assert check.verdict == Verdict.IMPOSSIBLE


LABELS = [f"Choice {number}" for number in range(40)]


def long_question() -> Instrument:
    survey = create_draft()
    add_choice(survey, "long", LABELS)
    return publish_survey(survey)


def repeats(made: Instrument) -> Check:
    (check,) = (
        check
        for check in check_rows(parse_instrument(made), made)
        if check.name == "Repeated reports"
    )
    return check


def test_repeats_are_the_librarys(settings) -> None:
    settings.SEAL_SLICE = 90
    made, rng, mechanism = (
        long_question(),
        np.random.default_rng(8),
        UnaryEncoding(40, "3/4", "1/4"),
    )
    reports = mechanism.randomize(rng.integers(40, size=300), rng)
    reports[[5, 100, 250]] = reports[0]
    release_reports(made, [{"long": "".join(map(str, bits))} for bits in reports.tolist()])
    (found,) = most_repeated(parse_instrument(made), made)
    expected = repeated_reports(mechanism, reports)
    assert (found.n, found.times, found.p_value) == (300, 4, pytest.approx(expected.p_value))
    assert expected.times == 4


def test_a_program_that_sends_one_report_again_and_again_is_found() -> None:
    made = long_question()
    add_responses(made, 500)
    assert repeats(made).verdict == Verdict.FINE
    fake = "0101010101" * 4  # as many marks as an honest report has
    release_reports(made, [{"long": fake}] * 6)
    assert repeats(made).verdict == Verdict.IMPOSSIBLE
    assert "received 6 times in 506" in repeats(made).finding


def test_short_reports_repeat_without_alarm() -> None:
    made = create_published()
    add_responses(made, 400)
    assert repeats(made).verdict == Verdict.FINE


def test_five_reports_contradict_nothing() -> None:
    made = create_published()
    add_responses(made, 5)
    check = marks(made)
    assert check.verdict == Verdict.FINE
    assert "answers have" in check.finding


def test_the_worst_verdict_stands_for_all() -> None:
    assert worst([]) == Verdict.UNKNOWN
    assert worst(of_tax(160) + of_tax(30)) == Verdict.IMPOSSIBLE


def test_the_page_names_each_check_and_what_to_do(client: Client) -> None:
    made = create_published()
    add_responses(made, 200)
    client.force_login(made.survey.owner)
    page = client.get(f"/surveys/{made.survey.slug}/report/quality/").content.decode()
    assert page.count("What to do.") == 0  # nothing is asked of anyone
    assert "Everything looks as it should" in page
    assert "4 of 4 checks passed." in page
    assert "The shares received are possible with this method. 2 checks." in " ".join(page.split())
    assert "All 4 checks with p-values" in page
    assert "Number of marks in an answer" in page


def test_a_check_that_failed_says_which_question_how_rare_and_what_next(client: Client) -> None:
    made = long_question()
    add_responses(made, 500)
    release_reports(made, [{"long": "0101010101" * 4}] * 6)
    client.force_login(made.survey.owner)
    page = client.get(f"/surveys/{made.survey.slug}/report/quality/").content.decode()
    assert "Some answers can’t have come from this survey’s method. What to do is below." in page
    assert '<h3 dir="auto">About long?</h3>' in page
    assert "Fewer than 1 in 1 million honest checks look like this." in page
    assert "Compare the scripts with the published ones" in page
    checks = inspect(made)
    failed, *passed = by_kind(checks)
    assert len(failed.checks) + sum(len(kind.checks) for kind in passed) == len(checks)
    assert [check.name for check in failed.failed][-1] == "Repeated reports"
    assert all(kind.verdict is Verdict.FINE for kind in passed)


def test_an_empty_survey_has_nothing_to_check(client: Client) -> None:
    made = create_published()
    client.force_login(made.survey.owner)
    page = client.get(f"/surveys/{made.survey.slug}/report/quality/").content.decode()
    assert "Nothing to check yet" in page
