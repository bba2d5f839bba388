"""No key sentence of any kind of question says more than its range supports."""

import re
from collections.abc import Iterator

import numpy as np
import pytest

from surveys.authoring.drafts.drafts import save_question
from surveys.definition.parsing import parse_instrument
from surveys.results.estimates.question_report import YES, QuestionReport
from surveys.results.estimates.report import summarize
from surveys.results.report.headlines import Finding, Verdict, finding, ranking
from surveys.statements.quantity import WIDEST
from tests.factories.surveys import create_draft, publish_survey
from tests.results.test_key_sentences import NUMBER, WRONG
from tests.whole_site.question_kinds.cases import CASES, KEY

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_every_sentence_is_supported_by_its_range() -> None:
    """Of every kind, of many sizes and truths."""
    checked = 0
    for question in surveys():
        result = finding(question)
        checked += 1
        words = f"{result.headline} {result.number}".lower()
        assert not any(each in words for each in WRONG), result.headline
        assert bool(result.number) == bool(result.range), result.headline
        _supported(question, result)
    assert checked > 300


def surveys() -> Iterator[QuestionReport]:
    rng = np.random.default_rng(12)
    for case in CASES:
        if case.traits.is_written or case.is_long:
            continue
        frozen = _published(case)
        (item,) = frozen.items
        for n in (0, 25, 60, 150, 400, 1500, 6000):
            for _ in range(7):
                shares = rng.dirichlet(np.full(item.size, rng.choice([0.2, 1.0])))
                yield summarize(
                    frozen, {"n": n, "counts": {KEY: _counts(item, n, shares, rng)}}
                ).questions[0]


def _published(case):
    survey = create_draft()
    save_question(survey=survey, key=KEY, **case.settings | {"decline": False})
    return parse_instrument(publish_survey(survey))


def _counts(item, n: int, shares: np.ndarray, rng: np.random.Generator) -> list[int]:
    if item.mechanism is None:
        return rng.multinomial(n, shares).tolist()
    if item.traits.select == "any":
        truths = (rng.random((n, item.size)) < shares).astype(int)
    else:
        truths = rng.choice(item.size, n, p=shares)
    return item.mechanism.tally(item.mechanism.randomize(truths, rng)).counts.tolist()


def _supported(question: QuestionReport, result: Finding) -> None:
    if question.basis is None:
        assert result.verdict in (Verdict.EMPTY, Verdict.WITHHELD)
        return
    if result.verdict in (Verdict.WIDE, Verdict.FEW, Verdict.IMPOSSIBLE):
        assert result.number == ""
        assert result.is_pale
    intervals = [each.interval for each in question.choices if each.interval]
    if question.design and question.choices and result.number:
        wide = [high - low > WIDEST for low, high in intervals]
        assert not (wide[YES] if question.is_yes_no else any(wide)), result.headline
    if (
        "Most common: " in result.sentence
        and "could" not in result.sentence
        and "too close" not in result.sentence
    ):
        order = ranking(question)
        assert order.difference(*order.order[:2]).interval[0] > 0
    if question.is_yes_no and result.verdict is Verdict.CLEAR:
        low, high = question.choices[YES].interval
        if bound := re.search(r"≤ ([\d.]+)%", result.number):
            assert low <= 0
            assert float(bound[1]) / 100 >= high - 1e-9
        elif bound := re.search(r"≥ ([\d.]+)%", result.number):
            assert high >= 1
            assert float(bound[1]) / 100 <= low + 1e-9
        else:
            assert low - 0.005 <= float(result.number[:-1]) / 100 <= high + 0.005
    if result.verdict is not Verdict.IMPOSSIBLE:
        assert not re.search(r"−\d", result.sentence), result.sentence
        assert all(float(each[:-1]) <= 100 for each in NUMBER.findall(result.sentence)), (
            result.sentence
        )
