"""Two questions together: who got both, and how often their reports came together."""

from functools import partial

import numpy as np

from features.regression.table.groups import (
    EVERY_ANSWER,
    Kept,
    MergedTable,
    group_codes,
    merge_small_groups,
)
from features.regression.table.result import CrossTabulation
from mechanisms import CrossTable, PairTally, Tally, cross, pair_tally
from mechanisms.analysis.independence import Independence, ReportRows, needs_reports
from surveys.definition.instrument import QuestionDefinition
from surveys.fieldwork.responses.packed_counts import unpack
from surveys.fieldwork.responses.records import has_report
from surveys.results.analysis import selection
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.analysis.refusals import TooMuch, expected_share_answered, require_enough
from surveys.results.disclosure.access import GroupedView, NotAReportGroup, ReaderView
from surveys.results.disclosure.subgroups import MINIMUM, NEARLY_ALL, Group, TooSmall
from surveys.results.estimates.intervals import CONFIDENCE
from surveys.results.estimates.report import EVERYBODY
from surveys.site.errors import Invalid

MOST_CELLS = 2_500
MOST_SINGLE = 20  # answers of a question that are offered one by one
TWO_SCRAMBLED = (
    "Choose one scrambled question and one report group question. Two scrambled "
    "questions together need row access."
)


def table_questions(seen: ReaderView) -> list[QuestionDefinition]:
    """Return the questions that a table can have."""
    scrambled = selection.questions_with_shares(seen)
    return [
        item for item in selection.questions(seen) if item.mechanism is None or item in scrambled
    ]


def parse_table_variables(
    seen: ReaderView, rows: str, columns: str
) -> tuple[SurveyVariable, SurveyVariable]:
    """Return the two variables that an address names."""
    allowed = table_questions(seen)
    return selection.parse_variable(seen, rows, "rows", allowed), selection.parse_variable(
        seen, columns, "columns", allowed
    )


def cross_tabulate(
    seen: ReaderView,
    first: SurveyVariable,
    second: SurveyVariable,
    *,
    group: Group = EVERYBODY,
    confidence: float = CONFIDENCE,
) -> CrossTabulation:
    """Return the table of two variables. Raises Invalid, TooMuch or TooFew.

    Invalid for one question twice or one that asks a part of its answers, TooMuch for more than MOST_CELLS cells,
    TooFew for too few people who were asked both; TooSmall and NotAReportGroup as a report raises them.
    """
    _check(first, second)
    counted, everybody = (
        _count_cells(seen, first, second, group)
        if isinstance(seen, GroupedView)
        else _count_rows(seen, first, second, group)
    )

    def count(kept: Kept) -> PairTally:
        return counted if kept == EVERY_ANSWER else _count_rows(seen, first, second, group, kept)[0]

    if (
        group
        and seen.has_rows
        and 0 < _count_rows(seen, first, second, EVERYBODY)[0].n - counted.n < MINIMUM
    ):
        raise TooSmall(NEARLY_ALL)
    asked = expected_share_answered(seen.paper.draw, (first, second))
    require_enough(counted.n, everybody, asked)
    merged = merge_small_groups(seen, first, second, count)
    shown = merged.tally
    require_enough(shown.n, everybody, asked)
    table = cross(merged.rows[0], merged.columns[0], shown, confidence)
    test_independence = table.independence
    if seen.has_rows and needs_reports(table.first, table.second, shown):
        test_independence = partial(
            _test_with_reports,
            seen=seen,
            first=first,
            second=second,
            group=group,
            merged=merged,
            table=table,
        )
    return CrossTabulation(
        first=first,
        second=second,
        table=table,
        left_out=everybody - shown.n,
        rows=merged.rows[1],
        columns=merged.columns[1],
        seen=seen.note,
        test_independence=test_independence,
    )


def _check(first: SurveyVariable, second: SurveyVariable) -> None:
    if first.item.key == second.item.key:
        raise Invalid(
            {
                "columns": f"“{second.item.full_text}” is already in the rows. Choose another question."
            }
        )
    for part, field in ((first, "rows"), (second, "columns")):
        if part.item.report_format.spreads and not part.is_of_two:
            raise Invalid(
                {
                    field: (
                        f"“{part.item.full_text}” sends only part of each person’s answer. Choose one of its answers."
                    )
                }
            )
    sizes = [part.mechanism.size for part in (first, second)]
    if sizes[0] * sizes[1] > MOST_CELLS or any(part.is_too_wide for part in (first, second)):
        cells = f"{sizes[0]} × {sizes[1]} cells; at most {MOST_CELLS:,} are allowed"
        raise TooMuch(
            f"This table would have {cells}. Choose one answer of a question, or another question."
        )


def _count_rows(
    seen: ReaderView,
    first: SurveyVariable,
    second: SurveyVariable,
    group: Group,
    kept: Kept = EVERY_ANSWER,
) -> tuple[PairTally, int]:
    """Count pairs of answers from the rows."""

    def count() -> tuple[PairTally, int]:
        total, everybody = None, 0
        for rows in seen.rows(group):
            everybody += len(rows)
            reports = _both(seen, rows, first, second, kept)
            pair = pair_tally(first.mechanism, reports[0], second.mechanism, reports[1])
            total = pair if total is None else total + pair
        return (_empty_counts(first, second) if total is None else total), everybody

    return seen.cached_count(
        ("table", group, kept, *((part.name, part.as_number) for part in (first, second))), count
    )


