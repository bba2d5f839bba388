"""Lists of people: pasted, from files, wrong in every way that somebody may bring."""

import io

import openpyxl
import pytest

from features.invitations.roster import add, parse_people, suggest_ticket_mode
from surveys.fieldwork.tickets.invitees import Row
from surveys.models import Survey
from surveys.site.errors import Invalid
from tests.factories.surveys import create_draft

pytestmark = pytest.mark.django_db


def people(text: str) -> list[Row]:
    return [row for _, row in parse_people(text.encode())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "ada@example.org\nbob@example.org\n",
            [Row("", "ada@example.org"), Row("", "bob@example.org")],
        ),
        (
            "Ada, ada@example.org\n\nBob, bob@example.org",
            [Row("Ada", "ada@example.org"), Row("Bob", "bob@example.org")],
        ),
        ("ada@example.org;Ada", [Row("Ada", "ada@example.org")]),
        ("Ada Lovelace\nBob", [Row("Ada Lovelace"), Row("Bob")]),
        ("Ada Lovelace <ada@example.org>", [Row("Ada Lovelace", "ada@example.org")]),
        ("name,e-mail\nAda,ada@example.org\nBob,", [Row("Ada", "ada@example.org"), Row("Bob")]),
        ("Office\tName\tEmail\n12\tAda\tada@example.org", [Row("Ada", "ada@example.org")]),
        (
            "\N{ZERO WIDTH NO-BREAK SPACE}label,email\r\nÄda,ada@example.org\r\n",
            [Row("Äda", "ada@example.org")],
        ),
        ('"Lovelace, Ada",ada@example.org', [Row("Lovelace, Ada", "ada@example.org")]),
        ("=1+1,ada@example.org", [Row("=1+1", "ada@example.org")]),
    ],
)
def test_a_list_is_read_as_people_paste_it(text: str, expected: list[Row]) -> None:
    assert people(text) == expected


def test_a_workbook_is_read_too() -> None:
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in (("Name", "E-mail"), ("Ada", "ada@example.org"), ("Bob", None)):
        book.active.append(row)
    book.save(file)
    assert [row for _, row in parse_people(file.getvalue())] == [
        Row("Ada", "ada@example.org"),
        Row("Bob"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Ada, ada@example\nBob, bob@example.org",
            "Row 1: “ada@example” is not an email address. No one was added.",
        ),
        (
            "Ada, \N{KELVIN SIGN}@example.org",
            "Row 1: “\N{KELVIN SIGN}@example.org” has letters before the @ that",
        ),
        ("Müller, müller@example.org", "Row 1: “müller@example.org” has letters before the @ that"),
        (f"Ada, ada@{'ü' * 62}.org", "is not an email address. No one was added."),
        (f"Ada, {'a' * 65}@example.org", "is too long for an email address. No one was added."),
        (
            f"Ada, ada@{'a' * 62}.{'b' * 62}.{'c' * 62}.{'d' * 62}.org",
            "is too long for an email address.",
        ),
        (
            f"{'a' * 101}",
            "Row 1: write a label of at most 100 letters on one line. No one was added.",
        ),
        ("\x00\x01", "write a label"),
        ('Ada, "ada', "quotation mark"),
        ("x" * 3_000_001, "at most 3,000,000 bytes"),
    ],
)
def test_what_is_wrong_is_said_with_its_row(text: str, said: str) -> None:
    with pytest.raises(Invalid) as refused:
        parse_people(text.encode())
    assert said.lower() in refused.value.errors["people"].lower()


def test_of_many_wrong_rows_ten_are_named() -> None:
    with pytest.raises(Invalid, match=r"Row 10: .* And 15 more\. No one was added"):
        parse_people("\n".join(f"a{n}@b" for n in range(25)).encode())


def test_whoever_is_there_twice_is_named_and_nobody_is_added() -> None:
    survey = create_draft(tickets="two")
    add(survey, parse_people(b"ada@example.org"))
    with pytest.raises(Invalid) as refused:
        add(survey, parse_people(b"Bob\nADA@example.org\nbob"))
    assert refused.value.errors == {
        "people": "Row 2: ADA@example.org is on the list already. Rows 1 and 3: bob appears twice. No one was added."
    }
    assert survey.invitees.count() == 1
    assert len(add(survey, parse_people(b"Bob\nADA@example.org\nbob"), skip=True)) == 1
    with pytest.raises(Invalid, match="Everyone in this list"):
        add(survey, parse_people(b"Bob"), skip=True)


def test_letters_need_no_names() -> None:
    survey = create_draft(tickets="one")
    assert len(add(survey, unnamed=3)) == 3
    assert len(add(survey, unnamed=2)) == 2  # nobody is there twice without a name
    assert set(survey.invitees.values_list("label", "email")) == {("", "")}


def test_two_steps_are_the_default_from_twenty_people() -> None:
    assert (suggest_ticket_mode(19), suggest_ticket_mode(20)) == ("one", "two")
    survey = create_draft()
    add(survey, unnamed=20)
    survey.refresh_from_db()
    assert survey.tickets == Survey.Tickets.TWO
    add(survey, unnamed=1)
    survey.refresh_from_db()
    assert survey.tickets == Survey.Tickets.TWO  # what was chosen stays
