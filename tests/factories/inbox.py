"""Responses as they arrive, through the inbox; what is released of them; and the hours that pass meanwhile."""

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
    """Submit n different responses; returns the rows that an export should show."""
    rows = []
    for number in range(first, first + n):
        reports = {"tax": number % 2, "fruit": f"{number % 32:05b}", "region": number // 2 % 2}
        assert (
            store_response(instrument, uuid.uuid4(), encode(parse_instrument(instrument), reports))
            is Outcome.RECORDED
        )
        rows.append(tuple(reports.values()))
    return rows


def released_rows(instrument: Instrument) -> list[tuple]:
    frozen = parse_instrument(instrument)
    parts = (
        [wire_reports(frozen, rows, item) for item in frozen.items] for rows in decoded(instrument)
    )
    return [row for columns in parts for row in zip(*columns, strict=True)]


def pass_an_hour() -> None:
    """Move the last release back by one hour."""
    Instrument.objects.filter(looked__isnull=False).update(looked=F("looked") - timedelta(hours=1))


def run_next_timer() -> None:
    """Let an hour pass and run the timer."""
    pass_an_hour()
    call_command("seal")
