"""Strata: the joint groups of up to three background questions, with the tally of the scrambled answers in each.

For whoever has the right to rows they are added up batch by batch, for everybody else they are unions of the stored
cut's cells (surveys.results.disclosure.access).
"""

from dataclasses import dataclass

import numpy as np

from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.fieldwork.responses.records import add_tallies, count_responses, has_report
from surveys.results.disclosure.access import GroupedView, ReaderView, scrambled_only
from surveys.results.disclosure.subgroups import Group

At = tuple[int, ...]  # the group of each question


@dataclass(frozen=True)
class Strata:
    """items: the questions, with the groups that their reader sees. left_out: people who lack an answer to one,
    or declined to give it."""

    items: tuple[QuestionDefinition, ...]
    tallies: dict[At, dict]
    left_out: int

    @property
    def n(self) -> int:
        return sum(each["n"] for each in self.tallies.values())

    def table(self, numbers: list[int]) -> np.ndarray:
        """A number for each stratum in the order of `tallies` -> a table with an axis for each question."""
        found = np.zeros([item.size for item in self.items], np.int64)
        for at, number in zip(self.tallies, numbers, strict=True):
            found[at] = number
        return found


def count_strata(seen: ReaderView, items: tuple[QuestionDefinition, ...], group: Group) -> Strata:
    """Return the tallies of all combinations of groups. Raises TooSmall."""
    keys = [item.key for item in items]
    everybody, found = (
        _of_cut(seen, keys, group)
        if isinstance(seen, GroupedView)
        else _of_rows(seen, items, group)
    )
    tallies = dict(sorted(found.items()))
    return Strata(items, tallies, everybody - sum(each["n"] for each in tallies.values()))


def _of_cut(seen: GroupedView, keys: list[str], group: Group) -> tuple[int, dict[At, dict]]:
    found: dict[At, dict] = {}
    everybody = 0
    for places, cell in seen.cells(group):
        everybody += cell["n"]
        if any(places[key] in seen.codes_without_answer(key) for key in keys):
            continue
        at = tuple(places[key] for key in keys)
        found[at] = add_tallies(found.get(at, {}), cell)
    return everybody, found


def _of_rows(
    seen: ReaderView, items: tuple[QuestionDefinition, ...], group: Group
) -> tuple[int, dict[At, dict]]:
    shape, frozen = [item.size for item in items], seen.paper

    def count() -> tuple[int, dict[At, dict]]:
        found: dict[At, dict] = {}
        everybody = 0
        for rows in seen.rows(group):
            everybody += len(rows)
            known = rows[np.logical_and.reduce([_is_known(frozen, rows, item) for item in items])]
            if not len(known):
                continue
            places = np.ravel_multi_index(
                [known[item.key].astype(np.int64) for item in items], shape
            )
            order = np.argsort(places, kind="stable")
            there, first = np.unique(places[order], return_index=True)
            for place, members in zip(there, np.split(known[order], first[1:]), strict=True):
                at = tuple(map(int, np.unravel_index(place, shape)))
                found[at] = add_tallies(found.get(at, {}), _tallied(frozen, members))
        return everybody, found

    return seen.cached_count(("strata", group, *(item.key for item in items)), count)


def _is_known(frozen: SurveyDefinition, rows: np.ndarray, item: QuestionDefinition) -> np.ndarray:
    there = has_report(frozen, rows, item.key)
    return there if item.decline_code is None else there & (rows[item.key] != item.decline_code)


def _tallied(frozen: SurveyDefinition, rows: np.ndarray) -> dict:
    added = count_responses(frozen, rows)
    counted = {name: scrambled_only(frozen, part) for name, part in added.items() if name != "n"}
    return {"n": added["n"]} | counted
