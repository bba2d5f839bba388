"""Invented people as a reader of the results sees them: everything, and nothing is stored."""

from collections.abc import Callable, Hashable, Iterator

import numpy as np

from surveys.definition.instrument import SurveyDefinition
from surveys.fieldwork.responses.records import count_responses, has_report
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.kept import Counted
from surveys.results.disclosure.subgroups import Group


class InventedView(ReaderView):
    """The view of people who are in no database. Whoever invents them sees everything."""

    def __init__(self, definition: SurveyDefinition, rows: np.ndarray) -> None:
        self.paper = definition
        self._rows = rows

    def rows(self, group: Group) -> Iterator[np.ndarray]:
        yield self._rows

    def cached_count(self, asked: tuple[Hashable, ...], count: Callable[[], Counted]) -> Counted:
        return count()

    def tally(self, group: Group) -> dict:
        return count_responses(self.paper, self._rows)

    def tallies_by(self, group: Group, key: str) -> tuple[int, int, list[dict]]:
        has_answer = has_report(self.paper, self._rows, key)
        codes = np.where(has_answer, self._rows[key], -1)
        size_by_key = {item.key: item.size for item in self.paper.items}
        tallies = []
        for code in range(size_by_key[key]):
            tallies.append(count_responses(self.paper, self._rows[codes == code]))
        return len(self._rows), len(self._rows), tallies
