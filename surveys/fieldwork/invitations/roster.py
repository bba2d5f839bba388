"""A list of people as it was pasted, or stands in a file: a row for each, with a label, an e-mail address, or both."""

import re
from collections.abc import Iterable, Sequence

import numpy as np
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from surveys.accounts import history
from surveys.definition.status import require_draft
from surveys.fieldwork.tickets import invitees
from surveys.fieldwork.tickets.invitees import MOST_AT_ONCE, Row
from surveys.models import Invitee, Survey
from surveys.site.errors import Invalid, Unreadable
from surveys.site.files.delimited import Broken, Cells, clean
from surveys.site.files.sizes import too_large_message
from surveys.site.files.table import Layout, opened

LARGEST = 3_000_000  # bytes of a list
LABEL_LENGTH = 100
NAMED = 10  # rows that are named where something is wrong
SUGGESTED = 20  # people, from whom on two steps are suggested
LABELS = ("label", "name", "person", "participant", "id")
EMAILS = ("email", "e-mail", "mail", "e-mail address", "email address", "address")
WITH_NAME = re.compile(r"(.*)<\s*([^<>\s]+@[^<>\s]+)\s*>")


def suggested(people: int) -> Survey.Tickets:
    """The steps that fit so many people best: among fewer nobody can hide in the wait between two."""
    return Survey.Tickets.TWO if people >= SUGGESTED else Survey.Tickets.ONE


def read(data: bytes) -> list[tuple[int, Row]]:
    """(number of the row, person) of a list, empty rows left out. A row with headings is one where its words are known.

    Raises Invalid at "people", with the rows in which something is wrong.
    """
    if len(data) > LARGEST:
        raise Invalid({"people": too_large_message(LARGEST)})
    try:
        table = opened(data, Layout(separator=_separator(data)), _knows, last=True)
    except (Broken, Invalid, Unreadable) as wrong:
        raise Invalid({"people": str(wrong)}) from None
    known = _knows(table.names)
    columns = _columns(table.names) if known else None
    rows = [] if known else [(table.layout.header, table.names)]
    rows += _rows(table.cells)
    if len(rows) > 2 * MOST_AT_ONCE:
        raise Invalid({"people": f"Add at most {MOST_AT_ONCE:,} people at once."})
    people, wrong = [], []
    for number, cells in rows:
        try:
            if any(cells):
                people.append((number, _person(cells, columns)))
        except ValueError as error:
            wrong.append(f"Row {number}: {error}")
    _refuse(wrong)
    return people


def _separator(data: bytes) -> str:
    """A pasted column of addresses has none; a comma is as good as any."""
    return "" if any(mark in data[:65_536] for mark in (b",", b";", b"\t")) or data[:2] == b"PK" else ","


def _knows(names: Sequence[str]) -> bool:
    return any(name.strip().lower() in (*LABELS, *EMAILS) for name in names)


def _columns(names: Sequence[str]) -> tuple[int | None, int | None]:
    """Where label and address stand."""
    told = [name.strip().lower() for name in names]
    return tuple(next((told.index(name) for name in group if name in told), None) for group in (LABELS, EMAILS))


def _rows(cells: Cells) -> list[tuple[int, list[str]]]:
    bounds = zip(cells.first[:-1].tolist(), cells.first[1:].tolist(), strict=True)
    texts = [clean(text) for text in cells.texts(np.arange(cells.first[0], cells.first[-1]))]
    start = int(cells.first[0])
    return [(cells.row + at, texts[a - start : b - start]) for at, (a, b) in enumerate(bounds)]


def _person(cells: list[str], columns: tuple[int | None, int | None] | None) -> Row:
    """By the headings; without any, the cell with an @ is the address and the others are the label."""
    if columns:
        label, email = ("" if at is None or at >= len(cells) else cells[at] for at in columns)
    else:
        email = next((cell for cell in cells if "@" in cell), "")
        label = ", ".join(cell for cell in cells if cell and cell != email)
    return person(label, email)


def person(label: str, email: str) -> Row:
    """Raises ValueError with what is wrong with it."""
    label, email = " ".join(label.split()), email.strip()
    if match := WITH_NAME.fullmatch(email):
        label, email = label or " ".join(match[1].replace('"', "").split()), match[2]
    if len(label) > LABEL_LENGTH or not label.isprintable():
        raise ValueError(f"write a label of at most {LABEL_LENGTH} letters on one line.")
    try:
        if email:
            validate_email(email)
    except ValidationError:
        raise ValueError(f"“{email[:60]}” is not an email address.") from None
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
        raise Invalid({"people": "Everyone in this list is already there." if skip else "Add at least one person."})
    if survey.is_draft and not survey.tickets and not survey.import_only:
        survey.tickets = suggested(len(rows))
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
    known, first, repeats = _known(survey), {}, []
    for number, row in people:
        same, named = _same(row), row.email or row.label
        if same in known:
            repeats.append(f"Row {number}: {named} is on the list already.")
        elif (before := first.setdefault(same, number)) != number:
            repeats.append(f"Rows {before} and {number}: {named} appears twice.")
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
def clear(survey: Survey, by: AbstractBaseUser | None = None) -> int:
    """Take everybody off the list of a draft; how many. Raises Refused once it is published: who took a ticket would
    be who stayed.
    """
    survey = survey.locked()
    require_draft(survey)
    removed = survey.invitees.count()
    survey.invitees.all().delete()
    history.record(survey, by, history.What.UNASKED, f"{removed:,}")
    return removed
