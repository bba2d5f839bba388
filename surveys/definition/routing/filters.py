"""Whom the questions of a draft are asked: their own conditions with those of their sections, and what is wrong there.

A condition that a question started with may break when others are moved, renamed or deleted. It is kept as it is and
named by its place, and nothing can be published before it is mended.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from surveys.definition.kinds import kind_of
from surveys.definition.routing import condition_wording, conditions, paths
from surveys.definition.routing.conditions import Among, Condition
from surveys.models import Question

ADVICE = (
    "is sensitive: a condition on it would reveal its answer. Ask everyone instead, "
    "with a choice “Does not apply”."
)
MOST_NAMED = 6  # answers in a message


@dataclass(frozen=True)
class PathItem:
    """A question as the paths see it: its key, its number of answers and its condition."""

    key: str
    size: int
    when: Condition | None


@dataclass(frozen=True)
class Branching:
    """written: question key -> whom it is asked, in the terms of a draft. questions: all, in their order."""

    questions: tuple[Question, ...]
    written: Mapping[str, Condition]

    @cached_property
    def problems(self) -> dict[str, list[str]]:
        """Question key -> what is wrong with whom it is asked. Of the condition of a section its first question."""
        wrong_by_key = {
            key: list(dict.fromkeys(said))
            for key in self.written
            if (said := self._condition_problems(key))
        }
        return wrong_by_key | ({} if wrong_by_key else self._never())

    @cached_property
    def conditions(self) -> dict[str, Condition]:
        """Those of which nothing is wrong, in the codes of an instrument."""
        fine = {
            key: condition
            for key, condition in self.written.items()
            if not any(self._condition_problems(key))
        }
        return {
            key: conditions.map_leaves(condition, self._coded) for key, condition in fine.items()
        }

    @cached_property
    def asked(self) -> tuple[PathItem, ...]:
        return tuple(
            PathItem(each.key, _size(each), self.conditions.get(each.key))
            for each in self.questions
        )

    @cached_property
    def paths(self) -> tuple[frozenset[str], ...]:
        """As surveys.definition.routing.paths.skipped_by_path; a broken condition counts as none."""
        return paths.skipped_by_path(self.asked)

    def condition_text(self, key: str) -> str:
        """Return in words who is asked the question; empty if everyone is."""
        return (
            condition_wording.in_words(self.written[key], self._leaf_text)
            if key in self.written
            else ""
        )

    def questions_above(self, key: str) -> list[Question]:
        """Return the questions that decide whether this one is asked, directly or indirectly."""
        before = self._before(key)
        return [each for each in self.questions if each.key in before]

    def questions_below(self, key: str) -> list[Question]:
        """Return the questions whose condition names this one."""
        return [
            each
            for each in self.questions
            if each.key in self.written and key in self._parents(each.key)
        ]

    @cached_property
    def _indexes(self) -> dict[str, int]:
        """The index of each question by key."""
        return {question.key: place for place, question in enumerate(self.questions)}

    def _parents(self, key: str) -> set[str]:
        return (
            {leaf.of for leaf in conditions.iter_leaves(self.written[key])}
            if key in self.written
            else set()
        )

    def _condition_problems(self, key: str) -> list[str]:
        """Return what is wrong with the condition of a question."""
        return [
            said
            for leaf in conditions.iter_leaves(self.written[key])
            if (said := self._misfit(key, leaf))
        ]

    def _misfit(self, key: str, leaf: Among) -> str:
        """What is wrong with one part of the condition of a question."""
        place = self._indexes.get(leaf.of)
        if place is None:
            return f"It depends on “{leaf.of}”, which is not a question of this survey."
        parent = self.questions[place]
        if kind_of(parent).sensitive:
            return f"It depends on “{parent.text}”, which {ADVICE}"
        if place >= self._indexes[key]:
            return self._too_late(key, parent)
        if isinstance(leaf.answers, range):
            return _outside(parent, leaf.answers)
        return _unknown(parent, leaf.answers)

    def _too_late(self, key: str, parent: Question) -> str:
        if parent.key == key:
            return "It depends on its own answer."
        if key in self._before(parent.key):
            return f"It depends on “{parent.text}”, which itself depends on this question."
        return f"It depends on “{parent.text}”, which is asked after it. Move that question before this one."

    def _before(self, key: str) -> set[str]:
        """All on which a question depends, directly or not."""
        earlier: set[str] = set()
        waiting = [key]
        while waiting:
            new = self._parents(waiting.pop()) - earlier
            earlier |= new
            waiting += new
        return earlier

    def _never(self) -> dict[str, list[str]]:
        """The questions that nobody would be asked."""
        every = paths.all_paths(self.asked) or set()
        never = frozenset.intersection(*every) if every else frozenset()
        said = "No one would get this question: no combination of answers meets its condition."
        return {key: [said] for key in self.written if key in never}

    def _coded(self, leaf: Among) -> Among:
        parent = self.questions[self._indexes[leaf.of]]
        if isinstance(leaf.answers, range):
            low = parent.minimum or 0
            return replace(leaf, answers=range(leaf.answers.start - low, leaf.answers.stop - low))
        labels = _labels(parent)
        return replace(
            leaf, answers=tuple(sorted(labels.index(str(label)) for label in leaf.answers))
        )

    def _leaf_text(self, leaf: Among) -> str:
        """Return one comparison of a condition in words."""
        place = self._indexes.get(leaf.of)
        text = leaf.of if place is None else self.questions[place].whole
        return condition_wording.leaf_in_words(
            text, list(map(str, leaf.answers)), number=isinstance(leaf.answers, range)
        )


def build_branching(questions: Sequence[Question]) -> Branching:
    """Return the conditions of the questions of one survey, which must be in their order."""
    written: dict[str, Condition] = {}
    section = None
    for question in questions:
        own = conditions.parse(question.when) if question.when else None
        if question.section:
            section = own if question.when_section else None
            own = None if question.when_section else own
        if joint := conditions.combine_all(section, own):
            written[question.key] = joint
    return Branching(tuple(questions), written)


def iter_condition_problems(questions: Sequence[Question]) -> Iterator[tuple[int, Question, str]]:
    """Yield (number, question, message) for each broken condition."""
    wrong_by_key = build_branching(questions)
    for number, question in enumerate(questions, 1):
        for said in wrong_by_key.problems.get(question.key, ()):
            yield number, question, said


def rename_leaves(data: dict, leaf: Callable[[Among], Among]) -> dict:
    """Return a draft's condition with other leaves."""
    return conditions.condition_to_data(conditions.map_leaves(conditions.parse(data), leaf))


