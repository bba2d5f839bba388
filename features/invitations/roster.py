"""A list of people as it was pasted, or stands in a file: a row for each, with a label, an e-mail address, or both."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from features.invitations.addresses import address_problem
from features.invitations.recipients import read_recipients
from surveys.accounts import history
from surveys.definition.status import require_draft
from surveys.fieldwork.tickets import invitees
from surveys.fieldwork.tickets.invitees import MOST_AT_ONCE, Row
from surveys.models import Invitee, Survey
from surveys.site.errors import Invalid, Unreadable
from surveys.site.files import encodings
from surveys.site.files.delimited import Broken, Cells, clean
from surveys.site.files.foreign import foreign_message
from surveys.site.files.layout import HEADER_SEARCH_ROWS, Layout
from surveys.site.files.rows import too_many_lines
from surveys.site.files.sizes import TableLimits, too_large_message
from surveys.site.files.table import read_first_part
from surveys.site.files.whole_files import whole_format

LARGEST = 3_000_000  # bytes of a list
ADD_FEWER = f"Add at most {MOST_AT_ONCE:,} people at once."
MOST_ROWS = 2 * MOST_AT_ONCE  # some of them are empty
LIMITS = TableLimits(
    rows=MOST_ROWS + HEADER_SEARCH_ROWS,
    cells=500_000,
    text=10_000_000,
    rows_remedy=ADD_FEWER,
    remedy="Keep only the columns with labels and email addresses.",
)
LABEL_LENGTH = 100
NAMED = 10  # rows that are named where something is wrong
SUGGESTED = 20  # people, from whom on two steps are suggested
LABELS = ("label", "name", "person", "participant", "id")
EMAILS = ("email", "e-mail", "mail", "e-mail address", "email address", "address")


class Columns(NamedTuple):
    """The places of label and address by the headings of a table. size: the number of its columns."""

    label: int | None
    email: int | None
    size: int


def suggest_ticket_mode(people: int) -> Survey.Tickets:
    """Return the ticket mode that suits this number of people."""
    return Survey.Tickets.TWO if people >= SUGGESTED else Survey.Tickets.ONE


def parse_people(data: bytes) -> list[tuple[int, Row]]:
    """(number of the row, person) of a list, empty rows left out. A row with headings is one where its words are known.

    Raises Invalid at "people", with the rows in which something is wrong.
    """
    if len(data) > LARGEST:
        raise Invalid({"people": too_large_message(LARGEST)})
    columns = None
    lines = _lines_with_recipients(data)
    if lines:
        rows = [(number, [line]) for number, line in enumerate(lines, 1)]
    else:
        rows, columns = _table_rows(data)
    if len(rows) > MOST_ROWS:
        raise Invalid({"people": ADD_FEWER})
    people, wrong = [], []
    for number, cells in rows:
        addresses = sum(cell.count("@") for cell in cells)
        if (
            addresses > 2 * MOST_AT_ONCE or len(people) > MOST_ROWS
        ):  # a name may hold an address too
            raise Invalid({"people": ADD_FEWER})
        try:
            people += [(number, row) for row in _people(cells, columns)]
        except ValueError as error:
            wrong.append(f"Row {number}: {error}")
    _refuse(wrong)
    return people


def _lines_with_recipients(data: bytes) -> list[str]:
    """Return the lines of a text as mail programs copy it, or nothing for any other list.

    It has no headings, and a line with names before addresses or with several addresses. A text with too many lines is
    left to the reader of tables, which counts its rows before it makes anything of them.
    """
    if whole_format(data) or foreign_message(data):
        return []
    try:
        text, _ = encodings.to_utf_8(
            encodings.guess_encoding(data), encodings.without_mark(data), last=True
        )
        decoded = text.decode()
    except ValueError:  # reading it as a table says what is wrong
        return []
    if too_many_lines(decoded, MOST_ROWS):
        return []
    lines = decoded.splitlines()
    if not any(line.count("@") > 1 or ("@" in line and "<" in line) for line in lines):
        return []
    for line in lines[:HEADER_SEARCH_ROWS]:
        names = line.replace('"', "").replace(";", ",").replace("\t", ",").split(",")
        if _knows(names):
            return []
    return lines


def _table_rows(data: bytes) -> tuple[list[tuple[int, list[str]]], Columns | None]:
    """Return the numbered rows of a table without its headings, and where these say that label and address are.

    Raises Invalid at "people" for what is no table.
    """
    try:
        table = read_first_part(data, Layout(separator=_separator(data)), _knows, LIMITS, last=True)
    except (Broken, Invalid, Unreadable) as wrong:
        raise Invalid({"people": str(wrong)}) from None
    rows = _rows(table.cells)
    if not _knows(table.names):
        return [(table.layout.header, table.names), *rows], None
    return rows, _columns(table.names)


def _separator(data: bytes) -> str:
    """A pasted column of addresses has none; a comma is as good as any."""
    return (
        ""
        if any(mark in data[:65_536] for mark in (b",", b";", b"\t")) or data[:2] == b"PK"
        else ","
    )


def _knows(names: Sequence[str]) -> bool:
    return any(name.strip().lower() in (*LABELS, *EMAILS) for name in names)


def _columns(names: Sequence[str]) -> Columns:
    """Return where label and address are."""
    plain = [name.strip().lower() for name in names]
    label = next((plain.index(name) for name in LABELS if name in plain), None)
    email = next((plain.index(name) for name in EMAILS if name in plain), None)
    return Columns(label=label, email=email, size=len(names))


def _rows(cells: Cells) -> list[tuple[int, list[str]]]:
    bounds = zip(cells.first[:-1].tolist(), cells.first[1:].tolist(), strict=True)
    texts = [clean(text) for text in cells.texts(np.arange(cells.first[0], cells.first[-1]))]
    start = int(cells.first[0])
    return [(cells.row + at, texts[a - start : b - start]) for at, (a, b) in enumerate(bounds)]


def _people(cells: list[str], columns: Columns | None) -> list[Row]:
    """Return the people in a row: at most one where headings say which cell is what. Raises ValueError."""
    filled = [cell for cell in cells if cell.strip()]
    if not filled:
        return []
    if columns:
        return [_person_by_headings(cells, columns)]
    with_address = [cell for cell in filled if "@" in cell]
    if not with_address:
        return [validate_person(", ".join(filled), "")]
    if len(with_address) == 1 and len(filled) > 1:
        label = ", ".join(cell for cell in filled if cell != with_address[0])
        return [validate_person(label, with_address[0])]
    rows = []
    for cell in filled:
        rows += [
            _make_row(recipient.name, recipient.address) for recipient in read_recipients(cell)
        ]
    return rows


def _person_by_headings(cells: list[str], columns: Columns) -> Row:
    label, email = (
        "" if at is None or at >= len(cells) else cells[at] for at in (columns.label, columns.email)
    )
    beside = [cell for cell in cells[columns.size :] if "@" in cell]
    if beside:
        raise ValueError(
            f"“{beside[0][:60]}” has no heading above it. Write each person on a row of their own."
        )
    if "<" in label and "@" in label:
        raise ValueError(f"“{label[:60]}” has an address in the column for labels.")
    return validate_person(label, email)


def validate_person(label: str, email: str) -> Row:
    """Return a person from a label and an email address. Raises ValueError."""
    if "@" not in email:
        return _make_row(label, email)
    recipients = read_recipients(email)
    if len(recipients) > 1:
        raise ValueError(
            f"“{email[:120]}” has several addresses. Write each person on a row of their own."
        )
    return _make_row(label.strip() or recipients[0].name, recipients[0].address)


def _make_row(label: str, email: str) -> Row:
    """Return a person with a valid label and address. Raises ValueError with what is wrong."""
    label, email = " ".join(label.split()), email.strip()
    if len(label) > LABEL_LENGTH or not label.isprintable():
        raise ValueError(f"write a label of at most {LABEL_LENGTH} letters on one line.")
    if email and (problem := address_problem(email)):
        raise ValueError(problem)
    return Row(label, email)


@transaction.atomic
def add(
    survey: Survey,
    people: Iterable[tuple[int, Row]] = (),
    *,
    unnamed: int = 0,
    skip: bool = False,
    by: AbstractBaseUser | None = None,
) -> list[Invitee]:
    """Invite the people of a list, and so many more of whom nothing is noted, for letters that are handed out.

    skip: leave out whoever is on the list already, or here twice; otherwise that is refused, and they are named. A
    draft that has chosen no steps yet gets those that fit the number. Raises Invalid and Refused.
    """
    people, survey = list(people), survey.locked()
    if skip:
        people = _once(survey, people)
    else:
        _refuse(_twice(survey, people))
    rows = [row for _, row in people] + [Row()] * unnamed
    if not rows:
        raise Invalid(
            {
                "people": "Everyone in this list is already there."
                if skip
                else "Add at least one person."
            }
        )
    if survey.is_draft and not survey.tickets and not survey.import_only:
        survey.tickets = suggest_ticket_mode(len(rows))
        survey.edition += 1
        survey.save(update_fields=["tickets", "edition"])
        history.record(survey, by, history.What.CHANGED, "tickets")
    try:
        return invitees.invite(survey, rows, by)
    except Invalid as wrong:
        raise Invalid({"people": str(wrong)}) from None


def _known(survey: Survey) -> set[str]:
    return {_same(Row(*pair)) for pair in survey.invitees.values_list("label", "email")}


def _same(row: Row) -> str:
    """What makes two rows one person: the address, and the label where there is none; nothing where both are empty."""
    return row.email.casefold() or row.label.casefold()


def _twice(survey: Survey, people: list[tuple[int, Row]]) -> list[str]:
    """Return a message for each person who is on the list already, or in `people` twice."""
    known, first, repeats = _known(survey), {}, []
    for number, row in people:
        same, named = _same(row), row.email or row.label
        if same in known:
            repeats.append(f"Row {number}: {named} is on the list already.")
        elif same not in first:
            first[same] = number
        elif first[same] == number:
            repeats.append(f"Row {number}: {named} appears twice.")
        else:
            repeats.append(f"Rows {first[same]} and {number}: {named} appears twice.")
    return repeats


def _once(survey: Survey, people: list[tuple[int, Row]]) -> list[tuple[int, Row]]:
    known, kept = _known(survey), {}
    for number, row in people:
        if _same(row) not in known:
            kept.setdefault(_same(row), (number, row))
    return list(kept.values())


def _refuse(wrong: list[str]) -> None:
    if wrong:
        more = f" And {len(wrong) - NAMED:,} more." if len(wrong) > NAMED else ""
        raise Invalid({"people": f"{' '.join(wrong[:NAMED])}{more} No one was added."})


@transaction.atomic
def take_off(invitee: Invitee, by: AbstractBaseUser | None = None) -> None:
    """The history tells of it without a name."""
    invitees.withdraw(invitee)
    history.record(invitee.survey, by, history.What.UNASKED, "1")


@transaction.atomic
def remove_everyone(survey: Survey, by: AbstractBaseUser | None = None) -> int:
    """Take everybody off the list of a draft; how many. Raises Refused once it is published: who took a ticket would
    be who stayed.
    """
    survey = survey.locked()
    require_draft(survey)
    removed = invitees.delete_invitees(survey.invitees.all())
    history.record(survey, by, history.What.UNASKED, f"{removed:,}")
    return removed
