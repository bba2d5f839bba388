"""All that somebody without the right to rows can ask of an analysis, and each tally that its answers are made of."""

from collections.abc import Callable, Iterator

from features.regression.model.model import Model, model
from features.regression.table.counts import cross_tabulate, parse_table_variables
from features.regression.table.result import CrossTabulation
from features.weighting.known_margins import margins
from features.weighting.result import WeightingResult
from features.weighting.strata import count_strata
from features.weighting.weighting import weight_results
from surveys.models import Instrument
from surveys.results.analysis.groups.groups import ComparedAnswer, compare_by_address
from surveys.results.analysis.refusals import TooFew, TooMuch
from surveys.results.disclosure.access import GroupedView, NotAReportGroup
from surveys.results.disclosure.subgroups import Group, TooSmall
from surveys.site.errors import Invalid

REFUSALS = (Invalid, NotAReportGroup, TooFew, TooMuch, TooSmall)
Claim = tuple[int, int]  # so many people, and so many of them who reported the answer


class RecordingView(GroupedView):
    """A reader's view that keeps every tally it returns."""

    def __init__(self, instrument: Instrument) -> None:
        super().__init__(instrument)
        self.handed: list[dict] = []

    def tally(self, group: Group) -> dict:
        return self._kept([super().tally(group)])[0]

    def cells(self, group: Group) -> list[tuple[dict[str, int], dict]]:
        found = super().cells(group)
        self._kept([cell for _, cell in found])
        return found

    def tallies_by(self, group: Group, key: str) -> tuple[int, int, list[dict]]:
        everybody, inside, parts = super().tallies_by(group, key)
        return everybody, inside, self._kept(parts)

    def _kept(self, tallies: list[dict]) -> list[dict]:
        self.handed += [tally for tally in tallies if tally and tally["n"]]
        return tallies


def iter_claims(seen: RecordingView, outcome: str, groups: list[Group]) -> Iterator[Claim]:
    """Yield what models, tables and groups reveal about one answer."""
    keys = [item.key for item in seen.filter_questions]
    for group in groups:
        count_strata(seen, tuple(seen.filter_questions), group)  # all that weights are made of
        for explain in (*([key] for key in keys), keys, ["colour"]):
            yield from claims_of(_of_model, model, seen, outcome, explain, group=group)
        for key in (*keys, "colour"):
            yield from claims_of(_of_table, _table, seen, key, outcome, group)
            yield from claims_of(_of_groups, compare_by_address, seen, key, outcome, group=group)


def iter_weighting_claims(seen: RecordingView) -> Iterator[Claim]:
    """Yield what weights reveal about every answer."""
    known = {item.key: _equal(seen, item.key) for item in seen.filter_questions}
    yield from claims_of(_of_weights, weight_results, seen, margins(seen, known))


def _table(seen: RecordingView, rows: str, columns: str, group: Group) -> CrossTabulation:
    return cross_tabulate(seen, *parse_table_variables(seen, rows, columns), group=group)


def claims_of(
    claims: Callable, find: Callable, *asked: object, **options: object
) -> Iterator[Claim]:
    """Yield the claims of an analysis; none if it is refused."""
    try:
        found = find(*asked, **options)
    except REFUSALS:
        return
    yield from claims(found)


def _equal(seen: RecordingView, key: str) -> list[float]:
    """The same share for each group with somebody in it."""
    groups = [
        place
        for place in range(len(seen.answer_groups[key].codes))
        if place not in seen.groups_without_answer(key)
    ]
    return [1 / len(groups)] * len(groups)


def _of_model(found: Model) -> Iterator[Claim]:
    for row in found.comparisons:
        if row.observed is not None:
            yield row.n, round(row.observed * row.n)


def _of_table(found: CrossTabulation) -> Iterator[Claim]:
    people, marked = found.table.tally.first.counts, found.table.tally.counts[:, 1]
    yield from ((int(n), int(hits)) for n, hits in zip(people, marked, strict=True) if n)


def _of_groups(found: ComparedAnswer) -> Iterator[Claim]:
    for group in found.groups:
        yield group.n, round(float(group.estimate.observed[found.code]) * group.n)


def _of_weights(found: WeightingResult) -> Iterator[Claim]:
    for question in found.questions:
        for code, answer in enumerate(question.answers):
            yield answer.weighted.n, round(answer.plain.observed * answer.weighted.n)
            yield from (
                (each["n"], each["counts"][question.item.key][code])
                for each in found.strata.tallies.values()
            )
