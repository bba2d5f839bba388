"""Records of a file, put aside in pieces as large as a batch, and at the end made batches of.

What takes time is done while the parts come. The last step, which nobody may see half of, is then short: on SQLite all
who submit wait for it.
"""

from typing import Any

from django.conf import settings

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.chunks import yield_to_writers
from surveys.fieldwork.responses.records import (
    add_tallies,
    count_responses,
    decode,
    record_dtype,
    shuffle,
)
from surveys.fieldwork.responses.release import add_import
from surveys.models import Import, Instrument, Part, Piece
from surveys.site.postgres_tables import note_rewriting

AT_ONCE = 20


def pieces_of(file: Import, records: bytes) -> list[Piece]:
    """Whole pieces out of what was held and these records, shuffled; the rest is held, unsaved."""
    frozen = parse_instrument(file.survey.instrument)
    size, records, pieces = (
        settings.SEAL_SLICE * record_dtype(frozen).itemsize,
        bytes(file.held) + records,
        [],
    )
    for start in range(0, len(records) - size + 1, size):
        slice_ = shuffle(frozen, records[start : start + size])
        file.tally = add_tallies(file.tally, count_responses(frozen, decode(frozen, slice_)))
        pieces.append(Piece(file=file, n=settings.SEAL_SLICE, records=slice_))
    file.held = shuffle(frozen, records[size * len(pieces) :])
    return pieces


def tally_with(file: Import, last: bytes) -> dict[str, Any]:
    """What all rows of the import add up to. last: records behind those that are put aside."""
    frozen = parse_instrument(file.survey.instrument)
    return add_tallies(file.tally, count_responses(frozen, decode(frozen, bytes(file.held) + last)))


def become_batches(file: Import, instrument: Instrument, last: bytes) -> None:
    """In a transaction that holds import and instrument. last: records behind those that are put aside."""
    Piece.objects.bulk_create(pieces_of(file, last))
    add_import(instrument, file)


def clear(file: Import) -> None:
    """Delete what was put aside, once nothing needs it any more: a few pieces at a time, leaving room for others."""
    file.come.all().delete()
    while some := list(file.pieces.values_list("pk", flat=True)[:AT_ONCE]):
        file.pieces.filter(pk__in=some).delete()
        yield_to_writers()
    note_rewriting(Import, Part, Piece)
