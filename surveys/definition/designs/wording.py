"""What a report says where that is not simply the answer."""

from django.utils.translation import pgettext

from mechanisms import Mechanism
from surveys.definition.designs.external import EVERY
from surveys.definition.designs.modes import is_statement


def report_coding_clause(mechanism: Mechanism, mode: str) -> str:
    """Return a clause to append on what a report of Yes means."""
    row = EVERY.get(mechanism.name)
    meaning = (
        "the statement picked is true" if is_statement(mode, mechanism) else row.yes if row else ""
    )
    return f"; a report of Yes (code 1) says that {meaning}" if meaning else ""


def about_a_statement() -> list[tuple[int, str]]:
    """What is said of a statement, as Warner asked, in place of Yes and No: the report and its word, as shown."""
    return [(1, pgettext("answer", "True")), (0, pgettext("answer", "False"))]
