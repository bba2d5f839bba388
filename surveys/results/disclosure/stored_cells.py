"""Arithmetic over the joint cells of a closing that are stored: which of them a group is, and what they add up to."""

from collections.abc import Mapping, Set

from surveys.definition.instrument import FrozenSurvey
from surveys.fieldwork.responses.records import add_up

CellTallies = dict[
    str, dict
]  # "0,2", the group of each question of the cut -> the tally of the scrambled answers


def axes_of(at: str) -> tuple[int, ...]:
    """The group of each question of the cut, in their order."""
    return tuple(map(int, at.split(",")))


def total(cells: CellTallies) -> dict:
    """One tally of all of them; {} of none."""
    added: dict = {}
    for cell in cells.values():
        added = add_up(added, cell)
    return added


def within(
    cells: CellTallies, axes: tuple[str, ...], groups: Mapping[str, Set[int]]
) -> CellTallies:
    """Those in all of these groups. axes: the questions of the cut; groups: question key -> places."""
    return {
        at: cell
        for at, cell in cells.items()
        if all(axes_of(at)[axes.index(key)] in places for key, places in groups.items())
    }


def whole_paths(frozen: FrozenSurvey, cells: CellTallies) -> dict[str, bool]:
    """Each scrambled question with a condition -> whether those who were asked it are cells, all of them whole.

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


def without(cell: dict, shows: Mapping[str, bool]) -> dict:
    """A cell without what was asked of some of its people only. shows: question key -> whether it stays."""
    return cell | {
        name: {key: each for key, each in cell[name].items() if shows.get(key, True)}
        for name in ("counts", "answered", "on_path")
        if name in cell
    }
