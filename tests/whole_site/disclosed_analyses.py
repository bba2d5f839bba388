"""All that somebody without the right to rows can ask of an analysis, and each tally that its answers are made of."""

from collections.abc import Callable, Iterator

from features.regression.model.model import Model, model
from features.regression.table.counts import crossing, sides
from features.regression.table.result import Crossed
from features.weighting.known_margins import margins
from features.weighting.result import Weighted
from features.weighting.strata import strata
from features.weighting.weighting import weigh
from surveys.models import Instrument
from surveys.results.analysis.groups.groups import Compared, comparison
from surveys.results.analysis.refusals import TooFew, TooMuch
from surveys.results.disclosure.access import InGroups, NotOfTheCut
from surveys.results.disclosure.subgroups import Group, TooSmall
from surveys.site.errors import Invalid

REFUSALS = (Invalid, NotOfTheCut, TooFew, TooMuch, TooSmall)
Claim = tuple[int, int]  # so many people, and so many of them who reported the answer


class Recording(InGroups):
    """Keeps every tally that it hands out."""

    def __init__(self, instrument: Instrument) -> None:
        super().__init__(instrument)
        self.handed: list[dict] = []

    def tally(self, group: Group) -> dict:
        return self._kept([super().tally(group)])[0]

    def joint(self, group: Group) -> list[tuple[dict[str, int], dict]]:
        found = super().joint(group)
        self._kept([cell for _, cell in found])
        return found

    def tallies_by(self, group: Group, key: str) -> tuple[int, int, list[dict]]:
        everybody, inside, parts = super().tallies_by(group, key)
        return everybody, inside, self._kept(parts)

    def _kept(self, tallies: list[dict]) -> list[dict]:
        self.handed += [tally for tally in tallies if tally and tally["n"]]
        return tallies


def related(seen: Recording, outcome: str, groups: list[Group]) -> Iterator[Claim]:
    """What is shown of one answer by models, tables and groups compared, of everybody and of each group."""
    keys = [item.key for item in seen.filterable]
    for group in groups:
        strata(seen, tuple(seen.filterable), group)  # all that weights are made of
        for explain in (*([key] for key in keys), keys, ["colour"]):
            yield from shown(_of_model, model, seen, outcome, explain, group=group)
        for key in (*keys, "colour"):
            yield from shown(_of_table, _table, seen, key, outcome, group)
            yield from shown(_of_groups, comparison, seen, key, outcome, group=group)


def weighed(seen: Recording) -> Iterator[Claim]:
    """What is shown of every answer by weights for all groups: unweighted shares, and the strata of weighted ones."""
    known = {item.key: _equal(seen, item.key) for item in seen.filterable}
    yield from shown(_of_weights, weigh, seen, margins(seen, known))


def _table(seen: Recording, rows: str, columns: str, group: Group) -> Crossed:
    return crossing(seen, *sides(seen, rows, columns), group=group)


def shown(claims: Callable, find: Callable, *asked: object, **options: object) -> Iterator[Claim]:
    """What is refused shows nobody."""
    try:
        found = find(*asked, **options)
    except REFUSALS:
        return
    yield from claims(found)


def _equal(seen: Recording, key: str) -> list[float]:
    """The same share for each group with somebody in it."""
    groups = [
        place for place in range(len(seen.groups[key].codes)) if place not in seen.unanswered(key)
    ]
    return [1 / len(groups)] * len(groups)


def _of_model(found: Model) -> Iterator[Claim]:
    for row in found.comparisons:
        if row.observed is not None:
            yield row.n, round(row.observed * row.n)


def _of_table(found: Crossed) -> Iterator[Claim]:
    people, marked = found.table.tally.first.counts, found.table.tally.counts[:, 1]
    yield from ((int(n), int(hits)) for n, hits in zip(people, marked, strict=True) if n)


def _of_groups(found: Compared) -> Iterator[Claim]:
    yield from ((value.n, round(value.observed * value.n)) for value in found.values)


def _of_weights(found: Weighted) -> Iterator[Claim]:
    for question in found.questions:
        for code, answer in enumerate(question.answers):
            yield answer.weighted.n, round(answer.plain.observed * answer.weighted.n)
            yield from (
                (each["n"], each["counts"][question.item.key][code])
                for each in found.strata.tallies.values()
            )
