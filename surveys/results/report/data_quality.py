"""All checks of the data quality of a survey, those of the counts and those of the single reports."""

from surveys.definition.parsing import parse_instrument
from surveys.models import Instrument
from surveys.results.disclosure.access import view_for_reader
from surveys.results.estimates.report import report
from surveys.results.report.quality import Check, check_counts, check_lot, check_rows


def inspect(instrument: Instrument, *, rows: bool = False) -> list[Check]:
    """Always of all responses: a filter has no part in how reports were made. In the order of the questions. Where the
    responses are deleted, only what their counts say.

    rows: whether for somebody with the right to rows; others learn nothing of groups by background answers here,
    such as how many were asked a question with a condition.
    """
    frozen, result = (
        parse_instrument(instrument),
        report(instrument, seen=view_for_reader(instrument, has_rows=rows)),
    )
    if not result.n:
        return []
    checks = check_counts(frozen, result)
    if instrument.deleted_on is None:
        checks += [
            check
            for check in check_rows(frozen, instrument)
            if rows or check.key not in frozen.keys_with_condition
        ]
        checks += check_lot(frozen, instrument) if rows else []
    order = [*(item.key for item in frozen.items), ""]  # at the end what is said of all
    return sorted(checks, key=lambda check: order.index(check.key))
