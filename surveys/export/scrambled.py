"""What every file says about scrambled answers: a share of them is not the share of people."""

import textwrap
from fractions import Fraction

from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.export.codebook_lines import line
from surveys.export.columns import Column, Holds

NOTE = (
    "The answers in the variables marked [scrambled] were changed at random on each person's "
    "device before they were sent. A share read directly from this file is not the share of people. The "
    "report corrects for this."
)
MARK = "[scrambled]"


def has_scrambled(frozen: SurveyDefinition) -> bool:
    """Return whether any answer of a survey is scrambled."""
    return any(is_scrambled(item) for item in frozen.items)


def is_scrambled(item: QuestionDefinition) -> bool:
    """Return whether the answers to a question are scrambled."""
    return item.mechanism is not None


def note_lines(frozen: SurveyDefinition) -> list[str]:
    """Return the note, and a line for each scrambled variable; nothing if there is none."""
    if not has_scrambled(frozen):
        return []
    return [NOTE, *(_variable_line(item) for item in frozen.items if is_scrambled(item))]


def commented_note(frozen: SurveyDefinition, start: str = "# ", end: str = "") -> list[str]:
    """Return the note as comment lines of a script; nothing if no answer is scrambled.

    start, end: what stands before and behind each line.
    """
    if not has_scrambled(frozen):
        return []
    return [f"{start}{text}{end}" for text in textwrap.wrap(NOTE, width=100)]


def _variable_line(item: QuestionDefinition) -> str:
    """Return how received shares of a question follow from true ones, or where this is written."""
    factors = _common_line(item)
    if factors is None:
        return f"{item.key}: see codebook.json."
    c, d = factors
    added = f" + {d}" if d else ""
    return f"{item.key}: received share = {c} × true share{added}."


def _common_line(item: QuestionDefinition) -> tuple[Fraction, Fraction] | None:
    """Return (c, d) of the answers to a question, or None if they differ.

    Of a question with Yes and No these are those of Yes.
    """
    lines = line(item)
    # The share of such a report is not that of an answer among all reports.
    is_other_share = (
        item.is_written
        or not item.tells_shares
        or item.has_own_numbers
        or item.report_format.spreads
    )
    if lines is None or is_other_share:
        return None
    if item.traits.has_yes and len(lines) == 2:
        return lines[1]
    return lines[0] if len(set(lines)) == 1 else None


def column_line(column: Column) -> tuple[Fraction, Fraction] | None:
    """Return (c, d) of a column: received share = c * true share + d. None if there is none."""
    if column.holds is Holds.MARK:
        lines = line(column.item)
        return lines[column.place] if lines else None
    return _common_line(column.item)


def marked_label(column: Column, most: int = 0, size: object = len) -> str:
    """Return the label of a column, with MARK at its end if the column is scrambled.

    most: the most room that it may take, as `size` measures it; 0 for any.
    """
    if not is_scrambled(column.item):
        return column.label(most, size)
    end = f" {MARK}"
    room = most - len(end) if most else 0
    return f"{column.label(room, size)}{end}"
