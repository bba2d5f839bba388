"""Rows for researchers' programs: one response each, from sealed batches only, batch by batch in constant memory."""

import csv
import io
import json
from collections.abc import Iterator

from surveys.ballots.records import decode, reports
from surveys.instruments import Paper
from surveys.models import Instrument
from surveys.publishing import paper


def batches(instrument: Instrument) -> Iterator[list[tuple]]:
    """The rows of each batch, in the order of the questions. Batches come by their random ids, not as they arrived."""
    frozen = paper(instrument)
    stored = instrument.batches.order_by("pk").values_list("records", flat=True)
    for records in stored.iterator(chunk_size=1):
        yield _rows(frozen, bytes(records))


def _rows(frozen: Paper, records: bytes) -> list[tuple]:
    columns = decode(frozen, records)
    return list(zip(*(reports(item, columns[item.key]) for item in frozen.items), strict=True))


def as_csv(instrument: Instrument) -> Iterator[str]:
    """CSV with a header of variable names; a report is an integer or a string of bits, so no cell can be a formula."""
    yield _lines([[item.key for item in paper(instrument).items]])
    for rows in batches(instrument):
        yield _lines(rows)


def _lines(rows: list) -> str:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()


def as_json(instrument: Instrument) -> Iterator[str]:
    """A JSON array of objects, variable name -> report, one on a line."""
    keys = [item.key for item in paper(instrument).items]
    yield "["
    before = "\n"
    for rows in batches(instrument):
        yield before + ",\n".join(json.dumps(dict(zip(keys, row, strict=True))) for row in rows)
        before = ",\n"
    yield "\n]\n"
