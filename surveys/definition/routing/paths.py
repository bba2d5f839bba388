"""The paths through a survey: which questions each respondent is asked, by background answers.

Which questions somebody was asked can be seen from what is sent, so a path is public. For this
reason a path depends only on answers that are sent as they are, never on a scrambled answer.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np

from surveys.definition.routing.conditions import Among, Condition, evaluate, iter_leaves
from surveys.site.byte_cache import ByteCache

# The most states of respondents that are followed at the same time.
MOST_STATES = 10_000
# The most paths with which another one is compared, to leave out paths that they cover.
MOST_COMPARED = 1_000
# The results of `_cached_paths`, in at most 8 MB. A path takes about 100 bytes.
PATH_CACHE: ByteCache[set[int] | None] = ByteCache(
    8_000_000, lambda paths: 100 * len(paths or ()) + 1_000
)
# The only path of a survey in which everyone is asked every question.
ALL_ASKED: tuple[frozenset[str], ...] = (frozenset(),)

# A state of respondents on their way through the survey, as two sets of bits: the questions that
# were skipped so far (bit i is question i), and the comparisons of conditions that hold.
State = tuple[int, int]


class ConditionalQuestion(Protocol):
    """A question that is asked on a condition, or that everyone is asked (`when` is None).

    An example is surveys.definition.response_format.ReportFormat.
    """

    @property
    def key(self) -> str:
        """The variable name of the question, by which conditions refer to it."""

    @property
    def when(self) -> Condition | None:
        """The condition of the question, or None if everyone is asked it."""


class PathQuestion(ConditionalQuestion, Protocol):
    """A question whose answers can decide paths. It has `size` codes.

    An example is surveys.definition.instrument.QuestionDefinition.
    """

    @property
    def size(self) -> int:
        """The number of codes, which are 0, 1, 2 and so on.

        In a draft it is 0 for a sensitive question, since no condition can depend on its answer.
        """


def left_out(items: Iterable[ConditionalQuestion], answer: Callable[[str], int | None]) -> set[str]:
    """Return the keys of the questions that one respondent is not asked, by their conditions.

    The answer to a question that is not asked itself meets no condition.

    items: all questions of the survey, in their order.
    answer: a function that returns the code of the answer to the question with a key, or None if
        there is no answer.
    """
    skipped: set[str] = set()

    def is_among(leaf: Among) -> bool:
        """Return whether the respondent was asked the question and gave one of the answers."""
        return leaf.of not in skipped and answer(leaf.of) in leaf.answers

    for item in items:
        if item.when and not evaluate(item.when, is_among):
            skipped.add(item.key)
    return skipped


def rows_left_out(
    items: Iterable[ConditionalQuestion],
    codes: Callable[[str], np.ndarray],
    missing: Mapping[str, np.ndarray],
) -> dict[str, np.ndarray]:
    """Return which of n respondents are not asked each question that has a condition.

    The result maps the key of the question to a Boolean array of shape (n,), True for respondents
    who are not asked. The answer to a question that is not asked itself meets no condition.

    items: all questions of the survey, in their order.
    codes: a function that returns the codes of the answers to the question with a key, shape (n,).
    missing: by the key of a question, True for respondents without an answer, shape (n,).
    """
    skipped: dict[str, np.ndarray] = {}

    def is_among(leaf: Among) -> np.ndarray:
        """Return which respondents were asked the question and gave one of the answers."""
        gave_answer = np.isin(codes(leaf.of), np.array(leaf.answers))
        # Respondents without an answer have a code too, which means nothing.
        for without_answer in (missing.get(leaf.of), skipped.get(leaf.of)):
            if without_answer is not None:
                gave_answer = gave_answer & ~without_answer
        return gave_answer

    for item in items:
        if item.when:
            skipped[item.key] = ~evaluate(item.when, is_among)
    return skipped


def skipped_by_path(items: Sequence[PathQuestion]) -> tuple[frozenset[str], ...]:
    """Return, for each path, the keys of the questions that are not asked on it.

    A path is left out if another path asks all of its questions and more, except that such paths
    may stay in the result if it has more than MOST_COMPARED paths. If there are too many states to
    find the paths, the result is ALL_ASKED, as if every respondent were asked every question.

    So the result serves to find the largest privacy loss, or the most questions, of a respondent.
    """
    paths = _cached_paths(items)
    if paths is None:
        return ALL_ASKED

    # The bits of a path are the questions that it skips. Paths that skip few questions come first,
    # since only these can ask all questions of a later path.
    sorted_paths = sorted(paths, key=lambda path: (path.bit_count(), path))
    longest_paths: list[int] = []
    for path in sorted_paths:
        # Comparing every pair of paths would take too long if there are thousands. A covered path
        # that stays changes no maximum over the paths: it only takes time.
        is_compared = len(longest_paths) <= MOST_COMPARED
        # A path covers this one if this one skips all that it skips.
        is_covered = is_compared and any(other & path == other for other in longest_paths)
        if not is_covered:
            longest_paths.append(path)
    return tuple(_skipped_keys(items, path) for path in longest_paths)


def all_paths(items: Sequence[PathQuestion]) -> set[frozenset[str]] | None:
    """Return all paths as sets of keys of skipped questions, or None if there are too many."""
    paths = _cached_paths(items)
    if paths is None:
        return None
    return {_skipped_keys(items, path) for path in paths}


def condition_boundaries(items: Iterable[PathQuestion], item: PathQuestion) -> set[int]:
    """Return the codes of an item at which some condition starts or stops to hold.

    A code is a boundary if a comparison holds for it and not for the code before, or the reverse.
    So all codes from one boundary up to the next one lead to the same path. The first code, 0, is
    no boundary, since no code is before it.

    items: all questions of the survey.
    item: the question whose codes are meant.
    """
    leaves: list[Among] = []
    for other in items:
        if other.when:
            leaves += [leaf for leaf in iter_leaves(other.when) if leaf.of == item.key]

    boundaries = set()
    for code in range(1, item.size):
        for leaf in leaves:
            if (code in leaf.answers) != (code - 1 in leaf.answers):
                boundaries.add(code)
    return boundaries


def _skipped_keys(items: Sequence[PathQuestion], path: int) -> frozenset[str]:
    """Return the keys of the questions that a path skips.

    path: bits, of which bit i is 1 if the path skips question i.
    """
    return frozenset(item.key for index, item in enumerate(items) if path & (1 << index))


def _cached_paths(items: Sequence[PathQuestion]) -> set[int] | None:
    """Return all paths, as `_find_paths` does, from a cache. None means that there are too many.

    A page of a draft needs the paths several times, and so does the next page.
    """
    # Questions that agree in these attributes have the same paths, also if their texts differ.
    key = tuple((item.key, item.size, item.when) for item in items)
    return PATH_CACHE.get(key, lambda: _find_paths(items))


def _find_paths(items: Sequence[PathQuestion]) -> set[int] | None:
    """Return all paths as integers, in which bit i is set if question i is not asked.

    Return None if more than MOST_STATES states would have to be followed at the same time.

    The questions are gone through in their order. Respondents who skipped the same questions, and
    whose answers mean the same to all later conditions, are one state. So conditions on different
    questions, one after the other, add up and do not multiply.
    """
    # Each comparison has a bit, which is set in a state if the comparison holds.
    last_use = _last_uses(items)
    bits = {leaf: 1 << number for number, leaf in enumerate(last_use)}
    # At the start no question is skipped, and no comparison holds.
    states: set[State] = {(0, 0)}

    # The condition of a broken draft may depend on a question that comes later. The answer to such
    # a question counts as known from the start.
    indexes = {item.key: index for index, item in enumerate(items)}
    early_keys = _early_keys(items, indexes)
    for key in early_keys:
        states = _add_answers(states, _answer_bits(items[indexes[key]], bits))

    for index, item in enumerate(items):
        own_bits = sum(bit for leaf, bit in bits.items() if leaf.of == item.key)
        # Comparisons that no later condition uses are cleared, so that more states are equal.
        later_bits = sum(bit for leaf, bit in bits.items() if last_use[leaf] > index)
        if not item.when and not own_bits:
            # Everyone is asked it, and no condition depends on its answer, so no state changes.
            continue

        asked_states, skipping_states = _split_states(states, item.when, bits)
        # Respondents who skip a question meet no comparison with its answer.
        kept_bits = later_bits & ~own_bits
        states = {
            (skipped | 1 << index, holding & kept_bits) for skipped, holding in skipping_states
        }
        # The answer to a question that counts as known is already in the states.
        answers = {0} if item.key in early_keys else _answer_bits(item, bits)
        states |= _add_answers(asked_states, answers, later_bits)
        if len(states) > MOST_STATES:
            return None
    return {skipped for skipped, _ in states}


def _last_uses(items: Sequence[PathQuestion]) -> dict[Among, int]:
    """Return, for each comparison, the index of the last question whose condition contains it.

    After that question nobody needs to know any more if the comparison holds.
    """
    last_use: dict[Among, int] = {}
    for index, item in enumerate(items):
        if item.when:
            for leaf in iter_leaves(item.when):
                last_use[leaf] = index
    return last_use


def _early_keys(items: Sequence[PathQuestion], indexes: Mapping[str, int]) -> set[str]:
    """Return the keys of the questions on which an earlier question, or themselves, depend.

    Only the conditions of a broken draft do so. Keys of questions that do not exist are left out.

    indexes: the index of each question by key.
    """
    keys = set()
    for index, item in enumerate(items):
        if item.when:
            for leaf in iter_leaves(item.when):
                if indexes.get(leaf.of, -1) >= index:
                    keys.add(leaf.of)
    return keys


def _split_states(
    states: Iterable[State], condition: Condition | None, bits: Mapping[Among, int]
) -> tuple[list[State], list[State]]:
    """Return the states in which a condition holds, and the states in which it does not.

    condition: None for a condition that always holds.
    bits: the bit that stands for each comparison in the second number of a state.
    """
    if not condition:
        return list(states), []

    bits_of_condition = 0
    for leaf in iter_leaves(condition):
        bits_of_condition |= bits[leaf]

    # Many states have the same bits of this condition, which is evaluated once for all of them.
    result_by_bits: dict[int, bool] = {}
    meeting = []
    not_meeting = []
    for state in states:
        _, holding = state
        relevant_bits = holding & bits_of_condition
        if relevant_bits not in result_by_bits:
            result_by_bits[relevant_bits] = _holds(condition, relevant_bits, bits)
        if result_by_bits[relevant_bits]:
            meeting.append(state)
        else:
            not_meeting.append(state)
    return meeting, not_meeting


def _holds(condition: Condition, holding: int, bits: Mapping[Among, int]) -> bool:
    """Return whether a condition holds, by the comparisons that hold.

    holding: the bits of the comparisons that hold.
    bits: the bit that stands for each comparison.
    """

    def is_among(leaf: Among) -> bool:
        """Return whether one comparison holds."""
        return bool(holding & bits[leaf])

    return evaluate(condition, is_among)


def _add_answers(
    states: Iterable[State], answers: Iterable[int], needed_bits: int = -1
) -> set[State]:
    """Return the states after every possible answer to a question that was asked.

    states: the states before the answer.
    answers: for each possible answer, the bits of the comparisons that it meets.
    needed_bits: the comparisons that later conditions use; -1 for all. Other bits are cleared.
    """
    states = list(states)
    result: set[State] = set()
    for answer_bits in answers:
        result.update(
            (skipped, (holding | answer_bits) & needed_bits) for skipped, holding in states
        )
    return result


def _answer_bits(item: PathQuestion, bits: Mapping[Among, int]) -> set[int]:
    """Return, for each possible answer to a question, the bits of the comparisons that it meets.

    Answers that meet the same comparisons are one element of the result. If no condition depends
    on the question, the only element is 0.

    bits: the bit that stands for each comparison, of this question and of the others.
    """
    leaves = [leaf for leaf in bits if leaf.of == item.key]
    if not leaves:
        return {0}

    result = set()
    for code in range(item.size):
        result.add(sum(bits[leaf] for leaf in leaves if code in leaf.answers))
    return result
