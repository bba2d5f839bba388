"""Responses as they arrive, through the inbox; what is released of them; and the hours that pass meanwhile."""

import uuid
from datetime import timedelta

from django.core.management import call_command
from django.db.models import F

from surveys.definition.parsing import paper
from surveys.export import decoded
from surveys.fieldwork.responses import Outcome, accept
from surveys.fieldwork.responses.records import encode, responses
from surveys.models import Instrument


def drop_in(instrument: Instrument, n: int, first: int = 0) -> list[tuple]:
    """n different-looking responses to what published() makes; returns the rows an export should show."""
    rows = []
    for number in range(first, first + n):
        reports = {"tax": number % 2, "fruit": f"{number % 32:05b}", "region": number // 2 % 2}
        assert (
            accept(instrument, uuid.uuid4(), encode(paper(instrument), reports)) is Outcome.RECORDED
        )
        rows.append(tuple(reports.values()))
    return rows


def released_rows(instrument: Instrument) -> list[tuple]:
    frozen = paper(instrument)
    parts = (
        [responses(frozen, rows, item) for item in frozen.items] for rows in decoded(instrument)
    )
    return [row for columns in parts for row in zip(*columns, strict=True)]


def an_hour_passes() -> None:
    """As far as releases are concerned."""
    Instrument.objects.filter(looked__isnull=False).update(looked=F("looked") - timedelta(hours=1))


def timer() -> None:
    """The timer of the next hour."""
    an_hour_passes()
    call_command("seal")
