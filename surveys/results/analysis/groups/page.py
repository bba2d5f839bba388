"""All questions compared between groups: one family of comparisons decides page, JSON and files."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from mechanisms.planning import sample_size_of_groups
from mechanisms.planning.channels import Channel
from surveys.authoring.planning.precision import respondents_needed
from surveys.definition.instrument import QuestionDefinition
from surveys.results.analysis.groups.figure import AnswerRows, answer_rows
from surveys.results.analysis.groups.groups import (
    Comparison,
    compared_answers,
    family_in_words,
    no_difference,
)
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import Group
from surveys.results.estimates.intervals import CONFIDENCE, IntervalOptions
from surveys.results.estimates.report import EVERYBODY
from surveys.results.report.groups import SideBySide, all_groups
from surveys.site.number_format import count_of, format_count, format_level

WORTH = 0.25  # half a range of a difference, of shares or as a part of the scale: wider ones compare nothing
DIFFERENCE, POWER = 0.15, 0.8  # what a plan of groups aims at


@dataclass(frozen=True)
class ComparedQuestion:
    """answers: those of one question, at least one."""

    answers: tuple[Comparison, ...]

    @property
    def item(self) -> QuestionDefinition:
        return self.answers[0].item

    @property
    def key(self) -> str:
        return self.item.key

    @property
    def name(self) -> str:
        return self.item.short or self.item.full_text

    @property
    def text(self) -> str:
        """The question's own words, where they are not its name."""
        return self.item.full_text if self.item.short else ""

    @cached_property
    def sentences(self) -> list[str]:
        """What is clear, the largest difference first; else how large one can still be; and where too few answered."""
        clear = [(each, answer) for answer in self.answers for each in answer.clear]
        clear.sort(key=lambda pair: -abs(pair[0].difference))
        sentences = [each.sentence(self._what(answer), answer.confidence) for each, answer in clear]
        if not clear:
            sentences = [no_difference(self.name, self.answers)]
        return sentences + [sentence for answer in self.answers for sentence in answer.too_few]

    def _what(self, answer: Comparison) -> str:
        return self.name if len(self.answers) == 1 else f"{self.name}, “{answer.answer}”"

    @property
    def is_clear(self) -> bool:
        return any(answer.clear for answer in self.answers)

    @property
    def is_worth_it(self) -> bool:
        """Whether some range is narrow enough to compare anything."""
        return any(_half(answer) < WORTH for answer in self.answers)

    @cached_property
    def rows(self) -> list[AnswerRows]:
        return answer_rows(self.answers)


def _half(answer: Comparison) -> float:
    """Of the narrowest range half its length, of a mean as a part of its scale."""
    span = answer.item.answer_values[-1] - answer.item.answer_values[0] if answer.is_mean else 1
    return (
        min((high - low) / 2 for low, high in (each.simultaneous for each in answer.differences))
        / span
    )


@dataclass(frozen=True)
class GroupsPage:
    """questions: in the order of the survey. n: responses that are looked at."""

    sides: SideBySide
    questions: tuple[ComparedQuestion, ...]

    @property
    def by(self) -> QuestionDefinition:
        return self.sides.by

    @property
    def n(self) -> int:
        n: int = self.sides.whole["n"]
        return n

    @property
    def confidence(self) -> float:
        return self.sides.asked.confidence

    @property
    def comparisons(self) -> int:
        """Of the family."""
        return self.questions[0].answers[0].comparisons if self.questions else 0

    @property
    def is_comparable(self) -> bool:
        """Whether something is clear, or some range is narrow enough."""
        return any(question.is_clear or question.is_worth_it for question in self.questions)

    @property
    def clear(self) -> list[ComparedQuestion]:
        return [question for question in self.questions if question.is_clear]

    @property
    def unclear(self) -> list[ComparedQuestion]:
        return [question for question in self.questions if not question.is_clear]

    @property
    def answers(self) -> Iterator[Comparison]:
        return (answer for question in self.questions for answer in question.answers)

    @property
    def headline(self) -> str:
        clear, of = len(self.clear), len(self.questions)
        if not clear:
            return "No clear difference between groups"
        shows = "shows" if clear == 1 else "show"
        return f"{clear} of {of} question{'' if of == 1 else 's'} {shows} a clear difference between groups"

    @property
    def note(self) -> str:
        return self.sides.note

    @property
    def methods(self) -> str:
        """For a paper."""
        questions = count_of(len(self.questions), "question was", "questions were")
        return (
            f"{questions} compared between groups by “{self.by.full_text}” "
            f"(n = {format_count(self.n)}): shares by score intervals (Mee 1984; "
            "Miettinen & Nurminen 1985), where reports "
            "are nearly certain by Newcombe’s (1998) from Clopper–Pearson ends; means by Wald’s, with the larger of "
            "the errors with own and with common variances. Each group was compared with the pooled reports of all "
            f"others, at {format_level(self.confidence)} for {self._family} (Bonferroni). "
            "A difference of shares was called clear only where an exact test agreed."
        )

    @property
    def _family(self) -> str:
        if self.comparisons == 1:
            return "the one difference"
        return f"all {format_count(self.comparisons)} differences together"

    @property
    def foot(self) -> str:
        return family_in_words(self.confidence)

    def question(self, key: str) -> ComparedQuestion:
        """KeyError for a question that is not on the page."""
        return {each.key: each for each in self.questions}[key]

    @property
    def responses_needed(self) -> str:
        """ "1,400": how many responses show a difference of 15 points between two groups of equal size, around a half,
        in 8 of 10 surveys; empty where no question tells shares.
        """
        tests = [
            item
            for item in self.sides.frozen.items
            if item.mechanism and item.mechanism.line() is not None
        ]
        plans = [
            _responses_needed(self.sides, item, self.comparisons or 1)
            for item in tests
            if not item.is_list
        ]
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
    """Raises what surveys.results.report.groups.all_groups does."""
    sides = all_groups(seen, by, asked=asked, group=group)
    return page_of(sides)


def page_of(sides: SideBySide) -> GroupsPage:
    """Of groups that are there already."""
    by_question = groupby(compared_answers(sides), key=lambda answer: answer.item.key)
    return GroupsPage(sides, tuple(ComparedQuestion(tuple(answers)) for _, answers in by_question))
