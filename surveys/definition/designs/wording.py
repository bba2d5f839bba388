"""The wording of reports that do not simply mean the answer."""

from django.utils.translation import pgettext

from mechanisms import Mechanism
from surveys.definition.designs.external import ALL_DESIGNS
from surveys.definition.designs.modes import is_statement


def report_coding_clause(mechanism: Mechanism, mode: str) -> str:
    """Return a clause on what a report of Yes means, to append to the description of a question.

    Return an empty string if such a report simply means Yes.

    mode: who randomizes the answer.
    """
    meaning = ""
    if is_statement(mode, mechanism):
        meaning = "the statement picked is true"
    elif mechanism.name in ALL_DESIGNS:
        meaning = ALL_DESIGNS[mechanism.name].yes
    if not meaning:
        return ""
    return f"; a report of Yes (code 1) says that {meaning}"


def statement_answers() -> list[tuple[int, str]]:
    """Return the answers to a statement, which Warner's design has in place of Yes and No.

    Each answer is its code and its word, in the language and the order of the page.
    """
    return [(1, pgettext("answer", "True")), (0, pgettext("answer", "False"))]
