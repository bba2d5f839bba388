"""The table of links, with distinct values: see tests/whole_site/test_file_rows.py."""

from features.invitations import links
from surveys.fieldwork.tickets import codes
from tests.factories.ticket_surveys import create_survey_with_tickets
from tests.helpers.filled_tables import FilledTable, FilledTables


def filled_links() -> FilledTable:
    survey = create_survey_with_tickets(1, steps="one")
    code = codes.format_code(codes.code_of(survey.invitees.get()))
    row = {
        "label": "Person 00",
        "email": "p00@example.org",
        "code": code,
        "link": f"https://survey.example.org/i/{survey.slug}/#{code}",
    }
    return FilledTable(links.as_csv("https://survey.example.org", survey), [row])


TABLES: FilledTables = {links.as_csv: filled_links}
