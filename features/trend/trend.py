"""How answers changed since an earlier version: every question that both versions ask alike, as one family.

The rule is that of all differences (mechanisms.Differences), with the version of now as its first side. From how many
responses on it holds its level: docs/statistics.md, "Trends".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
from scipy.special import ndtr

from features.trend.change import Change, Named, Question, Verdict
from features.trend.versions import change_of_words, day_names, has_same_answers, published_on
from mechanisms import Differences, Estimate, GroupReports, mean_error
from mechanisms.checks import FloatArray
from mechanisms.estimation.intervals import normal_quantile
from surveys.definition.instrument import QuestionDefinition
from surveys.models import Survey
from surveys.results.analysis.groups.values import Mean, Share, Value
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.disclosure.access import ReaderView
from surveys.results.estimates.intervals import CONFIDENCE
from surveys.results.estimates.question_report import YES
from surveys.results.estimates.report import SurveyReport, report

ONE_DESIGN, TWO_DESIGNS, ONE_SCRAMBLED = (
    30,
    100,
    300,
)  # responses of each version, from which on the level holds
UNLIKE = "rappor"  # a design whose reports need a regression
WORDS: dict[str, Verdict] = {"higher": "up", "lower": "down", "too few answers": "too_few_answers"}


class NothingInCommon(ValueError):
    """No question of the two versions can be compared; left_out says why."""

    def __init__(self, left_out: Sequence["LeftOut"]) -> None:
        super().__init__("Nothing in these two versions can be compared.")
        self.left_out = tuple(left_out)


@dataclass(frozen=True)
class Version:
    """One of two versions, as its reader sees it. since: its day, as briefly as sentences name it."""

    survey: Survey
    published: date
    since: str
    n: int

    @property
    def slug(self) -> str:
        return self.survey.slug

    @property
    def title(self) -> str:
        return self.survey.title


@dataclass(frozen=True)
class LeftOut:
    """A question that is not compared."""

    name: Named
    why: str

    @property
    def sentence(self) -> str:
        return f"Not compared: {self.why}."


@dataclass(frozen=True)
class Trend:
    """questions: those with a clear change first."""

    earlier: Version
    now: Version
    confidence: float
    comparisons: int
    questions: tuple[Question, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def versions(self) -> tuple[Version, Version]:
        return self.earlier, self.now

    @property
    def clear(self) -> list[Question]:
        return [question for question in self.questions if question.is_clear]

    @property
    def other(self) -> list[Question]:
        return [question for question in self.questions if not question.is_clear]


Couple = tuple[Value, Value]  # of now, and of then


@dataclass(frozen=True)
class _Pair:
    """A question of both versions. answers: each with its values now and then."""

    item: QuestionDefinition
    answers: tuple[Couple, ...]


def trend(now: ReaderView, earlier: ReaderView, confidence: float = CONFIDENCE) -> Trend:
    """From what one reader sees of the reports of both versions. NothingInCommon where no question can be compared."""
    reports = (
        report(now.instrument, confidence, seen=now),
        report(earlier.instrument, confidence, seen=earlier),
    )
    pairs: list[_Pair] = []
    left_out: list[LeftOut] = []
    for each in _pairs((now, earlier), reports):
        if isinstance(each, _Pair):
            pairs.append(each)
        else:
            left_out.append(each)
    if not pairs:
        raise NothingInCommon(left_out)
    last, first = _versions((now, earlier), reports)
    comparisons = sum(len(pair.answers) for pair in pairs)
    questions = [_question(pair, last, first, confidence, comparisons) for pair in pairs]
    questions.sort(key=lambda question: not question.is_clear)
    return Trend(first, last, confidence, comparisons, tuple(questions), tuple(left_out))


def _versions(
    views: tuple[ReaderView, ReaderView], reports: tuple[SurveyReport, SurveyReport]
) -> list[Version]:
    surveys = [view.instrument.survey for view in views]
    days = [published_on(survey) for survey in surveys]
    names = reversed(day_names(*reversed(days)))
    made = zip(surveys, days, names, reports, strict=True)
    return [Version(survey, day, name, result.n) for survey, day, name, result in made]


def _pairs(
    views: tuple[ReaderView, ReaderView], reports: tuple[SurveyReport, SurveyReport]
) -> Iterator["_Pair | LeftOut"]:
    papers = [{item.key: item for item in view.paper.items} for view in views]
    items = [{item.key: item for item in view.definition.items} for view in views]
    results = [{question.key: question for question in result.questions} for result in reports]
    for key in dict.fromkeys([*papers[0], *papers[1]]):
        name = Named.of(next(paper[key] for paper in papers if key in paper))
        if key not in papers[0] or key not in papers[1]:
            yield LeftOut(
                name,
                f"only the {'new' if key in papers[0] else 'earlier'} version has this question",
            )
            continue
        whole = [(view.paper, paper[key]) for view, paper in zip(views, papers, strict=True)]
        if (
            why := _kind(papers[0][key])
            or _kind(papers[1][key])
            or change_of_words(whole[0], whole[1])
        ):
            yield LeftOut(name, why)
        elif not all(view.is_visible(key) for view in views):
            yield LeftOut(name, "you can’t see this question in both reports")
        elif not has_same_answers(items[0][key], items[1][key]):
            yield LeftOut(name, "the two reports show it in different groups")
        else:
            questions = [result[key] for result in results]
            answers = _answers([each[key] for each in items], [each.basis for each in questions])
            enough = answers and all(
                min(one.n, other.n) >= _minimum_responses(one, other) for one, other in answers
            )
            yield _Pair(items[0][key], answers) if enough else LeftOut(name, "too few responses")


def _kind(item: QuestionDefinition) -> str:
    """Why questions of its kind are never compared; empty where they may be."""
    if item.is_written:
        return "short texts have no trend"
    if item.is_list:
        return "long lists have no trend"
    return (
        "its design has no trend"
        if item.mechanism is not None and item.mechanism.name == UNLIKE
        else ""
    )


def _answers(
    items: list[QuestionDefinition], estimates: list[Estimate | None]
) -> tuple[Couple, ...]:
    """None where one version has no responses to it."""
    if estimates[0] is None or estimates[1] is None:
        return ()
    now, then = zip(items, (estimates[0], estimates[1]), strict=True)
    if any(SurveyVariable(item).is_mean for item in items):
        means = _mean(*now), _mean(*then)
        return (means,) if all(np.isfinite(each.value) for each in means) else ()
    is_yes_no = items[0].size == 2 and any(item.traits.has_yes for item in items)
    codes = [YES] if is_yes_no else range(items[0].size)
    return tuple((_share(*now, code), _share(*then, code)) for code in codes)


def _mean(item: QuestionDefinition, estimate: Estimate) -> Value:
    return Mean(item.short or item.full_text, estimate, SurveyVariable(item))


def _share(item: QuestionDefinition, estimate: Estimate, code: int) -> Value:
    return Share(item.choices[code], estimate, SurveyVariable(item, code))


def _minimum_responses(one: Value, other: Value) -> int:
    """Return how many responses each version needs."""
    if one.part.is_scrambled != other.part.is_scrambled:
        return ONE_SCRAMBLED
    return ONE_DESIGN if one.part.item.mechanism == other.part.item.mechanism else TWO_DESIGNS


def _question(
    pair: _Pair, now: Version, earlier: Version, confidence: float, comparisons: int
) -> Question:
    decided = _decide_shares(pair.answers, confidence, comparisons) or _judge_mean_changes(
        pair.answers, confidence, comparisons
    )
    alone, simultaneous, p_values, verdicts = decided
    name = Named.of(pair.item)
    rows = zip(
        pair.answers,
        alone.tolist(),
        simultaneous.tolist(),
        p_values.tolist(),
        verdicts,
        strict=True,
    )
    changes = tuple(
        Change(
            values=values,
            interval=tuple(interval),
            simultaneous=tuple(wide),
            p=p,
            p_together=min(1.0, comparisons * p),
            verdict=verdict,
            confidence=confidence,
            since=earlier.since,
            name=name if len(pair.answers) == 1 else replace(name, answer=values[0].name),
        )
        for values, interval, wide, p, verdict in rows
    )
    return Question(name, pair.item.kind, (earlier.since, now.since), changes)


Decided = tuple[FloatArray, FloatArray, FloatArray, list[Verdict]]


def _decide_shares(
    couples: Sequence[Couple], confidence: float, comparisons: int
) -> Decided | None:
    """Return intervals, p values and verdicts for the change of each share.

    Returns None if the reports about an answer depend on more than the answer's share.
    """
    sides = [[value.side for value in values] for values in zip(*couples, strict=True)]
    if any(side is None for version in sides for side in version):
        return None
    names = ("n", "hits", "slope", "intercept")
    joined = [
        GroupReports(*(np.concatenate([getattr(each, name) for each in version]) for name in names))
        for version in sides
    ]
    both = Differences(joined[0], joined[1], confidence, comparisons)
    verdicts = [WORDS.get(verdict, "no_clear_change") for verdict in both.verdicts]
    return both.separate_intervals, both.simultaneous_intervals, both.p_values, verdicts


def _judge_mean_changes(couples: Sequence[Couple], confidence: float, comparisons: int) -> Decided:
    """Return intervals, p values and verdicts for the change in each mean; only the verdicts are
    corrected for multiple comparisons.
    """
    values = np.array([one.value - other.value for one, other in couples])
    errors = np.array([np.hypot(_error(one), _error(other)) for one, other in couples])
    z = np.divide(values, errors, out=np.zeros_like(values), where=errors > 0)
    quantiles = [normal_quantile(1 - (1 - confidence) / family) for family in (1, comparisons)]
    ends = [
        np.stack([values - each * errors, values + each * errors], axis=1) for each in quantiles
    ]
    clear = np.where(values > 0, "up", "down")
    verdicts = np.where(np.abs(z) > quantiles[1], clear, "no_clear_change")
    return (
        ends[0],
        ends[1],
        2 * ndtr(-np.abs(z)),
        np.where(errors == 0, "too_few_answers", verdicts).tolist(),
    )


def _error(value: Value) -> float:
    least = value.least_variance
    if value.part.is_mean and value.part.is_scrambled:
        given = value.part.unbiased_values[1]
        share = 1.0 if given is None else max(float(value.estimate.observed @ given), 1e-9)
        least = float(value.part.least_variances(np.array([value.value]))[0]) / share**2
    return mean_error([1], [value.n], [value.variance], least)
