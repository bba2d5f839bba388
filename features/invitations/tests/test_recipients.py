"""Recipients as mail programs copy them: everyone is read, or the part that cannot be read is named."""

import io

import openpyxl
import pytest

from features.invitations.roster import add, parse_people, validate_person
from surveys.fieldwork.tickets.invitees import Row
from surveys.models import Survey
from surveys.site.errors import Invalid
from tests.factories.surveys import create_draft

CARL, DORA, EVE = (Row(name, f"{name.lower()}@example.org") for name in ("Carl", "Dora", "Eve"))
NAMELESS = [row._replace(label="") for row in (CARL, DORA, EVE)]


def people(text: str) -> list[Row]:
    return [row for _, row in parse_people(text.encode())]


def message(text: str) -> str:
    with pytest.raises(Invalid) as refused:
        parse_people(text.encode())
    return refused.value.errors["people"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Carl <carl@example.org>; Dora <dora@example.org>; Eve <eve@example.org>",
            [CARL, DORA, EVE],
        ),
        (
            "Carl <carl@example.org>, Dora <dora@example.org>, Eve <eve@example.org>",
            [CARL, DORA, EVE],
        ),
        (
            "Carl <carl@example.org>\tDora <dora@example.org>\tEve <eve@example.org>",
            [CARL, DORA, EVE],
        ),
        (
            "Carl <carl@example.org>;\nDora <dora@example.org>;\r\nEve <eve@example.org>;\n",
            [CARL, DORA, EVE],
        ),
        (
            "Carl <carl@example.org>,\nDora <dora@example.org>, Eve <eve@example.org>",
            [CARL, DORA, EVE],
        ),
        ("carl@example.org; dora@example.org; eve@example.org", NAMELESS),
        ("carl@example.org,dora@example.org,eve@example.org", NAMELESS),
        ("carl@example.org dora@example.org eve@example.org", NAMELESS),
        ("<carl@example.org>; <dora@example.org>; <eve@example.org>", NAMELESS),
        (
            "Carl <carl@example.org>; dora@example.org, Eve <eve@example.org>",
            [CARL, NAMELESS[1], EVE],
        ),
        (
            '"Müller, Carl" <carl@example.org>, "Doe; Dora" <dora@example.org>',
            [Row("Müller, Carl", CARL.email), Row("Doe; Dora", DORA.email)],
        ),
        (
            '"Müller, Carl" <carl@example.org>\n"Doe, Dora" <dora@example.org>',
            [Row("Müller, Carl", CARL.email), Row("Doe, Dora", DORA.email)],
        ),
        (
            "Müller, Carl <carl@example.org>; Doe, Dora <dora@example.org>",
            [Row("Müller, Carl", CARL.email), Row("Doe, Dora", DORA.email)],
        ),
        ("Carl\tcarl@example.org; Dora\tdora@example.org", [CARL, DORA]),
        (
            "carl@example.org <carl@example.org>; Dora <dora@example.org>",
            [Row(CARL.email, CARL.email), DORA],
        ),
        (
            "Carl, Room 3, carl@example.org\nDora <dora@example.org>",
            [Row("Carl, Room 3", CARL.email), DORA],
        ),
        (
            "Carl <carl@example.org>\nSomeone without an address",
            [CARL, Row("Someone without an address")],
        ),
        ("\ufeffCarl <carl@example.org>; Dora <dora@example.org>", [CARL, DORA]),
    ],
)
def test_each_recipient_of_a_line_is_a_person(text: str, expected: list[Row]) -> None:
    assert people(text) == expected


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Carl <carl@example.org>; Dora; Eve <eve@example.org>", "“Dora”"),
        ("Carl, carl@example.org, Dora, dora@example.org", "“Carl”"),
        (
            "Carl <carl@example.org> Dora <dora@example.org>",
            "“Carl <carl@example.org> Dora <dora@example.org>”",
        ),
        ("carl@example.org Dora <dora@example.org>", "“carl@example.org Dora <dora@example.org>”"),
        ("Carl <carl@example.org>; Dora <dora@example>", "“dora@example”"),
        ("Carl <carl@example.org>; Dora <dora@example.org", "“Dora <dora@example.org”"),
        ('Carl <carl@example.org>; "Dora <dora@example.org>', '“"Dora <dora@example.org>”'),
        (
            "name;email\nCarl <carl@example.org>; Dora <dora@example.org>",
            "“Carl <carl@example.org>”",
        ),
        ("email\ncarl@example.org, dora@example.org", "“dora@example.org”"),
        (
            "name,email\nCarl,carl@example.org; dora@example.org",
            "“carl@example.org; dora@example.org”",
        ),
    ],
)
def test_a_part_that_cannot_be_read_is_named_and_no_one_is_added(text: str, part: str) -> None:
    row = 1 + text.count("\n")
    said = message(text)
    assert said.startswith(f"Row {row}: ")
    assert part in said
    assert said.endswith("No one was added.")


def test_a_cell_of_a_workbook_with_several_recipients_is_read_as_a_pasted_line() -> None:
    book = openpyxl.Workbook()
    file = io.BytesIO()
    book.active.append(("Carl <carl@example.org>; Dora <dora@example.org>", "eve@example.org"))
    book.save(file)
    assert [row for _, row in parse_people(file.getvalue())] == [CARL, DORA, NAMELESS[2]]


def test_a_table_with_a_further_column_of_addresses_is_read_as_before() -> None:
    assert people("name,email,supervisor\nCarl,carl@example.org,dora@example.org") == [CARL]


def test_one_person_of_a_program_has_one_address() -> None:
    assert validate_person("", '"Müller, Carl" <carl@example.org>') == Row(
        "Müller, Carl", CARL.email
    )
    assert validate_person("C", "Carl <carl@example.org>") == Row("C", CARL.email)
    with pytest.raises(ValueError, match="has several addresses"):
        validate_person("", "Carl <carl@example.org>; Dora <dora@example.org>")


@pytest.mark.django_db
def test_a_person_who_is_twice_on_one_line_is_named() -> None:
    survey = create_draft(tickets="one")
    line = parse_people(b"Carl <carl@example.org>; Dora <dora@example.org>; CARL@example.org")
    with pytest.raises(Invalid) as refused:
        add(survey, line)
    assert refused.value.errors == {
        "people": "Row 1: CARL@example.org appears twice. No one was added."
    }
    assert len(add(survey, line, skip=True)) == 2
    assert list(
        Survey.objects.get().invitees.order_by("email").values_list("label", flat=True)
    ) == ["Carl", "Dora"]
