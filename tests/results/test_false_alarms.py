"""The data quality page promises: of honest surveys at most 1 of 100 is suspicious, and 1 of a million impossible."""

from dataclasses import replace

import numpy as np
import pytest
from django.test import Client
from scipy.stats import binom

from mechanisms import Matrix, UnaryEncoding
from mechanisms.analysis.diagnostics import odd_ones, ones_law
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument
from surveys.results.estimates.report import summarize
from surveys.results.report import quality
from surveys.results.report.data_quality import inspect
from surveys.results.report.quality import (
    IMPOSSIBLE,
    RATES,
    SUSPICIOUS,
    Verdict,
    check_counts,
    worst,
)
from tests.factories.many_responses import add_invented_responses
from tests.factories.responses import add_responses
from tests.factories.surveys import (
    add_choice,
    add_yes_no,
    create_draft,
    create_published,
    publish_survey,
)

pytestmark = [pytest.mark.django_db, pytest.mark.once]
ALARMS = (Verdict.SUSPICIOUS, Verdict.IMPOSSIBLE)
UNRELATED = {"design": "unrelated-question", "parameters": {"p": "7/10", "prevalence": "1/12"}}
KEPT = {"design": "generalized", "parameters": {"p": "9/10", "q": "9/10"}}


def anchored(question: dict, known: float) -> SurveyDefinition:
    """A survey of one yes/no question whose true share is known: two checks."""
    survey = create_draft()
    add_yes_no(survey, **question, anchor=known)
    return parse_instrument(publish_survey(survey))


@pytest.mark.parametrize(
    ("question", "known", "n"),
    [
        (UNRELATED, 0.0, 20),
        (UNRELATED, 0.0, 160),
        (KEPT, 0.05, 27),
        ({"design": "two-coin"}, 0.1, 40),
    ],
)
def test_a_known_share_raises_no_more_false_alarms_than_promised(
    question: dict, known: float, n: int
) -> None:
    """Exactly: all numbers of Yes with their binomial chances."""
    frozen = anchored(question, known)
    line = frozen.items[0].mechanism.line()
    counts = np.arange(n + 1)
    chances = binom.pmf(counts, n, line.offset[1] + line.slope[1] * known)
    verdicts = np.array([worst(of_yes(frozen, yes, n)) for yes in counts.tolist()])
    assert len(of_yes(frozen, 0, n)) == 2
    assert chances[np.isin(verdicts, ALARMS)].sum() <= SUSPICIOUS
    assert chances[verdicts == Verdict.IMPOSSIBLE].sum() <= IMPOSSIBLE


def of_yes(frozen: SurveyDefinition, yes: int, n: int) -> list[quality.Check]:
    return check_counts(frozen, summarize(frozen, {"n": n, "counts": {"tax": [n - yes, yes]}}))


def test_marks_raise_no_more_false_alarms_than_promised() -> None:
    """A part of them, exactly: those that come from reports of three marks or more, the others being as expected."""
    mechanism, n, checks = UnaryEncoding(5, "1/2", "1/10"), 200, 3
    law = ones_law(mechanism)

    def p_value(many: int) -> float:
        few = np.floor((n - many) * law[:3] / law[:3].sum()).astype(int)
        few[1] += n - many - few.sum()
        return checks * odd_ones(mechanism, np.array([*few, many, 0, 0])).p_value

    counts = np.arange(41)
    p_values = np.array([p_value(many) for many in counts.tolist()])
    chances = binom.pmf(counts, n, law[3:].sum())
    assert chances[p_values < IMPOSSIBLE].sum() <= IMPOSSIBLE / checks
    assert chances[p_values < SUSPICIOUS].sum() <= SUSPICIOUS / checks


