"""All questions compared between groups: one family of comparisons decides page, JSON and files."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from mechanisms.planning import sample_size_of_groups
from mechanisms.planning.channels import Channel
from surveys.authoring.planning.precision import respondents_needed
from surveys.definition.instrument import QuestionDefinition
from surveys.results.analysis.groups.figure import AnswerRows, answer_rows
from surveys.results.analysis.groups.groups import ComparedAnswer, compare_questions, page_family
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import Group
from surveys.results.estimates.intervals import CONFIDENCE, IntervalOptions
from surveys.results.estimates.report import EVERYBODY
from surveys.results.report.groups import SideBySide, all_groups
from surveys.site.number_format import count_of, format_count, format_level
from surveys.statements.comparisons import Comparison, difference_sentences
from surveys.statements.family import Family
from surveys.statements.sentences import false_differences

# What a plan of groups aims at.
DIFFERENCE = 0.15
POWER = 0.8


@dataclass(frozen=True)
class ComparedQuestion:
    """A question whose answers are compared, at least one."""

    answers: tuple[ComparedAnswer, ...]

    @property
    def item(self) -> QuestionDefinition:
        """The question."""
        return self.answers[0].item

    @property
    def key(self) -> str:
        """The key of the question."""
        return self.item.key

    @property
    def name(self) -> str:
        """The short name of the question, or its text."""
        return self.item.short or self.item.full_text

    @property
    def text(self) -> str:
        """The text of the question, if it is not its name; else ""."""
        return self.item.full_text if self.item.short else ""

    @property
    def differences(self) -> list[Comparison]:
        """The differences of all answers."""
        differences: list[Comparison] = []
        for answer in self.answers:
            differences.extend(answer.differences)
        return differences

    @cached_property
    def sentences(self) -> list[str]:
        """The sentences about the differences of all answers."""
        name = self.name
        if len(self.answers) == 1:
            name = self.answers[0].quantity.name
        return difference_sentences(self.differences, name)

    @property
    def is_clear(self) -> bool:
        """True if some difference is clear."""
        return any(difference.is_clear for difference in self.differences)

    @property
    def is_informative(self) -> bool:
        """True if some range is short enough to compare anything."""
        return any(difference.is_informative for difference in self.differences)

    @cached_property
    def rows(self) -> list[AnswerRows]:
        """The rows of the figure on the page."""
        return answer_rows(self.answers)


@dataclass(frozen=True)
class GroupsPage:
    """The comparison of all questions. They are in the order of the survey."""

    sides: SideBySide
    questions: tuple[ComparedQuestion, ...]
    family: Family

    @property
    def by(self) -> QuestionDefinition:
        """The question that makes the groups."""
        return self.sides.by

    @property
    def n(self) -> int:
        """The number of responses."""
        n: int = self.sides.whole["n"]
        return n

    @property
    def confidence(self) -> float:
        """The confidence level of all comparisons together."""
        return self.family.confidence

    @property
    def comparisons(self) -> int:
        """The size of the family; 0 if nothing is compared."""
        return self.family.size if self.questions else 0

    @property
    def is_comparable(self) -> bool:
        """True if something is clear, or some range is short enough to compare anything."""
        return any(question.is_clear or question.is_informative for question in self.questions)

    @property
    def clear(self) -> list[ComparedQuestion]:
        """The questions with a clear difference."""
        return [question for question in self.questions if question.is_clear]

    @property
    def unclear(self) -> list[ComparedQuestion]:
        """The questions without a clear difference."""
        return [question for question in self.questions if not question.is_clear]

    @property
    def answers(self) -> Iterator[ComparedAnswer]:
        """The answers to all questions."""
        for question in self.questions:
            yield from question.answers

    @property
    def headline(self) -> str:
        """How many questions show a clear difference."""
        clear = len(self.clear)
        if not clear:
            return "No clear difference between groups"
        questions = "question" if len(self.questions) == 1 else "questions"
        verb = "shows" if clear == 1 else "show"
        return (
            f"{clear} of {len(self.questions)} {questions} {verb} a clear difference between groups"
        )

    @property
    def note(self) -> str:
        """Who is in no group."""
        return self.sides.note

    @property
    def methods(self) -> str:
        """How the groups were compared, for a paper."""
        questions = count_of(len(self.questions), "question was", "questions were")
        return (
            f"{questions} compared between groups by “{self.by.full_text}” "
            f"(n = {format_count(self.n)}): shares by score intervals (Mee 1984; "
            "Miettinen & Nurminen 1985), where reports are nearly certain by Newcombe’s (1998) "
            "from Clopper–Pearson ends; means by Wald’s, with the larger of the errors with own "
            "and with common variances. Each group was compared with the pooled reports of all "
            f"others, at {format_level(self.confidence)} for {self._family_in_words} "
            "(Bonferroni). A difference of shares was called clear only where an exact test agreed."
        )

    @property
    def _family_in_words(self) -> str:
        if self.comparisons == 1:
            return "the one difference"
        return f"all {format_count(self.comparisons)} differences together"

    @property
    def foot(self) -> str:
        """How often a page shows a difference where there is none."""
        return false_differences(self.confidence)

    def question(self, key: str) -> ComparedQuestion:
        """Return the question with this key. Raises KeyError if it is not on the page."""
        for question in self.questions:
            if question.key == key:
                return question
        raise KeyError(key)

    @property
    def responses_needed(self) -> str:
        """How many responses show a difference of 15 points between two groups: "1,400".

        The groups are of equal size, their shares are around a half, and it is shown in 8 of 10
        surveys. It is "" if no question has shares.
        """
        plans = []
        for item in self.sides.frozen.items:
            if item.mechanism and item.mechanism.line() is not None and not item.is_list:
                plans.append(_responses_needed(self.sides, item, self.family.size))
        if not plans:
            return ""
        step = 10 ** max(0, len(str(min(plans))) - 2)
        return format_count(math.ceil(min(plans) / step) * step)


def _responses_needed(sides: SideBySide, item: QuestionDefinition, comparisons: int) -> int:
    """Return how many responses a difference between two groups needs."""
    shares = 0.5 - DIFFERENCE / 2, 0.5 + DIFFERENCE / 2
    channel = Channel.of(item.mechanism, 1)
    size = sample_size_of_groups(channel, *shares, POWER, alpha=(1 - CONFIDENCE) / comparisons)
    return respondents_needed(2 * int(size), sides.frozen.expected_share_asked(item.key))


def groups_page(
    seen: ReaderView, by: str, *, asked: IntervalOptions | None = None, group: Group = EVERYBODY
) -> GroupsPage:
    """Return the page of a survey whose groups a question makes.

    by: the key of the question.

    Raises what `all_groups` raises.
    """
    return page_of(all_groups(seen, by, asked=asked, group=group))


def page_of(sides: SideBySide) -> GroupsPage:
    """Return the page of groups that have been made already."""
    return GroupsPage(
        sides=sides,
        questions=_questions(sides, sides.frozen.items),
        family=page_family(sides),
    )


def question_of_page(sides: SideBySide, key: str) -> ComparedQuestion:
    """Return one question as its page has it, without reading the answers to any other.

    Raises KeyError if it is not on the page.
    """
    items = [item for item in sides.frozen.items if item.key == key]
    questions = _questions(sides, items)
    if not questions:
        raise KeyError(key)
    return questions[0]


def _questions(
    sides: SideBySide, items: Sequence[QuestionDefinition]
) -> tuple[ComparedQuestion, ...]:
    """Return these questions with their answers, without those that are not compared."""
    answers = compare_questions(sides, items)
    by_question = groupby(answers, key=lambda answer: answer.item.key)
    return tuple(ComparedQuestion(tuple(of_question)) for _, of_question in by_question)
