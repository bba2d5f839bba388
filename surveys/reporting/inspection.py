"""All checks of the data quality of a survey, those of the counts and those of the single reports."""

from surveys.models import Instrument
from surveys.publishing.instruments import paper
from surveys.reporting.quality import Check, check_counts, check_rows
from surveys.reporting.report import report


def inspect(instrument: Instrument) -> list[Check]:
    """Always of all responses: a filter has no part in how reports were made. In the order of the questions."""
    frozen, result = paper(instrument), report(instrument)
    if not result.n:
        return []
    checks = [*check_counts(frozen, result), *check_rows(frozen, instrument)]
    order = [item.key for item in frozen.items]
    return sorted(checks, key=lambda check: order.index(check.key))
