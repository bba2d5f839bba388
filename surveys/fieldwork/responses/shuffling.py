"""Rows of tickets lie in no order: neither those that say who fetched one, nor the keys of those that were spent.

Whoever has the database sees in which order rows were written (`rowid`; `ctid`, `xmin`). With tickets these orders
could be laid side by side: so both kinds are deleted and written anew in random order, the keys at each sealing, who
fetched one at each run of the timer and before each backup, also while what was answered still waits in its order.
"""

import hashlib
from collections.abc import Iterable
from random import SystemRandom
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from surveys.fieldwork.responses.chunks import run_for_each, yield_to_writers
from surveys.fieldwork.responses.inbox import remove
from surveys.models import Fetched, Instrument, Issuer, Response
from surveys.site.postgres_tables import note_rewriting

MANY = 1_000  # rows in one statement: PostgreSQL takes 65,535 parameters


def renew_keys(instrument: Instrument, keys: list) -> None:
    """The keys of what was just taken out of the inbox are written anew, without a day: they stay until the tickets are
    finished. In the transaction of the sealing.
    """
    remove(keys)
    SystemRandom().shuffle(keys)
    rows = (Response(key=key, instrument=instrument, record=None) for key in keys)
    Response.objects.bulk_create(rows, batch_size=MANY)


def mix_due() -> None:
    """Over all surveys. A database of a version without tickets, which is backed up before it is migrated, has none."""
    if Issuer._meta.db_table in connection.introspection.table_names():
        run_for_each(mix_fetched, Issuer.objects.values_list("survey", flat=True))


def mix_fetched(survey: UUID) -> None:
    """Write anew who has fetched a ticket of a survey, if anybody did since the last time.

    In short steps, each of rows that chance picked; stopped in between, or with somebody who came meanwhile, it is done
    again the next time.
    """
    issuer = Issuer.objects.filter(survey=survey)
    rows = list(Fetched.objects.filter(invitee__survey=survey).values_list("pk", flat=True))
    if not rows or issuer.filter(mixed=_mark(rows)).exists():
        return
    SystemRandom().shuffle(rows)
    step = min(settings.SEAL_STEP, settings.SEAL_SLICE)
    renewed: list[UUID] = []
    for start in range(0, len(rows), step):
        renewed += _renew(rows[start : start + step])
        yield_to_writers()
    issuer.update(mixed=_mark(renewed))


def _mark(rows: Iterable[UUID]) -> int:
    """By which rows are known again as the very ones: their number alone stays when one goes and another comes."""
    return (
        int.from_bytes(hashlib.sha256(b"".join(sorted(row.bytes for row in rows))).digest()[:4])
        >> 1
    )


@transaction.atomic
def _renew(picked: list[UUID]) -> list[UUID]:
    """Returns the keys of the rows that stand in the place of these."""
    some: list[Fetched] = []
    for start in range(0, len(picked), MANY):
        found = Fetched.objects.select_for_update().filter(pk__in=picked[start : start + MANY])
        some += found
        found.delete()
    SystemRandom().shuffle(some)
    renewed = [
        Fetched(invitee_id=row.invitee_id, number=row.number, blinded=row.blinded) for row in some
    ]
    Fetched.objects.bulk_create(renewed, batch_size=MANY)
    note_rewriting(Fetched)
    return [row.pk for row in renewed]