def _both(
    seen: ReaderView, rows: np.ndarray, first: SurveyVariable, second: SurveyVariable, kept: Kept
) -> list[np.ndarray]:
    """The reports of those who were asked both questions and whose answers are kept."""
    read = [part.read(rows[part.item.key]) for part in (first, second)]
    there = has_report(seen.paper, rows, first.item.key) & has_report(
        seen.paper, rows, second.item.key
    )
    for (kinds, asked), answers in zip(read, kept, strict=True):
        there &= True if asked is None else asked
        there &= True if answers is None else np.isin(kinds, [*answers])
    return [
        part.reports(kinds[there]) for part, (kinds, _) in zip((first, second), read, strict=True)
    ]


def _test_with_reports(
    *,
    seen: ReaderView,
    first: SurveyVariable,
    second: SurveyVariable,
    group: Group,
    merged: MergedTable,
    table: CrossTable,
) -> Independence:
    """Return the test of independence that permutes rows, cached until the responses change."""

    def test() -> Independence:
        reports = _read_reports(seen, first, second, group=group, merged=merged)
        return table.independence(reports)

    names = (first.name, second.name)
    return seen.cached_count(("independence", group, merged.kept_answers, names), test)


def _read_reports(
    seen: ReaderView,
    first: SurveyVariable,
    second: SurveyVariable,
    *,
    group: Group,
    merged: MergedTable,
) -> ReportRows:
    """Return the reports of the people in a table, with groups in place of answers."""
    batches = [_both(seen, rows, first, second, merged.kept_answers) for rows in seen.rows(group)]
    one = np.concatenate([reports for reports, _ in batches])
    other = np.concatenate([reports for _, reports in batches])
    return group_codes(one, merged.row_groups), group_codes(other, merged.column_groups)


def _empty_counts(first: SurveyVariable, second: SurveyVariable) -> PairTally:
    """Return the counts of no responses."""
    sizes = first.mechanism.size, second.mechanism.size
    return PairTally(
        0, np.zeros(sizes, np.int64), *(Tally(0, np.zeros(size, np.int64)) for size in sizes)
    )


def _count_cells(
    seen: GroupedView, first: SurveyVariable, second: SurveyVariable, group: Group
) -> tuple[PairTally, int]:
    """Count pairs of answers from the cells of the report groups."""
    if first.is_scrambled and second.is_scrambled:
        raise NotAReportGroup(f"{TWO_SCRAMBLED} {seen.note}".strip())
    if first.is_scrambled:
        pair, everybody = _count_cells(seen, second, first, group)
        return PairTally(pair.n, pair.counts.T, pair.second, pair.first), everybody
    for part in (first, second):
        if not part.is_scrambled and part.item.key not in seen.answer_groups:
            raise NotAReportGroup(f"{seen.visibility_note(part.item.key)} {seen.note}".strip())
    table = np.zeros((first.mechanism.size, second.mechanism.size), np.int64)
    people, everybody = np.zeros(len(table), np.int64), 0
    for places, cell in seen.cells(group):
        everybody += cell["n"]
        if any(
            place in seen.groups_without_answer(key)
            for key, place in places.items()
            if key in _keys(first, second)
        ):
            continue
        row = _kind(first, places)
        counts, n = _counted(second, places, cell)
        table[row] += counts
        people[row] += n
    n = int(people.sum())
    return PairTally(n, table, Tally(n, people), Tally(n, table.sum(axis=0))), everybody


def _keys(*parts: SurveyVariable) -> set[str]:
    return {part.item.key for part in parts}


def _kind(part: SurveyVariable, places: dict[str, int]) -> int:
    place = places[part.item.key]
    return place if part.choice is None else int(place == part.choice)


def _counted(part: SurveyVariable, places: dict[str, int], cell: dict) -> tuple[np.ndarray, int]:
    """How often the reports of a cell speak for each answer, and of how many people."""
    if not part.is_scrambled:
        counts = np.zeros(part.mechanism.size, np.int64)
        counts[_kind(part, places)] = cell["n"]
        return counts, cell["n"]
    n = cell.get("answered", {}).get(part.item.key, cell["n"])
    counts = cell["counts"][part.item.key]
    if part.is_of_two:
        counts = part.counted(counts, n)
        n = sum(counts)
    return unpack(counts), n


def offered(seen: ReaderView) -> list[tuple[str, str]]:
    """What may stand in a table, as addresses name it: all answers to a question, or one against all others."""
    options = []
    for item in table_questions(seen):
        if (
            item.traits.is_background_number
        ):  # too many answers for a table; of the cut they come in groups
            continue
        options += (
            []
            if item.report_format.spreads or SurveyVariable(item).is_too_wide
            else [(item.key, item.full_text)]
        )
        is_single = item.size > 2 or item.report_format.spreads
        single = (
            selection.answer_options(seen, item)
            if is_single and not MOST_SINGLE < item.size <= selection.MOST_OFFERED
            else []
        )
        options += [(value, f"{item.full_text} “{label}” or not") for value, label in single]
    return options


def can_cross(seen: ReaderView) -> bool:
    """Whether there are two questions that this reader may look at together."""
    background = [
        item
        for item in selection.questions(seen)
        if item.mechanism is None and not item.traits.is_background_number
    ]
    scrambled = selection.questions_with_shares(seen)
    return bool(scrambled and background) or (seen.has_rows and len(scrambled) > 1)
