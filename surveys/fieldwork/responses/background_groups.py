"""The cut: the groups of people by background answers, below which nobody looks without the right to rows.

It is made once, of the at most three questions that the author chose, at the first closing that released something.
Groups are neighbouring answers, of numbers bands of round width. Two neighbours become one, whole, as long as some
occupied joint cell (a group of each question) has fewer than LEAST_IN_A_CELL people: of the smallest cell the group
that has fewest people joins its smaller neighbour. Every group that anybody is shown later is a union of these cells,
which are stored as they were at the closing, so that nothing that comes later can be told apart within them.
Groups begin where a condition on their question begins or ends, and join across that place only where nothing else is
left: a question that is asked of whole cells can be shown with them.

The cut never becomes finer. What is released after a reopening enters the cells at a closing, if no combination of
all that was shown, of everybody and of the cells, is about fewer than LEAST people then; else they stay, with their
date.
"""

from collections.abc import Iterator, Sequence, Set
from itertools import islice

import numpy as np
from django.db import transaction
from django.db.models import Q

from surveys.definition.freezing import LEAST_IN_A_CELL
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.parsing import parse_instrument
from surveys.definition.routing.paths import condition_boundaries
from surveys.fieldwork.responses import released
from surveys.fieldwork.responses.chunks import run_for_each
from surveys.fieldwork.responses.held import LEAST
from surveys.fieldwork.responses.records import add_tallies, count_responses, has_report
from surveys.models import Cut, Instrument, Survey
from surveys.site import clock

MOST_CELLS = 500  # that are occupied; more would tell little, and take long to read
MOST_BANDS = 12  # of a number, at first
TOGETHER = 20  # batches in memory; to add up many cells of each by itself takes long
MOST_LAYERS = 10  # closings whose responses are not shown in groups; with more they never are
WIDTHS = (1, 2, 5, 10, 20, 25, 50, 100, 200)  # of bands
Starts = dict[str, list[int]]  # question key -> the first code of each group


def update_all_report_groups() -> None:
    """Update the report groups of every closed survey with new responses."""
    closed = Q(survey__status=Survey.Status.CLOSED) | Q(survey__closes__lte=clock.now())
    numbers = Instrument.objects.filter(closed, content__contains='"cut":').values_list(
        "pk", "tally__n", "cut__n"
    )
    run_for_each(
        update_report_groups,
        Instrument.objects.filter(pk__in=[pk for pk, n, last in numbers if n and n != last]),
    )


def update_report_groups(instrument: Instrument) -> None:
    """Make the cut of a closed survey, or let it advance. Does nothing where nothing was released since.

    The responses are read before anything is locked; where more were released meanwhile, the next run does it.
    """
    frozen, n = parse_instrument(instrument), released.read_released(instrument).tally["n"]
    kept = Cut.objects.filter(instrument=instrument).first()
    if instrument.deleted_on or not frozen.cut or not n or (kept and kept.n == n):
        return
    if not Survey.objects.get(pk=instrument.survey_id).is_over_at(clock.now()):
        return
    starts = (
        {key: kept.starts[key] for key in frozen.cut} if kept else finest_groups(frozen, instrument)
    )
    cells = cell_tallies(frozen, instrument, starts)
    if sum(cell["n"] for cell in cells.values()) == n:
        _store(instrument, n, starts, cells)


@transaction.atomic
def _store(instrument: Instrument, n: int, starts: Starts, cells: dict[str, dict]) -> None:
    locked = Instrument.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "survey"
    )
    instrument = locked.get(pk=instrument.pk)
    if instrument.tally["n"] != n or not instrument.survey.is_over_at(clock.now()):
        return
    today = clock.now().date()
    kept = Cut.objects.filter(instrument=instrument).first()
    if kept is None:
        Cut.objects.create(instrument=instrument, on=today, n=n, starts=starts, cells=cells)
    elif kept.n != n:
        layers = [*kept.layers, _gains_since(kept, cells)]
        advances = can_update_cells(layers)
        kept.n, kept.layers = n, [] if advances else layers
        kept.cells, kept.on = (cells, today) if advances else (kept.cells, kept.on)
        kept.save()


def _gains_since(kept: Cut, cells: dict[str, dict]) -> dict[str, int]:
    """Return how many responses each cell has gained since the last layer."""
    before = [{at: cell["n"] for at, cell in kept.cells.items()}, *kept.layers]
    gain = {at: cell["n"] - sum(layer.get(at, 0) for layer in before) for at, cell in cells.items()}
    return {at: n for at, n in gain.items() if n}


def can_update_cells(layers: list[dict[str, int]]) -> bool:
    """Return whether updated cells would isolate fewer than LEAST responses.

    Each layer was shown whole by two reports of everybody, each cell's gain would be shown now. A combination of them
    says something about all whose layer and cell do not cancel: with some layers on one side and every cell on the
    side with which it shares more people, these are the rest, and they must be nobody, or LEAST at least. With all
    layers on one side that is a cell's gain.
    """
    if len(layers) > MOST_LAYERS:
        return False
    cells = sorted({at for layer in layers for at in layer})
    people = np.array([[layer.get(at, 0) for at in cells] for layer in layers]).reshape(
        len(layers), len(cells)
    )
    left = [*people.sum(axis=0)]
    for side in range(1, 2 ** (len(layers) - 1)):  # the last layer is always on the other
        one = side >> np.arange(len(layers)) & 1 == 1
        left.append(np.minimum(people[one].sum(axis=0), people[~one].sum(axis=0)).sum())
    return all(n == 0 or n >= LEAST for n in left)


