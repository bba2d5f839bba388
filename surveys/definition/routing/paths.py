"""The paths through a survey: which questions are asked of whom, as the answers that are sent as they are decide.

Who was asked can be told from what is sent, so a path is public; it never depends on a scrambled answer.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np

from surveys.definition.routing.conditions import Among, Condition, evaluate, iter_leaves
from surveys.site.byte_cache import ByteCache

MOST = 10_000  # ways that are gone on at once
COMPARED = (
    1_000  # paths with which others are compared, to leave out those that cannot be the costliest
)
WALKED: ByteCache[set[int] | None] = ByteCache(
    8_000_000, lambda paths: 100 * len(paths or ()) + 1_000
)
ALL_ASKED: tuple[frozenset[str], ...] = (frozenset(),)


class ConditionalQuestion(Protocol):
    """A question that is asked on a condition, or of everyone: surveys.definition.response_format.ReportFormat."""

    @property
    def key(self) -> str: ...
    @property
    def when(self) -> Condition | None: ...


class PathQuestion(ConditionalQuestion, Protocol):
    """A question whose answers decide paths: surveys.definition.instrument.QuestionDefinition."""

    @property
    def size(self) -> int: ...


def left_out(items: Iterable[ConditionalQuestion], answer: Callable[[str], int | None]) -> set[str]:
    """The keys of the questions that one person is not asked. answer: key -> code, None where there is none.

    Of a question that is not asked the answer counts for nothing.
    """
    out: set[str] = set()
    for item in items:
        if item.when and not evaluate(
            item.when, lambda leaf: leaf.of not in out and answer(leaf.of) in leaf.answers
        ):
            out.add(item.key)
    return out


def rows_left_out(
    items: Iterable[ConditionalQuestion],
    codes: Callable[[str], np.ndarray],
    missing: Mapping[str, np.ndarray],
) -> dict[str, np.ndarray]:
    """The same of many: key of a question with a condition -> who is not asked it, shape (n,).

    codes: question key -> the code of each. missing: question key -> who gave no answer.
    """
    out: dict[str, np.ndarray] = {}

    def is_among(leaf: Among) -> np.ndarray:
        found = np.isin(codes(leaf.of), np.array(leaf.answers))
        for absent in (missing.get(leaf.of), out.get(leaf.of)):
            found = found if absent is None else found & ~absent
        return found

    for item in items:
        if item.when:
            out[item.key] = ~evaluate(item.when, is_among)
    return out


def skipped_by_path(items: Sequence[PathQuestion]) -> tuple[frozenset[str], ...]:
    """Return, for each path, the questions that are not asked on it, without paths that another one covers.

    Where there are more than MOST: nothing, as if everything were asked.
    """
    walked = _paths(items)
    if walked is None:
        return ALL_ASKED
    least: list[int] = []
    for path in sorted(walked, key=lambda path: (path.bit_count(), path)):
        if len(least) > COMPARED or not any(other & path == other for other in least):
            least.append(path)
    return tuple(_named(items, path) for path in least)


def all_paths(items: Sequence[PathQuestion]) -> set[frozenset[str]] | None:
    """Return all paths as sets of skipped questions; None if there are too many."""
    walked = _paths(items)
    return None if walked is None else {_named(items, path) for path in walked}


def _named(items: Sequence[PathQuestion], path: int) -> frozenset[str]:
    return frozenset(item.key for place, item in enumerate(items) if path >> place & 1)


def _paths(items: Sequence[PathQuestion]) -> set[int] | None:
    """A page of a draft asks several times, and so does the next page."""
    return WALKED.get(
        tuple((item.key, item.size, item.when) for item in items), lambda: _walked(items)
    )


def _walked(items: Sequence[PathQuestion]) -> set[int] | None:
    """All paths, a bit for each question that is not asked; None where there are more than MOST ways to be on one.

    Question by question: people who are left out of the same, and whose answers mean the same for every condition that
    is still to come, go on as one. So conditions that follow one another add up, and do not multiply.
    """
    tested = [
        (place, leaf)
        for place, item in enumerate(items)
        if item.when
        for leaf in iter_leaves(item.when)
    ]
    last = {leaf: place for place, leaf in tested}
    bits = {leaf: 1 << number for number, leaf in enumerate(last)}
    places = {item.key: place for place, item in enumerate(items)}
    # A broken draft may ask for an answer before it is given: then it is known from the start.
    early = {leaf.of for place, leaf in tested if places.get(leaf.of, -1) >= place}
    ways = {(0, 0)}  # (left out, which of the leaves hold)
    for key in early:
        ways = {
            (out, holds | kind) for out, holds in ways for kind in _kinds(items[places[key]], bits)
        }
    for place, item in enumerate(items):
        own = sum(bit for leaf, bit in bits.items() if leaf.of == item.key)
        needed = sum(bit for leaf, bit in bits.items() if last[leaf] > place)
        kinds = {0} if item.key in early else _kinds(item, bits)
        if item.when:
            mine = sum({bits[leaf] for leaf in iter_leaves(item.when)})
            meeting = {holds & mine for _, holds in ways}
            meeting = {
                held
                for held in meeting
                if evaluate(item.when, lambda leaf, held=held: bool(held & bits[leaf]))
            }
            left = {
                (out | 1 << place, holds & needed & ~own)
                for out, holds in ways
                if holds & mine not in meeting
            }
            asked = [(out, holds) for out, holds in ways if holds & mine in meeting]
        elif own or any(until == place for until in last.values()):
            left, asked = set(), list(ways)
        else:
            continue
        ways = left.union(
            *({(out, (holds | kind) & needed) for out, holds in asked} for kind in kinds)
        )
        if len(ways) > MOST:
            return None
    return {out for out, _ in ways}


def _kinds(item: PathQuestion, bits: Mapping[Among, int]) -> set[int]:
    """Which leaves can hold together for an answer to this question; none of them where nothing depends on it."""
    own = [(leaf.answers, bit) for leaf, bit in bits.items() if leaf.of == item.key]
    return (
        {sum(bit for answers, bit in own if code in answers) for code in range(item.size)}
        if own
        else {0}
    )


def condition_boundaries(items: Iterable[PathQuestion], item: PathQuestion) -> set[int]:
    """Return the codes of a question at which the value of some condition changes."""
    own = [
        leaf
        for each in items
        if each.when
        for leaf in iter_leaves(each.when)
        if leaf.of == item.key
    ]
    return {
        code
        for code in range(1, item.size + 1)
        for leaf in own
        if (code in leaf.answers) != (code - 1 in leaf.answers)
    }