def test_a_matrix_of_three_has_no_share_that_an_anchor_could_be_held_against() -> None:
    """How often Yes is reported depends there on both other answers."""
    frozen = anchored({"design": "two-coin"}, 0.2)
    matrix = Matrix([[6, 1, 1], [1, 5, 2], [1, 2, 5]], 8)
    changed = {"mechanism": matrix, "choices": ("No", "Yes", "Prefer not to say")}
    frozen = replace(frozen, items=(replace(frozen.items[0], **changed),))
    result = summarize(frozen, {"n": 400, "counts": {"tax": [180, 120, 100]}})
    assert [check.name for check in check_counts(frozen, result)] == ["Observed shares"]


def test_the_page_says_that_the_rates_are_those_of_one_look(client: Client) -> None:
    made = create_published()
    add_invented_responses(made, 100)
    client.force_login(made.survey.owner)
    page = client.get(f"/surveys/{made.survey.slug}/report/quality/").content.decode()
    assert RATES in page
    assert "If you look often while answers come in" in RATES
    assert (
        client.get(f"/api/v1/surveys/{made.survey.slug}/report/quality/").json()["rates"] == RATES
    )


def test_looking_again_and_again_raises_about_as_many_false_alarms_as_the_page_says() -> None:
    """Nobody has the trait: 1,000 surveys, looked at after every 20 responses up to 2,000."""
    frozen, rng = anchored({"design": "two-coin"}, 0.0), np.random.default_rng(6)
    looks = np.arange(20, 2001, 20)
    yes = np.cumsum(rng.binomial(20, 0.25, size=(1000, looks.size)), axis=1)
    low = np.array([_bounds(frozen, n) for n in looks.tolist()])
    alarmed = ((yes < low[:, 0]) | (yes > low[:, 1])).any(axis=1)
    assert alarmed.mean() == pytest.approx(0.05, abs=0.02)


def _bounds(frozen: SurveyDefinition, n: int) -> tuple[int, int]:
    """The least and greatest number of Yes without an alarm, by halving."""
    middle = round(n / 4)

    def last(good: int, bad: int) -> int:
        while abs(good - bad) > 1:
            half = (good + bad) // 2
            fine = worst(of_yes(frozen, half, n)) not in ALARMS
            good, bad = (half, bad) if fine else (good, half)
        return good

    return last(middle, -1), last(middle, n + 1)


@pytest.mark.long
def test_whole_honest_surveys_raise_no_more_alarms_than_promised(settings) -> None:
    """All checks of a survey with a known share, a choice and long reports, on responses as they are stored."""
    survey = create_draft()
    add_yes_no(survey, anchor=0.0)
    add_choice(survey, "fruit", parameters={"p": "1/2", "q": "1/10"})
    add_choice(
        survey,
        "long",
        [f"Choice {number}" for number in range(30)],
        design="subset",
        parameters={"epsilon": "1"},
    )
    made = publish_survey(survey)
    alarms = []
    for seed in range(1500):
        made.batches.all().delete()
        Instrument.objects.update(tally={})
        made.refresh_from_db()
        add_responses(made, 150, seed, tax=np.zeros(150, dtype=int))
        alarms.append(worst(inspect(Instrument.objects.get(pk=made.pk))))
    assert sum(verdict in ALARMS for verdict in alarms) / 1500 <= SUSPICIOUS
    assert Verdict.IMPOSSIBLE not in alarms


@pytest.mark.long
@pytest.mark.parametrize(("n", "size"), [(200, 5), (3000, 5), (400, 12)])
def test_marks_of_many_honest_surveys(n: int, size: int) -> None:
    mechanism, rng = UnaryEncoding.optimized(size, 2.1973), np.random.default_rng(7)
    drawn = rng.multinomial(n, ones_law(mechanism), size=100_000)
    distinct, times = np.unique(drawn, axis=0, return_counts=True)
    p_values = np.array([odd_ones(mechanism, ones).p_value for ones in distinct])
    for limit in (0.05, 0.01, 1e-3):
        expected = limit * 100_000
        assert times[p_values <= limit].sum() <= expected + 4 * expected**0.5
    assert times[p_values <= IMPOSSIBLE].sum() <= 2