def finest_groups(frozen: SurveyDefinition, instrument: Instrument) -> Starts:
    """Return the finest groups that the minimum size allows."""
    items = grouping_questions(frozen)
    starts = [_initial_groups(frozen, item) for item in items]
    joint = np.zeros([len(each) for each in starts], np.int64)
    for _, places in _cell_numbers(frozen, instrument, dict(zip(frozen.cut, starts, strict=True))):
        joint += np.bincount(places, minlength=joint.size).reshape(joint.shape)
    return dict(
        zip(
            frozen.cut,
            merge_small_groups(
                joint, starts, [condition_boundaries(frozen.items, item) for item in items]
            ),
            strict=True,
        )
    )


def merge_small_groups(
    joint: np.ndarray, starts: list[list[int]], kept: Sequence[Set[int]] = ()
) -> list[list[int]]:
    """joint: how many people are in each cell, an axis for each question, a place for each of its first groups. kept:
    of each question the codes at which groups had better begin."""
    kept = kept or [set()] * joint.ndim
    while (found := _next_merge(joint, _places_kept(starts, kept))) is not None:
        axis, left = found  # the group at the left and the one after it become one
        starts[axis] = [*starts[axis][: left + 1], *starts[axis][left + 2 :]]
        joint = np.add.reduceat(joint, np.delete(np.arange(joint.shape[axis]), left + 1), axis=axis)
    return starts


def _places_kept(starts: list[list[int]], kept: Sequence[Set[int]]) -> list[list[bool]]:
    return [[code in at for code in first] for first, at in zip(starts, kept, strict=True)]


def _next_merge(joint: np.ndarray, kept: Sequence[Sequence[bool]]) -> tuple[int, int] | None:
    """Choose the two neighbouring groups to merge next, or None.

    kept: of each question whether a group had better not join the one before it. A group that nobody is in goes first:
    after a reopening few people in it would keep all others from advancing.
    """
    margins = [joint.sum(axis=tuple({*range(joint.ndim)} - {axis})) for axis in range(joint.ndim)]
    divided = [axis for axis in range(joint.ndim) if joint.shape[axis] > 1]
    empty = [(axis, int(margins[axis].argmin())) for axis in divided if not margins[axis].all()]
    occupied = joint[joint > 0]
    if not divided or not (empty or occupied.min() < LEAST_IN_A_CELL or occupied.size > MOST_CELLS):
        return None
    smallest = np.unravel_index(np.where(joint, joint, joint.sum() + 1).argmin(), joint.shape)
    axis = min(divided, key=lambda axis: margins[axis][smallest[axis]])
    axis, place = empty[0] if empty else (axis, int(smallest[axis]))
    beside = [other for other in (place - 1, place + 1) if 0 <= other < joint.shape[axis]]
    return axis, min(
        place, min(beside, key=lambda other: (kept[axis][max(place, other)], margins[axis][other]))
    )


def grouping_questions(frozen: SurveyDefinition) -> list[QuestionDefinition]:
    """Return the questions that define the report groups, in order."""
    items = {item.key: item for item in frozen.items}
    return [items[key] for key in frozen.cut]


def _initial_groups(frozen: SurveyDefinition, item: QuestionDefinition) -> list[int]:
    """Each answer by itself, of a number bands that begin at round ones; then those who declined, and those without an
    answer, if allowed."""
    codes = list(range(item.size))
    if item.traits.is_background_number:
        numbers = enumerate(item.answer_values)
        later = [(code, number) for code, number in numbers if code]
        bands = ([0, *(code for code, number in later if number % width == 0)] for width in WIDTHS)
        codes = next(each for each in bands if len(each) <= MOST_BANDS)
        own = set() if item.decline_code is None else {item.decline_code}
        codes = sorted(
            {
                *codes,
                *own,
                *(code for code in condition_boundaries(frozen.items, item) if code < item.size),
            }
        )
    return [*codes, item.size] if item.key in frozen.keys_with_missing else codes


def cell_tallies(
    frozen: SurveyDefinition, instrument: Instrument, starts: Starts
) -> dict[str, dict]:
    """Return the tally of each occupied cell, without the background answers."""
    shape = [len(each) for each in starts.values()]
    cells: dict[str, dict] = {}
    read = _cell_numbers(frozen, instrument, starts)
    while some := list(islice(read, TOGETHER)):
        rows, places = (np.concatenate(parts) for parts in zip(*some, strict=True))
        order = np.argsort(places, kind="stable")
        found, first = np.unique(places[order], return_index=True)
        for place, members in zip(found, np.split(rows[order], first[1:]), strict=True):
            at = ",".join(map(str, np.unravel_index(place, shape)))
            cells[at] = add_tallies(
                cells.get(at, {}), _scrambled(frozen, count_responses(frozen, members))
            )
    return cells


def _scrambled(frozen: SurveyDefinition, added: dict) -> dict:
    kept = {item.key for item in frozen.items if item.mechanism is not None}
    parts = {name: part for name, part in added.items() if name != "n"}
    return {"n": added["n"]} | {
        name: {key: value for key, value in part.items() if key in kept}
        for name, part in parts.items()
    }


def _cell_numbers(
    frozen: SurveyDefinition, instrument: Instrument, starts: Starts
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield each batch with the cell number of every row."""
    sizes = {item.key: item.size for item in frozen.items}
    shape = [len(each) for each in starts.values()]
    for rows in released.iter_batches(instrument):
        groups = []
        for key, first in starts.items():
            codes = np.where(has_report(frozen, rows, key), rows[key], sizes[key])
            groups.append(np.searchsorted(first, codes, side="right") - 1)
        yield rows, np.ravel_multi_index(groups, shape)
