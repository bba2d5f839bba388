"""Arithmetic over the joint cells of a closing that are stored: which of them a group is, and what they add up to."""

from collections.abc import Mapping, Set

from surveys.definition.instrument import SurveyDefinition
from surveys.fieldwork.responses.records import add_tallies

CellTallies = dict[
    str, dict
]  # "0,2", the group of each question of the cut -> the tally of the scrambled answers


def group_indexes(at: str) -> tuple[int, ...]:
    """Return the index of the group for each question of a cell."""
    return tuple(map(int, at.split(",")))


def sum_cells(cells: CellTallies) -> dict:
    """Return the sum of the tallies of cells; empty for no cells."""
    added: dict = {}
    for cell in cells.values():
        added = add_tallies(added, cell)
    return added


def filter_cells(
    cells: CellTallies, axes: tuple[str, ...], groups: Mapping[str, Set[int]]
) -> CellTallies:
    """Return the cells in all of these groups."""
    return {
        at: cell
        for at, cell in cells.items()
        if all(group_indexes(at)[axes.index(key)] in places for key, places in groups.items())
    }


def conditional_visibility(frozen: SurveyDefinition, cells: CellTallies) -> dict[str, bool]:
    """Return, for each conditional question, whether whole cells were asked it.

    Where devices pick, those on its path count: whom a device asked is known to it alone.
    """
    on_path = [
        (cell["n"], cell.get("answered", {}) | cell.get("on_path", {})) for cell in cells.values()
    ]
    return {
        item.key: bool(cells) and all(people.get(item.key) in (0, n) for n, people in on_path)
        for item in frozen.items
        if item.when and item.mechanism is not None
    }


def hide_questions(cell: dict, shows: Mapping[str, bool]) -> dict:
    """Return a cell without the counts of questions that are not visible."""
    return cell | {
        name: {key: each for key, each in cell[name].items() if shows.get(key, True)}
        for name in ("counts", "answered", "on_path")
        if name in cell
    }
