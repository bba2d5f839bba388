"""Conditions of drafts: who is asked a question, by its own and its section's condition.

A condition can break when questions are moved, renamed or deleted. It is stored as it is, and a
message names its question. The survey cannot be published until the condition is repaired.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from surveys.definition.kinds import kind_of
from surveys.definition.routing import condition_wording, conditions, paths
from surveys.definition.routing.conditions import Among, Condition
from surveys.models import Question

# The end of the message on a condition that depends on a sensitive question.
ADVICE = (
    "is sensitive: a condition on it would reveal its answer. Ask everyone instead, "
    "with a choice “Does not apply”."
)
# The most answers that a message lists.
MOST_LISTED_ANSWERS = 6


@dataclass(frozen=True)
class PathItem:
    """A question without its texts, with all that decides the paths through a survey.

    `size` is the number of codes of its answers, and `when` is None if everyone is asked it.
    """

    key: str
    size: int
    when: Condition | None


@dataclass(frozen=True)
class Branching:
    """The conditions of all questions of a draft.

    `questions` are all questions in their order. `written` maps the key of a question to its
    condition as the author wrote it, which names answers by their labels.
    """

    questions: tuple[Question, ...]
    written: Mapping[str, Condition]

    @cached_property
    def problems(self) -> dict[str, list[str]]:
        """The messages on broken conditions, by the key of the question.

        If no condition is broken, these are the messages on questions that nobody would be asked.
        """
        problems: dict[str, list[str]] = {}
        for key in self.written:
            messages = self._condition_problems(key)
            if messages:
                problems[key] = list(dict.fromkeys(messages))
        if problems:
            return problems
        return self._unreachable_questions()

    @cached_property
    def conditions(self) -> dict[str, Condition]:
        """The conditions that are not broken, by the key of the question, in codes of answers."""
        condition_by_key = {}
        for key, condition in self.written.items():
            is_broken = bool(self._condition_problems(key))
            if not is_broken:
                condition_by_key[key] = conditions.map_leaves(condition, self._with_codes)
        return condition_by_key

    @cached_property
    def path_items(self) -> tuple[PathItem, ...]:
        """The questions as surveys.definition.routing.paths needs them, in their order.

        A question with a broken condition has none.
        """
        items = []
        for question in self.questions:
            size = _code_count(question)
            when = self.conditions.get(question.key)
            items.append(PathItem(key=question.key, size=size, when=when))
        return tuple(items)

    @cached_property
    def paths(self) -> tuple[frozenset[str], ...]:
        """The keys of the questions that are skipped, for each path through the survey.

        A broken condition counts as none. See surveys.definition.routing.paths.skipped_by_path.
        """
        return paths.skipped_by_path(self.path_items)

    def condition_text(self, key: str) -> str:
        """Return the condition of a question in words; empty if everyone is asked the question.

        It is a statement without an introduction: “Sex” is “Female”, and “Age” is 18 to 25.
        """
        if key not in self.written:
            return ""
        return condition_wording.in_words(self.written[key], self._leaf_text)

    def questions_above(self, key: str) -> list[Question]:
        """Return the questions that decide whether this one is asked, directly or indirectly."""
        keys = self._dependencies(key)
        return [question for question in self.questions if question.key in keys]

    def questions_below(self, key: str) -> list[Question]:
        """Return the questions whose condition names this one."""
        return [question for question in self.questions if key in self._parents(question.key)]

    @cached_property
    def _indexes(self) -> dict[str, int]:
        """The index of each question by key."""
        return {question.key: index for index, question in enumerate(self.questions)}

    def _parents(self, key: str) -> set[str]:
        """Return the keys of the questions that the condition of a question names."""
        if key not in self.written:
            return set()
        return {leaf.of for leaf in conditions.iter_leaves(self.written[key])}

    def _dependencies(self, key: str) -> set[str]:
        """Return the keys of all questions on which a question depends, directly or indirectly."""
        dependencies: set[str] = set()
        unvisited = [key]
        while unvisited:
            new_keys = self._parents(unvisited.pop()) - dependencies
            dependencies |= new_keys
            unvisited += new_keys
        return dependencies

    def _condition_problems(self, key: str) -> list[str]:
        """Return a message for each broken comparison in the condition of a question.

        The list is empty if the condition is not broken.

        key: the key of the question, which has a condition.
        """
        problems = []
        for leaf in conditions.iter_leaves(self.written[key]):
            problem = self._leaf_problem(key, leaf)
            if problem:
                problems.append(problem)
        return problems

    def _leaf_problem(self, key: str, leaf: Among) -> str:
        """Return a message if a comparison in the condition of a question is broken, or "".

        key: the key of the question.
        leaf: the comparison.
        """
        index = self._indexes.get(leaf.of)
        if index is None:
            return f"It depends on “{leaf.of}”, which is not a question of this survey."
        parent = self.questions[index]
        if kind_of(parent).sensitive:
            return f"It depends on “{parent.text}”, which {ADVICE}"
        if index >= self._indexes[key]:
            return self._order_problem(key, parent)
        if isinstance(leaf.answers, range):
            return _range_problem(parent, leaf.answers)
        return _labels_problem(parent, leaf.answers)

    def _order_problem(self, key: str, parent: Question) -> str:
        """Return the message on a condition that names its own question or a later one.

        key: the key of the question with the condition.
        parent: the question that the condition names.
        """
        if parent.key == key:
            return "It depends on its own answer."
        if key in self._dependencies(parent.key):
            return f"It depends on “{parent.text}”, which itself depends on this question."
        return (
            f"It depends on “{parent.text}”, which is asked after it. "
            "Move that question before this one."
        )

    def _unreachable_questions(self) -> dict[str, list[str]]:
        """Return, by key, a message for each question that nobody would be asked.

        The result is empty if there are too many paths through the survey to check.
        """
        # Each path has the set of the keys that are skipped on it.
        skipped_sets = paths.all_paths(self.path_items)
        if not skipped_sets:
            return {}
        # Nobody is asked what every path skips.
        unreachable = frozenset.intersection(*skipped_sets)
        message = "No one would get this question: no combination of answers meets its condition."
        return {key: [message] for key in self.written if key in unreachable}

    def _with_codes(self, leaf: Among) -> Among:
        """Return a comparison with codes of answers, as in instruments, in place of labels.

        leaf: a comparison of a condition that is not broken.
        """
        parent = self.questions[self._indexes[leaf.of]]
        if isinstance(leaf.answers, range):
            # The smallest number that can be answered has the code 0.
            smallest = parent.minimum or 0
            codes = range(leaf.answers.start - smallest, leaf.answers.stop - smallest)
            return replace(leaf, answers=codes)
        labels = _choice_labels(parent)
        sorted_codes = sorted(labels.index(str(label)) for label in leaf.answers)
        return replace(leaf, answers=tuple(sorted_codes))

    def _leaf_text(self, leaf: Among) -> str:
        """Return one comparison of a condition in words: “Sex” is “Female” or “Diverse”.

        If its question does not exist any more, the key stands in place of the text.
        """
        index = self._indexes.get(leaf.of)
        text = leaf.of if index is None else self.questions[index].whole
        # The conditions of a draft name answers by their labels, or by the numbers themselves.
        labels = [str(answer) for answer in leaf.answers]
        is_number = isinstance(leaf.answers, range)
        return condition_wording.leaf_in_words(text, labels, number=is_number)


def build_branching(questions: Sequence[Question]) -> Branching:
    """Return the conditions of the questions of one survey, which must be in their order.

    A condition of a section holds for all of its questions. It is stored at the first of them.
    """
    written: dict[str, Condition] = {}
    section_condition = None
    for question in questions:
        condition = conditions.parse(question.when) if question.when else None
        # A question with a heading starts a new section. Its condition is that of the section if
        # `when_section` is True, else its own.
        if question.section and question.when_section:
            section_condition = condition
            condition = None
        elif question.section:
            section_condition = None
        joint = conditions.combine_all(section_condition, condition)
        if joint:
            written[question.key] = joint
    return Branching(tuple(questions), written)


def iter_condition_problems(questions: Sequence[Question]) -> Iterator[tuple[int, Question, str]]:
    """Yield (number, question, message) for each problem of a condition.

    The number of the first question is 1.
    """
    branching = build_branching(questions)
    for number, question in enumerate(questions, 1):
        for message in branching.problems.get(question.key, ()):
            yield number, question, message


def rename_leaves(data: dict, leaf: Callable[[Among], Among]) -> dict:
    """Return a stored condition with every comparison replaced, as when a question gets a new key.

    data: the condition as a draft stores it. The result has the same form.
    leaf: a function that returns the new comparison for an old one.
    """
    condition = conditions.map_leaves(conditions.parse(data), leaf)
    return conditions.condition_to_data(condition)


def _choice_labels(question: Question) -> list[str]:
    """Return the labels of the choices of a question, in their order."""
    return [choice.label for choice in question.choices.all()]


def _code_count(question: Question) -> int:
    """Return how many codes the answers of a question have, or 0 for a sensitive question.

    Declining is one more code if it is allowed. As long as the smallest or the largest number is
    not set, a question that asks for a number has no other codes.
    """
    traits = kind_of(question)
    if traits.sensitive:
        # No condition can depend on the answer.
        return 0

    has_bounds = question.minimum is not None and question.maximum is not None
    if traits.is_number and has_bounds:
        n_codes = question.maximum - question.minimum + 1
    else:
        n_codes = question.choices.all().count()
    if question.decline:
        n_codes += 1
    return n_codes


def _range_problem(parent: Question, numbers: range) -> str:
    """Return why a condition cannot compare the answer to `parent` with a range of numbers, or "".

    It cannot if the question does not ask for a number between two limits, if there are no
    numbers, or if some of them are beyond the limits.

    parent: the question that the condition names.
    numbers: the numbers that meet the comparison.
    """
    minimum = parent.minimum
    maximum = parent.maximum
    if not kind_of(parent).is_number or minimum is None or maximum is None:
        return f"“{parent.text}” doesn’t ask for a number. Choose among its answers."
    if numbers and minimum <= numbers[0] and numbers[-1] <= maximum:
        return ""

    # `numbers` can be empty, if a condition goes from a larger number to a smaller one.
    lowest = numbers.start
    highest = numbers.stop - 1
    return (
        f"“{parent.text}” takes numbers from {minimum} to {maximum}; "
        f"the condition says {lowest} to {highest}."
    )


def _labels_problem(parent: Question, chosen_labels: Sequence[object]) -> str:
    """Return why a condition cannot compare the answer to `parent` with these labels, or "".

    It cannot if the question asks for a number, if there are no labels, or if one of them is not
    a choice of the question.

    parent: the question that the condition names.
    chosen_labels: the labels of the answers that meet the comparison.
    """
    if kind_of(parent).is_number:
        return f"“{parent.text}” asks for a number. Choose a range of numbers."
    labels = _choice_labels(parent)
    missing = [f"“{label}”" for label in chosen_labels if label not in labels]
    if chosen_labels and not missing:
        return ""

    possible = ", ".join(f"“{label}”" for label in labels[:MOST_LISTED_ANSWERS])
    if len(labels) > MOST_LISTED_ANSWERS:
        possible += " …"
    if not chosen_labels:
        problem = "No answer is chosen"
    elif len(missing) == 1:
        problem = f"{missing[0]} is not an answer"
    else:
        problem = f"{', '.join(missing)} are not answers"
    return f"{problem} to “{parent.text}”. It has {possible}."
