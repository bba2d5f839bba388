"""Report groups: the groups of respondents that readers without row access can see.

The author chooses at most three background questions for them. When the survey closes for the
first time with released responses, the answers to each question are divided into groups: each
answer is one group, and numbers form bands of round width. A combination of one group of each
question is a cell. While some occupied cell has fewer than LEAST_IN_A_CELL respondents, two
neighbouring groups are merged: of the groups of the smallest cell, the one with the fewest
respondents joins its smaller neighbour. The tallies of the cells are stored as of the closing.
Every group that readers see later is a union of cells, so nothing that is released later can
distinguish respondents within a cell.

A group begins where a condition on its question begins or ends, and groups are merged across
such a boundary only if nothing else is left. So a question with a condition is asked of whole
cells, and can be shown with them.

The groups never become finer. Responses that are released after the survey was reopened enter the
cells at a later closing, unless a reader could then isolate fewer than LEAST_IN_A_RELEASE
respondents by combining everything that was visible. Otherwise the cells stay as of their date.
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
from surveys.fieldwork.responses.held import LEAST_IN_A_RELEASE
from surveys.fieldwork.responses.records import add_tallies, count_responses, has_report
from surveys.models import Cut, Instrument, Survey
from surveys.site import clock

# Occupied cells of a survey. More of them would say little, and take long to read.
MOST_CELLS = 500
# Bands of a number before any are merged.
MOST_BANDS = 12
# Batches that are counted together: counting the cells of each batch alone would take long.
BATCHES_IN_MEMORY = 20
# Layers of a survey. A layer has the responses that were released with one closing since the last
# update of the cells. If there are more layers, the cells are never updated.
MOST_LAYERS = 10
# Possible widths of the bands of a number.
BAND_WIDTHS = (1, 2, 5, 10, 20, 25, 50, 100, 200)
# Question key -> the first code of each group.
Starts = dict[str, list[int]]


def update_all_report_groups() -> None:
    """Update the report groups of every closed survey with newly released responses.

    “manage.py seal” calls this, to finish what an interrupted closing has left.
    """
    is_closed = Q(survey__status=Survey.Status.CLOSED) | Q(survey__closes__lte=clock.now())
    # The JSON of an instrument has the key "cut" only if it has report groups.
    closed = Instrument.objects.filter(is_closed, content__contains='"cut":')
    changed = []
    for pk, n, n_grouped in closed.values_list("pk", "tally__n", "cut__n"):
        if n and n != n_grouped:
            changed.append(pk)
    run_for_each(update_report_groups, Instrument.objects.filter(pk__in=changed))


def update_report_groups(instrument: Instrument) -> None:
    """Create the report groups of a closed survey, or update them if `can_update_cells` allows it.

    Do nothing if the survey has no report groups, is not closed, or has no newly released
    responses.

    The responses are read before anything is locked. If more responses are released meanwhile,
    nothing is stored, and the next run updates the groups.
    """
    definition = parse_instrument(instrument)
    # The number of released responses also shows whether new ones have been released.
    n = released.read_released(instrument).tally["n"]
    stored = Cut.objects.filter(instrument=instrument).first()
    if instrument.deleted_on or not definition.cut or not n:
        return
    if stored is not None and stored.n == n:
        return
    if not Survey.objects.get(pk=instrument.survey_id).is_over_at(clock.now()):
        return

    # Groups are found once. Afterwards only the numbers in their cells may change.
    if stored is not None:
        # The order of the questions numbers the cells, and the database does not keep that of keys.
        starts = {key: stored.starts[key] for key in definition.cut}
    else:
        starts = finest_groups(definition, instrument)
    cells = cell_tallies(definition, instrument, starts)

    # The numbers differ if responses were released while the cells were counted.
    n_in_cells = sum(cell["n"] for cell in cells.values())
    if n_in_cells == n:
        _store_groups(instrument, n, starts, cells)


@transaction.atomic
def _store_groups(instrument: Instrument, n: int, starts: Starts, cells: dict[str, dict]) -> None:
    """Store the report groups of a closed survey, as the caller has computed them without a lock.

    Do nothing if more than `n` responses are released by now, or if the survey has been reopened.

    If groups are stored already, their cells change only if `can_update_cells` allows it.
    Otherwise what the cells would have gained is stored as one more layer. The instrument is
    locked.

    n: the number of released responses in the cells.
    starts: question key -> first code of each group. Groups that are stored already do not change.
    cells: cell key -> tally of the cell.
    """
    locked = Instrument.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "survey"
    )
    instrument = locked.get(pk=instrument.pk)
    if instrument.tally["n"] != n or not instrument.survey.is_over_at(clock.now()):
        return

    today = clock.now().date()
    stored = Cut.objects.filter(instrument=instrument).first()
    if stored is None:
        Cut.objects.create(instrument=instrument, on=today, n=n, starts=starts, cells=cells)
        return
    # If the numbers are equal, another process has just stored these responses.
    if stored.n == n:
        return

    layers = [*stored.layers, _gains_since(stored, cells)]
    stored.n = n
    if can_update_cells(layers):
        stored.cells = cells
        stored.on = today
        stored.layers = []
    else:
        stored.layers = layers
    stored.save()


def _gains_since(stored: Cut, cells: dict[str, dict]) -> dict[str, int]:
    """Return a new layer: how many responses each cell has gained since the last closing.

    The responses in the stored cells and in all stored layers are subtracted. A cell that has
    gained nothing has no key.

    stored: the stored report groups.
    cells: cell key -> tally of the cell with all released responses.
    """
    stored_counts = {key: cell["n"] for key, cell in stored.cells.items()}
    counts_by_closing = [stored_counts, *stored.layers]
    gains = {}
    for key, cell in cells.items():
        n_before = sum(counts.get(key, 0) for counts in counts_by_closing)
        if cell["n"] != n_before:
            gains[key] = cell["n"] - n_before
    return gains


def can_update_cells(layers: list[dict[str, int]]) -> bool:
    """Return whether updating the cells would isolate no small group of responses.

    Write the layers as a table with a row for each layer and a column for each cell. The results of
    all respondents have shown each row as a whole, and an update would show each column as a whole.
    A reader can choose some rows, and subtract some columns from them. The responses that remain
    are in a chosen row or a subtracted column, but not in both. Their number must be 0, or at least
    LEAST_IN_A_RELEASE, for every choice.

    For each choice of rows, the reader isolates the fewest responses by subtracting each column
    that has more responses in the chosen rows than in the others. If no row is chosen, a single
    column remains.

    Return False if there are more than MOST_LAYERS, as there would be too many choices to check.

    layers: for each closing since the last update of the cells, the number of responses that it
        added to each cell, by cell key. There is at least one.
    """
    if len(layers) > MOST_LAYERS:
        return False

    cell_keys: set[str] = set()
    for layer in layers:
        cell_keys.update(layer)
    # The table has shape (number of layers, number of cells).
    counts = np.zeros((len(layers), len(cell_keys)), np.int64)
    for index, layer in enumerate(layers):
        counts[index] = [layer.get(key, 0) for key in sorted(cell_keys)]

    # If no row is chosen, the gain of a cell in all layers remains.
    remainders = list(counts.sum(axis=0))
    # Bit i of `choice` is 1 if row i is chosen. The last row never is: choosing exactly the other
    # rows leaves the same remainder, so half of the choices are enough.
    n_choices = 2 ** (len(layers) - 1)
    for choice in range(1, n_choices):
        bits = (choice >> np.arange(len(layers))) & 1
        is_chosen = bits == 1
        in_chosen = counts[is_chosen].sum(axis=0)
        in_others = counts[~is_chosen].sum(axis=0)
        # A subtracted column leaves its responses in the other rows, and any other column leaves
        # those in the chosen rows. The reader takes whichever are fewer. If nothing remains in this
        # way, only whole columns can remain in another way, and these are checked above.
        remainders.append(np.minimum(in_chosen, in_others).sum())
    return all(n == 0 or n >= LEAST_IN_A_RELEASE for n in remainders)


def finest_groups(definition: SurveyDefinition, instrument: Instrument) -> Starts:
    """Return groups that are as fine as possible while every occupied cell is large enough.

    Begin with the finest groups, count the respondents in each cell, and merge groups until no cell
    is too small. All released responses are read. If they are very few, each question has one
    group.

    The result has the first code of each group, by key of the questions that define the groups
    (`definition.cut`).
    """
    items = grouping_questions(definition)
    starts = [_initial_groups(definition, item) for item in items]
    starts_by_question = dict(zip(definition.cut, starts, strict=True))

    # The number of respondents in each cell, with one axis for each question.
    joint = np.zeros([len(question_starts) for question_starts in starts], np.int64)
    for _, cell_numbers in _cell_numbers(definition, instrument, starts_by_question):
        # The cells are numbered in the order in which `reshape` fills the axes.
        counts = np.bincount(cell_numbers, minlength=joint.size)
        joint += counts.reshape(joint.shape)

    # A question with a condition can be shown only with whole cells, so groups are merged across
    # the codes of conditions only if nothing else is left.
    boundaries = [condition_boundaries(definition.items, item) for item in items]
    merged = merge_small_groups(joint, starts, boundaries)
    return dict(zip(definition.cut, merged, strict=True))


def merge_small_groups(
    joint: np.ndarray, starts: list[list[int]], boundaries: Sequence[Set[int]] = ()
) -> list[list[int]]:
    """Merge neighbouring groups until every occupied cell is large enough, and return the starts.

    A cell is large enough with LEAST_IN_A_CELL respondents. Groups are also merged while more than
    MOST_CELLS cells are occupied, and while a group is empty. Stop if every question has only one
    group.

    joint: the number of respondents in each cell, with one axis for each question.
    starts: for each question, the first code of each of its groups; its lists are replaced.
    boundaries: for each question, the codes at which a group should begin if possible.
    """
    if not boundaries:
        boundaries = [set() for _ in starts]

    while True:
        # A group that begins at a boundary should not be merged with the group before it.
        preferred = []
        for question_starts, codes in zip(starts, boundaries, strict=True):
            preferred.append([code in codes for code in question_starts])
        pair = _next_merge(joint, preferred)
        if pair is None:
            return starts

        axis, left = pair
        right = left + 1
        # The right group loses its start, so its codes join the left group.
        starts[axis] = starts[axis][:right] + starts[axis][right + 1 :]
        # Its respondents join too: `reduceat` adds up all groups from each index in the list to
        # the next one, and `right` is not in the list.
        summed_from = np.delete(np.arange(joint.shape[axis]), right)
        joint = np.add.reduceat(joint, summed_from, axis=axis)


def _next_merge(joint: np.ndarray, preferred: Sequence[Sequence[bool]]) -> tuple[int, int] | None:
    """Return which two groups to merge next: the axis of their question, and the left group.

    An empty group is merged first. Otherwise one of the groups of the smallest cell is merged: that
    with the fewest respondents. Return None if no group is empty, every occupied cell is large
    enough and at most MOST_CELLS are occupied; also if every question has only one group.

    joint: the number of respondents in each cell, with one axis for each question.
    preferred: for each question and group, whether the group should not be merged with the group
        before it if possible.
    """
    # Only a question with more than one group has groups to merge.
    divided_axes = [axis for axis in range(joint.ndim) if joint.shape[axis] > 1]
    if not divided_axes:
        return None
    sizes_by_axis = {axis: _group_sizes(joint, axis) for axis in divided_axes}

    # An empty group is merged first: after a reopening, a few respondents in it would keep the
    # cells from being updated.
    for axis in divided_axes:
        sizes = sizes_by_axis[axis]
        if not sizes.all():
            return axis, _left_of_pair(sizes, int(sizes.argmin()), preferred[axis])

    occupied = joint[joint > 0]
    if occupied.min() >= LEAST_IN_A_CELL and occupied.size <= MOST_CELLS:
        return None

    # An empty cell counts more than all respondents, so it is never the smallest.
    without_empty_cells = np.where(joint, joint, joint.sum() + 1)
    # The index of a cell has the index of its group for each question.
    smallest_cell = np.unravel_index(without_empty_cells.argmin(), joint.shape)
    axis = min(divided_axes, key=lambda axis: sizes_by_axis[axis][smallest_cell[axis]])
    group = int(smallest_cell[axis])
    return axis, _left_of_pair(sizes_by_axis[axis], group, preferred[axis])


def _group_sizes(joint: np.ndarray, axis: int) -> np.ndarray:
    """Return the number of respondents in each group of the question on `axis`.

    joint: the number of respondents in each cell, with one axis for each question.
    """
    other_axes = tuple(other for other in range(joint.ndim) if other != axis)
    return joint.sum(axis=other_axes)


def _left_of_pair(sizes: np.ndarray, group: int, preferred: Sequence[bool]) -> int:
    """Choose the neighbour with which a group is merged, and return the left one of the two groups.

    A neighbour across a preferred boundary is chosen only if there is no other one. Otherwise the
    neighbour with fewer respondents is chosen, or the left one of two equal ones.

    sizes: the number of respondents in each group of the question.
    group: the index of the group.
    preferred: whether each group should not be merged with the group before it if possible.
    """
    neighbours = []
    if group > 0:
        neighbours.append(group - 1)
    if group + 1 < len(sizes):
        neighbours.append(group + 1)

    def reluctance(neighbour: int) -> tuple[bool, int]:
        """Return a key by which neighbours are compared; the one with the smallest key is chosen.

        A preferred boundary between the groups counts more than any size. `min` takes the first
        of two equal neighbours, which is the left one.
        """
        right = max(group, neighbour)
        is_boundary_between = preferred[right]
        return is_boundary_between, sizes[neighbour]

    chosen_neighbour = min(neighbours, key=reluctance)
    return min(group, chosen_neighbour)


def grouping_questions(definition: SurveyDefinition) -> list[QuestionDefinition]:
    """Return the questions that define the report groups, in the order of `definition.cut`."""
    items = {item.key: item for item in definition.items}
    return [items[key] for key in definition.cut]


def _initial_groups(definition: SurveyDefinition, item: QuestionDefinition) -> list[int]:
    """Return the first code of each group of a question before any are merged.

    Each answer is one group, or each band of numbers if the question asks for a number. If a report
    may be missing, respondents without an answer are one more group. It begins after the last code.
    """
    starts = list(range(item.size))
    if item.traits.is_background_number:
        starts = _initial_bands(definition, item)
    if item.key in definition.keys_with_missing:
        starts.append(item.size)
    return starts


def _initial_bands(definition: SurveyDefinition, item: QuestionDefinition) -> list[int]:
    """Return the first code of each band of a question that asks for a number, such as an age.

    Bands begin at multiples of their width, and where a condition on the question begins or ends.
    “Prefer not to say” is a band of its own.
    """
    # The narrowest width is taken that gives at most MOST_BANDS. The first band begins at the
    # lowest number, and each other band at a multiple of the width.
    for width in BAND_WIDTHS:
        codes = [0]
        for code, number in enumerate(item.answer_values):
            if code > 0 and number % width == 0:
                codes.append(code)
        if len(codes) <= MOST_BANDS:
            break

    starts = set(codes)
    if item.decline_code is not None:
        starts.add(item.decline_code)
    starts |= condition_boundaries(definition.items, item)
    return sorted(starts)


def cell_tallies(
    definition: SurveyDefinition, instrument: Instrument, starts: Starts
) -> dict[str, dict]:
    """Return the tally of each cell that has respondents, by cell key, without background answers.

    All released responses are counted. The key of a cell has the index of its group for each
    question of `starts`, as in "0,2".

    starts: question key -> first code of each group; it gives the order of the indexes.
    """
    shape = [len(question_starts) for question_starts in starts.values()]
    cells: dict[str, dict] = {}
    numbered_batches = _cell_numbers(definition, instrument, starts)
    # Some batches at a time are loaded and joined.
    while loaded := list(islice(numbered_batches, BATCHES_IN_MEMORY)):
        responses = np.concatenate([batch for batch, _ in loaded])
        cell_numbers = np.concatenate([numbers for _, numbers in loaded])

        # Sorted by cell, the responses of each cell are next to each other. `first_indexes` says
        # where those of each cell begin, and the array is split there.
        order = np.argsort(cell_numbers, kind="stable")
        occupied, first_indexes = np.unique(cell_numbers[order], return_index=True)
        responses_by_cell = np.split(responses[order], first_indexes[1:])

        for number, members in zip(occupied, responses_by_cell, strict=True):
            group_indexes = np.unravel_index(number, shape)
            cell_key = ",".join(map(str, group_indexes))
            # A cell may have respondents in earlier batches too.
            tally = _without_background(definition, count_responses(definition, members))
            cells[cell_key] = add_tallies(cells.get(cell_key, {}), tally)
    return cells


def _without_background(definition: SurveyDefinition, tally: dict) -> dict:
    """Return the tally without the questions that are not randomized. Its "n" stays.

    The counts of background answers would show finer groups than the report groups.

    tally: as records.count_responses returns it. Each entry but "n" has values by question key.
    """
    randomized_keys = {item.key for item in definition.items if item.mechanism is not None}
    result = {"n": tally["n"]}
    for name, by_question in tally.items():
        if name != "n":
            randomized = {
                key: value for key, value in by_question.items() if key in randomized_keys
            }
            result[name] = randomized
    return result


def _cell_numbers(
    definition: SurveyDefinition, instrument: Instrument, starts: Starts
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield each batch of released responses, and the number of the cell of each response.

    Both arrays have shape (n,). Cells are numbered from 0 as NumPy numbers the elements of an array
    with one axis for each question in `starts`.

    starts: question key -> first code of each group.
    """
    sizes = {item.key: item.size for item in definition.items}
    shape = [len(question_starts) for question_starts in starts.values()]
    for responses in released.iter_batches(instrument):
        groups = []
        for key, question_starts in starts.items():
            # Respondents without an answer are in the group that begins after the last code.
            is_present = has_report(definition, responses, key)
            codes = np.where(is_present, responses[key], sizes[key])
            # The group of a code is the last one that begins at it or before.
            groups.append(np.searchsorted(question_starts, codes, side="right") - 1)
        yield responses, np.ravel_multi_index(groups, shape)
