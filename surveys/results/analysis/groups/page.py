"""The comparison of all questions: one family of comparisons decides page, JSON and files."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from mechanisms.planning import sample_size_of_groups
from mechanisms.planning.channels import Channel
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.results.analysis.groups.figure import AnswerRows, answer_rows
from surveys.results.analysis.groups.groups import ComparedAnswer, compare_questions, page_family
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import Group
from surveys.results.estimates.intervals import IntervalOptions
from surveys.results.estimates.report import EVERYBODY
from surveys.results.report.groups import SideBySide, all_groups
from surveys.site.number_format import (
    count_of,
    format_count,
    format_level,
    round_up_to_two_digits,
)
from surveys.statements.comparisons import Comparison, difference_sentences
from surveys.statements.family import Family
from surveys.statements.plans import people_for_shares
from surveys.statements.sentences import false_differences

# The shares of two groups that a plan tells apart: 15 points around a half.
HIGHER_SHARE, LOWER_SHARE = 0.575, 0.425


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
        """The number of questions that show a clear difference, as a sentence."""
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
        """The note on people who are in no group."""
        return self.sides.note

    @property
    def methods(self) -> str:
        """The methods of the comparison, for a paper."""
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
        """The sentence on how often a page shows a difference where there is none."""
        return false_differences(self.confidence)

    def question(self, key: str) -> ComparedQuestion:
        """Return the question with this key. Raises KeyError if it is not on the page."""
        for question in self.questions:
            if question.key == key:
                return question
        raise KeyError(key)

    @property
    def responses_needed(self) -> str:
        """How many responses show a difference of 15 points in 80 of 100 surveys: "1,400".

        The difference is between two groups of equal size, around a half, in the question that
        needs the fewest responses. It is "" if no question tells shares.
        """
        plans = [
            DesignPlan.for_question(self.sides.frozen, item)
            for item in self.sides.frozen.items
            if item.mechanism and item.mechanism.line() and not item.is_list
        ]
        if not plans:
            return ""
        # The exact number takes half a second, so it is computed for one design only.
        plan = min(plans, key=lambda plan: plan.approximate_size)
        people = people_for_shares(
            plan.channel,
            share=HIGHER_SHARE,
            other_share=LOWER_SHARE,
            part=0.5,
            family=self.family,
        )
        if people is None:
            return ""
        return format_count(round_up_to_two_digits(math.ceil(people / plan.share_reporting)))


@dataclass(frozen=True)
class DesignPlan:
    """The design of a question, and the share of all people whose reports are about one answer."""

    channel: Channel
    share_reporting: float

    @classmethod
    def for_question(cls, definition: SurveyDefinition, item: QuestionDefinition) -> "DesignPlan":
        """Return the plan of a question whose reports have a line for each answer."""
        asked = float(definition.expected_share_asked(item.key))
        return cls(
            channel=Channel.of(item.mechanism, 1),
            share_reporting=asked * item.mechanism.reported_fraction,
        )

    @property
    def approximate_size(self) -> float:
        """About how many people a single comparison needs, to find the cheapest design."""
        reports_channel = Channel(self.channel.p, self.channel.q)
        size = sample_size_of_groups(reports_channel, HIGHER_SHARE, LOWER_SHARE)
        return int(size) / self.share_reporting


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
