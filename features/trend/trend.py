"""The trend: how answers changed since an earlier version, in all questions that both ask alike.

All changes are one family of comparisons, in which the version of now is the first side. From how
many responses on the level holds is in docs/statistics.md, "Trends".
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from features.trend.change import AnswerChange, ChangedQuestion, QuestionName
from features.trend.versions import change_of_words, day_names, has_same_answers, published_on
from mechanisms import Estimate
from surveys.definition.instrument import QuestionDefinition
from surveys.models import Survey
from surveys.results.analysis.groups.values import GroupEstimate
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.disclosure.access import ReaderView
from surveys.results.estimates.intervals import CONFIDENCE
from surveys.results.estimates.question_report import YES
from surveys.results.estimates.report import SurveyReport, report
from surveys.site.number_format import count_of, format_count
from surveys.statements.changes import Change
from surveys.statements.comparisons import SidePair, compare, mean_difference, share_difference
from surveys.statements.family import Family
from surveys.statements.quantity import Quantity

# The responses that each version needs, so that the level holds: with one design, with two, and if
# only one version scrambles the answers.
ONE_DESIGN = 30
TWO_DESIGNS = 100
ONE_SCRAMBLED = 300
# The design whose reports need a regression.
RAPPOR = "rappor"
SAME_PEOPLE = "If the same people answered again, the ranges are wider than necessary."
CAUSE = "A change is not a cause."


class NothingInCommon(ValueError):
    """Raised if no question of the two versions can be compared; `left_out` says why."""

    def __init__(self, left_out: Sequence["LeftOut"]) -> None:
        super().__init__("Nothing in these two versions can be compared.")
        self.left_out = tuple(left_out)


@dataclass(frozen=True)
class Version:
    """One of two versions, as its reader sees it.

    since: the day on which it was published, as briefly as sentences name it.
    """

    survey: Survey
    published: date
    since: str
    n: int

    @property
    def slug(self) -> str:
        """The slug of the survey."""
        return self.survey.slug

    @property
    def title(self) -> str:
        """The title of the survey."""
        return self.survey.title


@dataclass(frozen=True)
class LeftOut:
    """A question that is not compared, and why."""

    name: QuestionName
    why: str

    @property
    def sentence(self) -> str:
        """The reason as a sentence."""
        return f"Not compared: {self.why}."


@dataclass(frozen=True)
class Trend:
    """The changes of all questions since an earlier version, those with a clear change first."""

    earlier: Version
    now: Version
    family: Family
    questions: tuple[ChangedQuestion, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def confidence(self) -> float:
        """The confidence level of all changes together."""
        return self.family.confidence

    @property
    def comparisons(self) -> int:
        """The number of changes."""
        return self.family.size

    @property
    def versions(self) -> tuple[Version, Version]:
        """The earlier version, and that of now."""
        return self.earlier, self.now

    @property
    def clear(self) -> list[ChangedQuestion]:
        """The questions with a clear change."""
        return [question for question in self.questions if question.is_clear]

    @property
    def other(self) -> list[ChangedQuestion]:
        """The questions without a clear change."""
        return [question for question in self.questions if not question.is_clear]

    @property
    def headline(self) -> str:
        """The first clear change, or that there is none."""
        if self.clear:
            return self.clear[0].main.sentence
        return f"No clear change since {self.earlier.since}"

    @property
    def summary(self) -> str:
        """The number of questions that show a clear change, as a sentence."""
        clear = len(self.clear)
        total = count_of(len(self.questions), "question", "questions")
        verb = "shows" if clear == 1 else "show"
        return (
            f"{format_count(clear)} of {total} asked the same way {verb} a clear change"
            f"{self._so_far}."
        )

    @property
    def sizes(self) -> str:
        """The numbers of responses that both versions have."""
        then = count_of(self.earlier.n, "response", "responses")
        return f"{then} then, {format_count(self.now.n)} now{self._so_far}."

    @property
    def _so_far(self) -> str:
        return "" if self.now.survey.is_over else " so far"


@dataclass(frozen=True)
class _VersionOfQuestion:
    """A question in one of two versions.

    item: the question as it was published.
    visible_item: the question as its reader sees it.
    estimate: what the library estimated; None if there are no responses.
    """

    view: ReaderView
    item: QuestionDefinition
    visible_item: QuestionDefinition | None
    estimate: Estimate | None


@dataclass(frozen=True)
class _AnswerOfBoth:
    """One answer, or the mean, in the version of now and in the earlier one."""

    name: QuestionName
    quantity: Quantity
    now: GroupEstimate
    earlier: GroupEstimate

    @property
    def sides(self) -> SidePair:
        """The sides that are compared."""
        return SidePair(self.quantity, self.now.side, self.earlier.side)


def trend(now: ReaderView, earlier: ReaderView, confidence: float = CONFIDENCE) -> Trend:
    """Return the changes between two versions, as one reader sees the reports of both.

    Raises NothingInCommon if no question can be compared.
    """
    report_now = report(now.instrument, confidence, seen=now)
    report_earlier = report(earlier.instrument, confidence, seen=earlier)
    versions_now = _questions_of_version(now, report_now)
    versions_earlier = _questions_of_version(earlier, report_earlier)

    answers_by_key: dict[str, list[_AnswerOfBoth]] = {}
    left_out = []
    for key in dict.fromkeys([*versions_now, *versions_earlier]):
        question_now = versions_now.get(key)
        question_earlier = versions_earlier.get(key)
        problem = _question_problem(question_now, question_earlier)
        answers: list[_AnswerOfBoth] = []
        if not problem:
            answers = _answers_of_both(question_now, question_earlier)
            problem = "" if answers else "too few responses"
        if problem:
            any_version = question_now or question_earlier
            left_out.append(LeftOut(QuestionName.for_question(any_version.item), problem))
        else:
            answers_by_key[key] = answers
    if not answers_by_key:
        raise NothingInCommon(left_out)

    version_now, version_earlier = _versions(now, report_now, earlier, report_earlier)
    family = Family(size=sum(map(len, answers_by_key.values())), confidence=confidence)
    questions = _changed_questions(answers_by_key, version_now, version_earlier, family)
    questions.sort(key=lambda question: not question.is_clear)
    return Trend(
        earlier=version_earlier,
        now=version_now,
        family=family,
        questions=tuple(questions),
        left_out=tuple(left_out),
    )


def _versions(
    now: ReaderView, report_now: SurveyReport, earlier: ReaderView, report_earlier: SurveyReport
) -> tuple[Version, Version]:
    """Return the version of now and the earlier one."""
    survey_now, survey_earlier = now.instrument.survey, earlier.instrument.survey
    day_now, day_earlier = published_on(survey_now), published_on(survey_earlier)
    name_earlier, name_now = day_names(day_earlier, day_now)
    return (
        Version(survey=survey_now, published=day_now, since=name_now, n=report_now.n),
        Version(
            survey=survey_earlier, published=day_earlier, since=name_earlier, n=report_earlier.n
        ),
    )


def _questions_of_version(view: ReaderView, result: SurveyReport) -> dict[str, _VersionOfQuestion]:
    """Return the questions of a version by their keys."""
    visible_items = {item.key: item for item in view.definition.items}
    estimates = {question.key: question.basis for question in result.questions}
    questions = {}
    for item in view.paper.items:
        questions[item.key] = _VersionOfQuestion(
            view=view,
            item=item,
            visible_item=visible_items.get(item.key),
            estimate=estimates.get(item.key),
        )
    return questions


def _question_problem(now: _VersionOfQuestion | None, earlier: _VersionOfQuestion | None) -> str:
    """Return why a question is not compared; "" if it may be."""
    if now is None:
        return "only the earlier version has this question"
    if earlier is None:
        return "only the new version has this question"
    problem = (
        _kind_problem(now.item)
        or _kind_problem(earlier.item)
        or change_of_words((now.view.paper, now.item), (earlier.view.paper, earlier.item))
    )
    if problem:
        return problem
    key = now.item.key
    if not (now.view.is_visible(key) and earlier.view.is_visible(key)):
        return "you can’t see this question in both reports"
    if not has_same_answers(now.visible_item, earlier.visible_item):
        return "the two reports show it in different groups"
    return _mean_problem(now.item, earlier.item)


def _mean_problem(now: QuestionDefinition, earlier: QuestionDefinition) -> str:
    """Return why the means of two versions are not compared; "" if they may be, or there are none."""
    has_mean = SurveyVariable(now).is_mean or SurveyVariable(earlier).is_mean
    if has_mean and now.answer_values != earlier.answer_values:
        return "the values of its answers changed, so the two means can’t be compared"
    return ""


def _kind_problem(item: QuestionDefinition) -> str:
    """Return why questions of a kind are never compared; "" if they may be."""
    if item.is_written:
        return "short texts have no trend"
    if item.is_list:
        return "long lists have no trend"
    if item.mechanism is not None and item.mechanism.name == RAPPOR:
        return "its design has no trend"
    return ""


def _answers_of_both(now: _VersionOfQuestion, earlier: _VersionOfQuestion) -> list[_AnswerOfBoth]:
    """Return the answers whose changes are decided, or none if a version has too few responses."""
    item_now, item_earlier = now.visible_item, earlier.visible_item
    if now.estimate is None or earlier.estimate is None:
        return []
    name = QuestionName.for_question(now.item)
    among = getattr(now.item.condition_text, "among", "")
    is_mean = SurveyVariable(item_now).is_mean or SurveyVariable(item_earlier).is_mean
    codes = [None] if is_mean else _compared_codes(item_now, item_earlier)

    answers = []
    for code in codes:
        answer_name = name
        if len(codes) > 1:
            answer_name = replace(name, answer=item_now.choices[code])
        if code is None:
            label = name.short
            quantity = mean_difference(item_now, name.short, among)
        else:
            label = item_now.choices[code]
            quantity = share_difference(answer_name.with_answer, among)
        answer = _AnswerOfBoth(
            name=answer_name,
            quantity=quantity,
            now=GroupEstimate(label, SurveyVariable(item_now, code), now.estimate),
            earlier=GroupEstimate(label, SurveyVariable(item_earlier, code), earlier.estimate),
        )
        if not _has_enough(answer):
            return []
        answers.append(answer)
    return answers


def _compared_codes(now: QuestionDefinition, earlier: QuestionDefinition) -> Sequence[int]:
    """Return the codes of the answers that are compared: of yes/no questions only Yes.

    A question that is scrambled in one version only is a yes/no question there.
    """
    if now.size == 2 and (now.traits.has_yes or earlier.traits.has_yes):
        return [YES]
    return range(now.size)


def _has_enough(answer: _AnswerOfBoth) -> bool:
    """Return whether both versions have enough reports about an answer."""
    now, earlier = answer.now, answer.earlier
    least = TWO_DESIGNS
    if now.variable.is_scrambled != earlier.variable.is_scrambled:
        least = ONE_SCRAMBLED
    elif now.variable.item.mechanism == earlier.variable.item.mechanism:
        least = ONE_DESIGN
    return min(now.n, earlier.n) >= least and now.is_known and earlier.is_known


def _changed_questions(
    answers_by_key: dict[str, list[_AnswerOfBoth]],
    now: Version,
    earlier: Version,
    family: Family,
) -> list[ChangedQuestion]:
    """Return the questions with their changes, all of which are decided at once."""
    pairs = []
    for answers in answers_by_key.values():
        pairs.extend(answer.sides for answer in answers)
    # Two versions can have different designs, so their reports have no common variance.
    comparisons = iter(compare(pairs, family, has_common_variance=False))

    questions = []
    for answers in answers_by_key.values():
        changes = []
        for answer in answers:
            change = AnswerChange(
                name=answer.name,
                now=answer.now,
                earlier=answer.earlier,
                change=Change(next(comparisons), since=earlier.since),
            )
            changes.append(change)
        question = ChangedQuestion(
            name=replace(answers[0].name, answer=""),
            kind=answers[0].now.variable.item.kind,
            then=earlier.since,
            now=now.since,
            changes=tuple(changes),
        )
        questions.append(question)
    return questions
