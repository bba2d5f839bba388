"""A background question in a table: its groups follow the rule of groups side by side, for readers of rows too."""

import numpy as np

from mechanisms import Matrix, Mechanism, PairTally, Tally
from surveys.results.analysis.outcome import Part
from surveys.results.analysis.table.conditionals import labels
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import MINIMUM, TooSmall
from surveys.results.report.groups import TOO_FEW, group_rows, other_place, row_name

Axis = tuple[Mechanism, tuple[str, ...]]  # what decodes the reports of a side, and its answers


def merge_small_groups(seen: ReaderView, first: Part, second: Part, counted: PairTally) -> tuple[PairTally, Axis, Axis]:
    """The table with its small groups together or left out. TooSmall where fewer than two groups are left."""
    counted, rows = _rows(seen, first, counted)
    turned, columns = _rows(seen, second, PairTally(counted.n, counted.counts.T, counted.second, counted.first))
    left = turned.second.counts  # of the rows, without the people who are in no column
    if seen.has_rows and not first.is_scrambled and (left < MINIMUM).any():
        raise TooSmall(TOO_FEW)
    return PairTally(turned.n, turned.counts.T, turned.second, turned.first), rows, columns


def _rows(seen: ReaderView, part: Part, counted: PairTally) -> tuple[PairTally, Axis]:
    """The same of the rows alone. Without row access these are groups of the report groups: large enough already."""
    whole = part.mechanism, labels(part)
    if part.is_scrambled or not seen.has_rows:
        return counted, whole
    names = whole[1]
    declined = set() if part.choice is not None else seen.unknown(part.item.key)
    rows = group_rows(counted.first.counts.tolist(), counted.n, declined, other_place(names))
    if not rows:
        raise TooSmall(TOO_FEW)
    table = np.array([counted.counts[list(places)].sum(axis=0) for places in rows])
    people = np.array([counted.first.counts[list(places)].sum() for places in rows])
    n = int(people.sum())
    axis = Matrix.identity(len(rows)), tuple(row_name([names[place] for place in places]) for places in rows)
    return PairTally(n, table, Tally(n, people), Tally(n, table.sum(axis=0))), axis
