"""Each kind of key sentence on real reports, and that no sentence says more than its range supports."""

import re
from dataclasses import replace

import numpy as np
import pytest

from surveys.definition.parsing import parse_instrument
from surveys.models import Survey
from surveys.results.estimates.question_report import YES, QuestionReport
from surveys.results.estimates.report import summarize
from surveys.results.figures.means import mean_figure
from surveys.results.report.correction import correction
from surveys.results.report.headlines import finding, ranking
from surveys.results.report.summary import glance
from surveys.statements.rounding import round_to_nearest
from tests.factories.surveys import (
    add_background,
    add_choice,
    add_quantity,
    add_scale,
    add_yes_no,
    create_draft,
    publish_survey,
)
from tests.helpers.report_api import report_json
from tests.results.test_report_kinds import ask

pytestmark = [pytest.mark.django_db, pytest.mark.once]
NUMBER = re.compile(r"\d+(?:\.\d+)?%")
WRONG = ("hardly", "nearly every", "very likely", "probably", "say “", "says “")
ANSWERS = ("None of these", "Used AI", "Copied homework", "Something else")


def told(question: QuestionReport) -> tuple[str, str, str]:
    result = finding(question)
    return result.sentence, result.detail, result.number


def of_yes(n: int, yes: int, **more: object) -> QuestionReport:
    survey = create_draft()
    add_yes_no(survey, short="Copied in an exam", **more)
    return summarize(
        parse_instrument(publish_survey(survey)), {"n": n, "counts": {"tax": [n - yes, yes]}}
    ).questions[0]


def of_answers(
    n: int, counts: list[int], labels: tuple[str, ...] = ANSWERS, **more: object
) -> QuestionReport:
    survey = create_draft()
    add_choice(survey, labels=labels, **more)
    return summarize(
        parse_instrument(publish_survey(survey)), {"n": n, "counts": {"fruit": counts}}
    ).questions[0]


@pytest.mark.parametrize(
    ("n", "yes", "sentence", "detail", "number"),
    [
        (4000, 1532, "about 1 in 4", "27% (95% range 23% to 30%).", "27%"),
        (8000, 2048, "at most 1 in 25", "95% range 0 to 3.2%; unbiased estimate 1.2%.", "≤ 3.2%"),
        (800, 590, "at least 91%", "95% range 91% to 100%; unbiased estimate 98%.", "≥ 91%"),
        (800, 216, "at most 11%", "95% range 0 to 11%; unbiased estimate 4%.", "≤ 11%"),
    ],
)
def test_a_share_and_its_bounds(n: int, yes: int, sentence: str, detail: str, number: str) -> None:
    question = of_yes(n, yes)
    assert told(question)[0] == f"Copied in an exam: {sentence}."
    assert told(question)[2] == number
    assert told(question)[1] == detail or not detail


def test_where_any_share_is_possible_no_number_is_named() -> None:
    question = of_yes(40, 20, parameters={"p": "3/5"})
    assert told(question)[::2] == ("Copied in an exam: any share is possible.", "")


def test_a_share_too_uncertain_has_no_number_in_any_place() -> None:
    question = of_yes(100, 40)
    assert told(question) == (
        "Copied in an exam: too uncertain for one number (11% to 50%).",
        "",
        "",
    )
    at_a_glance = glance([(1, question, finding(question))])
    assert at_a_glance.advice == "Four times as many responses would halve the ranges."
    line = at_a_glance.lines[0]
    assert "#p-p" in line.plot
    assert correction(question) == ""
    row = report_json(question)["choices"][YES]
    assert (row["withheld"], row["estimate"]) == (True, pytest.approx(0.3))


def test_a_condition_opens_the_sentence_and_the_short_name_stays() -> None:
    whom = parse_instrument(_with_a_condition()).items[1].condition_text
    question = replace(of_yes(8000, 2048), whom=whom)
    assert finding(question).sentence == (
        "Among people who answered “North” to “Region”, Copied in an exam: at most 1 in 25."
    )
    assert report_json(question)["finding"]["sentence"] == finding(question).sentence
    several = replace(of_answers(1000, [300, 600, 300, 250]), whom=whom)
    assert finding(several).sentence.startswith(
        "Among people who answered “North” to “Region”, most common: “Used AI”"
    )


def _with_a_condition():
    survey = create_draft()
    add_background(survey)
    add_yes_no(survey, key="second", when={"of": "region", "in": ["North"]})
    return publish_survey(survey)


def test_two_that_are_too_close() -> None:
    question = of_answers(1000, [300, 450, 440, 250])
    sentence, detail, number = told(question)
    assert sentence == "Most common: “Used AI” or “Copied homework” (too close to call)."
    words = r"Estimates: 40% and 38%\. The difference could be anything from −\d+ to \d+ points\."
    assert re.fullmatch(words, detail)
    assert number == ""


def test_no_rank_where_a_range_is_too_wide() -> None:
    assert told(of_answers(100, [30, 50, 40, 30]))[::2] == ("Too few answers to rank these.", "")


def test_select_all_has_the_highest_estimates() -> None:
    question = of_answers(
        4000, [1900, 2000, 1800, 1100], kind="any", design="unary-any", parameters={"epsilon": "4"}
    )
    assert re.fullmatch(
        r"Highest estimates: “Used AI” \d+%, “None of these” \d+%\.", told(question)[0]
    )


def test_a_range_wholly_outside_is_impossible() -> None:
    assert told(of_yes(400, 70)) == (
        "Copied in an exam: the estimate is below 0%.",
        "The whole range (−22% to −6%) is below 0%. If the true share is 0%, chance does this in about 1 in 40 "
        "surveys. Look at Data checks first.",
        "",
    )


