"""Responses that arrive through the inbox, what is released of them, and the passing of hours."""

import uuid
from datetime import timedelta

from django.core.management import call_command
from django.db.models import F

from surveys.definition.parsing import parse_instrument
from surveys.export import decoded
from surveys.fieldwork.responses import Outcome, store_response
from surveys.fieldwork.responses.records import encode, wire_reports
from surveys.models import Instrument


def submit_responses(instrument: Instrument, n: int, first: int = 0) -> list[tuple]:
    """Store n responses in the inbox, and return the rows that an export should show.

    The survey has the questions of tests.factories.surveys.create_published(). A row has the
    reports of one response, in the order of the questions.

    first: the number of the first response. Any 32 responses in a row have different reports.
    """
    rows = []
    for number in range(first, first + n):
        # The report to "fruit" has a bit for each of its five answers, so 32 reports are possible.
        reports = {"tax": number % 2, "fruit": f"{number % 32:05b}", "region": number // 2 % 2}
        record = encode(parse_instrument(instrument), reports)
        # A device draws a key for its response, by which a second try is recognized.
        outcome = store_response(instrument, uuid.uuid4(), record)
        assert outcome is Outcome.RECORDED
        rows.append(tuple(reports.values()))
    return rows


def released_rows(instrument: Instrument) -> list[tuple]:
    """Return a row for each released response: its reports, in the order of the questions."""
    definition = parse_instrument(instrument)
    rows = []
    for records in decoded(instrument):
        # Each column has the reports of all respondents to one question.
        columns = [wire_reports(definition, records, item) for item in definition.items]
        rows.extend(zip(*columns, strict=True))
    return rows


def pass_an_hour() -> None:
    """Move the last release of every survey back by one hour, as if an hour had passed."""
    Instrument.objects.filter(looked__isnull=False).update(looked=F("looked") - timedelta(hours=1))


def run_next_timer() -> None:
    """Let an hour pass, and run the command that releases responses, as a timer does.

    Without the hour the command could do nothing: it releases at most once an hour.
    """
    pass_an_hour()
    call_command("seal")
