"""The paths through a survey: which questions are asked of whom, as the answers that are sent as they are decide.

Who was asked can be told from what is sent, so a path is public; it never depends on a scrambled answer.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from math import prod
from typing import Protocol

import numpy as np

from surveys.definition.routing.conditions import Among, Condition, leaves, meets

MOST = 10_000  # combinations of answers that are gone through
COMPARED = 1_000  # paths with which others are compared, to leave out those that cannot be the costliest
ALL_ASKED: tuple[frozenset[str], ...] = (frozenset(),)


class PathQuestion(Protocol):
    """What of a question decides paths: surveys.definition.instrument.FrozenQuestion."""

    @property
    def key(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def when(self) -> Condition | None: ...


def left_out(items: Iterable[PathQuestion], answer: Callable[[str], int | None]) -> set[str]:
    """The keys of the questions that one person is not asked. answer: key -> code, None where there is none.

    Of a question that is not asked the answer counts for nothing.
    """
    out: set[str] = set()
    for item in items:
        if item.when and not meets(item.when, lambda leaf: leaf.of not in out and answer(leaf.of) in leaf.answers):
            out.add(item.key)
    return out


def rows_left_out(
    items: Iterable[PathQuestion], codes: Callable[[str], np.ndarray], missing: Mapping[str, np.ndarray]
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
            out[item.key] = ~meets(item.when, is_among)
    return out


def spared(items: Sequence[PathQuestion]) -> tuple[frozenset[str], ...]:
    """For each path the questions that are not asked on it; none for paths that leave out more than another.

    Where there are more than MOST combinations of answers: nothing, as if everything were asked.
    """
    found = every(items)
    if found is None:
        return ALL_ASKED
    least: list[frozenset[str]] = []
    for path in sorted(found, key=lambda path: (len(path), sorted(path))):
        if len(least) > COMPARED or not any(other <= path for other in least):
            least.append(path)
    return tuple(least)


def every(items: Sequence[PathQuestion]) -> set[frozenset[str]] | None:
    """All paths, each as the questions that are not asked on it; None where there are too many to go through."""
    tested = [leaf for item in items if item.when for leaf in leaves(item.when)]
    ways = {item.key: kinds for item in items if (kinds := _kinds(item, tested))}
    if prod(map(len, ways.values())) > MOST:
        return None
    asked = [item for item in items if item.when]
    return {frozenset(left_out(asked, dict(zip(ways, each, strict=True)).get)) for each in product(*ways.values())}


def _kinds(item: PathQuestion, tested: list[Among]) -> list[int]:
    """One code of each kind of answers that no condition tells apart; none where nothing depends on the question."""
    own = [leaf for leaf in tested if leaf.of == item.key]
    kinds = {tuple(code in leaf.answers for leaf in own): code for code in range(item.size)}
    return list(kinds.values()) if own else []


def bounds(items: Iterable[PathQuestion], item: PathQuestion) -> set[int]:
    """The codes of a question from which on a condition says something else than of the code before."""
    own = [leaf for each in items if each.when for leaf in leaves(each.when) if leaf.of == item.key]
    return {
        code for code in range(1, item.size + 1) for leaf in own if (code in leaf.answers) != (code - 1 in leaf.answers)
    }