def test_few_none_and_what_was_not_scrambled() -> None:
    assert told(of_yes(24, 10))[0] == "Too few responses to report: 24."
    assert told(of_yes(0, 0))[0] == "No results yet."
    survey = create_draft()
    add_background(survey)
    (region,) = summarize(
        parse_instrument(publish_survey(survey)), {"n": 1000, "counts": {"region": [667, 333]}}
    ).questions
    assert told(region)[0] == "Most common answer: “North”, 67% of responses."
    assert told(region)[1] == "Answers to this question are not scrambled."


def of_numbers(make, seed: int = 3, n: int = 4000, **more: object) -> QuestionReport:
    survey = create_draft()
    make(survey, short="Days absent", **more)
    frozen = parse_instrument(publish_survey(survey))
    (item,) = frozen.items
    rng = np.random.default_rng(seed)
    truths = rng.integers(0, item.size // 3, n)
    counts = item.mechanism.tally(item.mechanism.randomize(truths, rng)).counts.tolist()
    return summarize(frozen, {"n": n, "counts": {item.key: counts}}).questions[0]


def test_a_mean_has_its_range_and_median_in_the_sentence_and_on_a_scale_its_ends() -> None:
    hours = of_numbers(add_quantity)
    assert re.fullmatch(
        r"Days absent: \d\.\d hours on average \(95% range \d\.\d to \d\.\d\)\.", told(hours)[0]
    )
    assert re.fullmatch(r"The median is \d+ hours \(95% range \d+ to \d+\)\.", told(hours)[1])
    agrees = of_numbers(add_scale)
    words = r"Days absent: \d\.\d+ on average, from 1 \(“Never”\) to 5 \(“Always”\)\."
    assert re.fullmatch(words, told(agrees)[0])
    assert re.match(r"95% range \d(\.\d+)? to \d\.\d+\.", told(agrees)[1])
    wide = of_numbers(add_quantity, n=40)
    assert re.fullmatch(
        r"Days absent: too uncertain for one number \(\d+\.?\d* to \d+\.?\d* hours\)\.",
        told(wide)[0],
    )
    assert (told(wide)[2], finding(wide).is_pale) == ("", True)


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ((0.8, 0.1, 0.1, 0, 0), "At least half answered 0."),
        ((0, 0.1, 0.1, 0.1, 0.7), "At least half answered 4."),
        ((0.1, 0.1, 0.6, 0.1, 0.1), "The median is 2."),
    ],
)
def test_a_median_that_most_people_gave_is_not_called_half(
    shares: tuple[float, ...], words: str
) -> None:
    """Of a scrambled number with a range of one value, and of a number that is not scrambled."""
    survey = create_draft()
    add_quantity(survey, maximum=4, unit="")
    ask(survey, "days", kind="number", minimum="0", maximum="4", decline=False)
    frozen, n = parse_instrument(publish_survey(survey)), 4000
    mechanism, rng = frozen.items[0].mechanism, np.random.default_rng(5)
    truths = np.repeat(np.arange(5), (np.array(shares) * n).astype(int))
    received = mechanism.tally(mechanism.randomize(truths, rng)).counts.tolist()
    counts = {"hours": received, "days": np.bincount(truths, minlength=5).tolist()}
    scrambled, counted = summarize(frozen, {"n": n, "counts": counts}).questions
    assert told(scrambled)[1] == words
    assert told(counted)[1] == words
    labels = [row.label for row in mean_figure(scrambled).rows]
    assert labels == ["Mean", "Lower quartile", "Median", "Upper quartile"]


def test_the_correction_is_arithmetic_that_can_be_done_again() -> None:
    assert (
        correction(of_yes(4000, 1532))
        == "27%: received “Yes” 38.3%, minus 25.0% by chance, divided by 0.5."
    )
    rng = np.random.default_rng(8)
    for yes in rng.integers(600, 2900, 60):
        question = of_yes_again(4000, int(yes))
        if words := correction(question):
            share, received, chance, divisor = re.fullmatch(
                r"(−?[\d.]+)%: received “Yes” ([\d.]+)%, minus ([\d.]+)% by chance, divided by (−?[\d.]+)\.",
                words,
            ).groups()
            number = float(share.replace("−", "-"))
            digits = len(share.partition(".")[2])
            result = (float(received) - float(chance)) / float(divisor)
            assert round_to_nearest(result, digits) == pytest.approx(number, abs=1e-6)


def of_yes_again(n: int, yes: int) -> QuestionReport:
    survey = Survey.objects.first() or create_draft()
    if not survey.questions.exists():
        add_yes_no(survey)
        publish_survey(survey)
    return summarize(
        parse_instrument(survey.instrument), {"n": n, "counts": {"tax": [n - yes, yes]}}
    ).questions[0]


def test_printed_lead_excludes_zero_and_lies_in_its_range() -> None:
    rng, tried = np.random.default_rng(4), 0
    survey = create_draft()
    add_choice(survey, labels=("A", "B", "C"))
    frozen = parse_instrument(publish_survey(survey))
    for _ in range(150):
        counts = rng.integers(2000, 6000, 3).tolist()
        question = summarize(frozen, {"n": 8000, "counts": {"fruit": counts}}).questions[0]
        lead = re.search(
            r"Lead over “.”: ([\d.]+) points \(95% range ([\d.]+) to ([\d.]+)\)",
            finding(question).detail,
        )
        if lead is None:
            continue
        tried += 1
        number, low, high = map(float, lead.groups())
        assert 0 < low <= number <= high
        order = ranking(question)
        computed = order.difference(*order.order[:2]).interval
        assert low <= 100 * computed[0] <= 100 * computed[1] <= high
    assert tried > 50