def _labels(question: Question) -> list[str]:
    return [choice.label for choice in question.choices.all()]


def _size(question: Question) -> int:
    """How many codes an answer has; one more where it may be declined."""
    traits = kind_of(question)
    if (
        traits.is_background_number
        and question.minimum is not None
        and question.maximum is not None
    ):
        return question.maximum - question.minimum + 1 + question.decline
    return 0 if traits.sensitive else question.choices.all().count() + question.decline


def _outside(parent: Question, wanted: range) -> str:
    if not kind_of(parent).is_number or parent.minimum is None or parent.maximum is None:
        return f"“{parent.text}” doesn’t ask for a number. Choose among its answers."
    if wanted and parent.minimum <= wanted[0] and wanted[-1] <= parent.maximum:
        return ""
    asked = f"{wanted[0]} to {wanted[-1]}" if wanted else f"{wanted.start} to {wanted.stop - 1}"
    return f"“{parent.text}” takes numbers from {parent.minimum} to {parent.maximum}; the condition says {asked}."


def _unknown(parent: Question, wanted: Sequence[object]) -> str:
    if kind_of(parent).is_number:
        return f"“{parent.text}” asks for a number. Choose a range of numbers."
    labels = _labels(parent)
    missing = [f"“{label}”" for label in wanted if label not in labels]
    if not missing and wanted:
        return ""
    there = ", ".join(f"“{label}”" for label in labels[:MOST_NAMED]) + (
        " …" if len(labels) > MOST_NAMED else ""
    )
    named = f"{', '.join(missing)} {'is not an answer' if len(missing) == 1 else 'are not answers'}"
    return f"{named if wanted else 'No answer is chosen'} to “{parent.text}”. It has {there}."
