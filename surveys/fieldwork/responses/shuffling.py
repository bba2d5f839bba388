"""Shuffling of the rows about tickets: who fetched a ticket, and the keys of spent tickets.

Anyone who has the database sees the order in which rows were written (`rowid`, `ctid`, `xmin`).
With tickets, the order of those who fetched one could be compared with the order of the spent
ones. So the rows of both kinds are deleted and inserted again in random order: the keys at each
sealing, the fetched tickets at each sealing, each run of the timer and before each backup. The
fetched tickets are shuffled even while responses are in the inbox in their order of arrival.
"""

import hashlib
from collections.abc import Iterable
from random import SystemRandom
from uuid import UUID

from django.conf import settings
from django.db import connection, transaction

from surveys.fieldwork.responses.chunks import run_for_each, yield_to_writers
from surveys.fieldwork.responses.inbox import delete_keys
from surveys.models import Fetched, Instrument, Issuer, Response

# Rows of one statement: PostgreSQL allows 65,535 parameters.
ROWS_PER_STATEMENT = 1_000


def renew_keys(instrument: Instrument, keys: list) -> None:
    """Delete the rows of sealed responses, and insert their keys again in random order.

    This is for surveys with tickets. The new rows have no day of sealing, so sealing.forget_keys
    leaves them, and the keys stay until the tickets are finished. The caller seals the responses
    in the same transaction.

    keys: as inbox.take_from_inbox returns them; this list is shuffled.
    """
    delete_keys(keys)
    SystemRandom().shuffle(keys)
    responses = (Response(key=key, instrument=instrument, record=None) for key in keys)
    Response.objects.bulk_create(responses, batch_size=ROWS_PER_STATEMENT)


def mix_due() -> None:
    """Shuffle the rows of the fetched tickets of every survey, as `mix_fetched` does.

    The timer and each backup call this. Do nothing if the database has no table of tickets yet: an
    upgrade backs up the old database before migrating it.
    """
    if Issuer._meta.db_table in connection.introspection.table_names():
        run_for_each(mix_fetched, Issuer.objects.values_list("survey", flat=True))


def mix_fetched(survey: UUID) -> None:
    """Shuffle the rows of a survey's fetched tickets, unless no row was added or deleted since.

    The rows are deleted and inserted again, in short steps of random rows. If this is stopped
    between two steps, or if somebody fetches a ticket meanwhile, the next call does it again: a
    fingerprint of the rows is stored at the end, and the next call compares it.

    survey: the primary key of the survey.
    """
    issuer = Issuer.objects.filter(survey=survey)
    keys = list(Fetched.objects.filter(invitee__survey=survey).values_list("pk", flat=True))
    if not keys or issuer.filter(mixed=_fingerprint(keys)).exists():
        return

    SystemRandom().shuffle(keys)
    step = min(settings.SEAL_STEP, settings.SEAL_SLICE)
    new_keys: list[UUID] = []
    for start in range(0, len(keys), step):
        new_keys += _renew_fetched(keys[start : start + step])
        yield_to_writers()

    # A ticket that was fetched meanwhile is not among these keys, so the next call shuffles again.
    issuer.update(mixed=_fingerprint(new_keys))


def _fingerprint(keys: Iterable[UUID]) -> int:
    """Return a hash of 31 bits that identifies a set of keys, whatever their order.

    `mix_fetched` recognizes unchanged rows by it. Their number would not be enough: it does not
    show that one row was deleted and another one added.
    """
    key_bytes = sorted(key.bytes for key in keys)
    digest = hashlib.sha256(b"".join(key_bytes)).digest()
    # The column is a signed integer of 32 bits, so the hash has one bit less.
    return int.from_bytes(digest[:4]) >> 1


@transaction.atomic
def _renew_fetched(keys: list[UUID]) -> list[UUID]:
    """Delete the rows of fetched tickets, insert them again in random order; return the new keys.

    Each row gets a new random primary key, and keeps its other columns. The rows are locked.

    keys: the primary keys of the rows. Rows that were deleted meanwhile are left out.
    """
    tickets: list[Fetched] = []
    for start in range(0, len(keys), ROWS_PER_STATEMENT):
        some_keys = keys[start : start + ROWS_PER_STATEMENT]
        rows = Fetched.objects.select_for_update().filter(pk__in=some_keys)
        tickets += rows
        rows.delete()

    SystemRandom().shuffle(tickets)
    new_tickets = []
    for ticket in tickets:
        new_tickets.append(
            Fetched(invitee_id=ticket.invitee_id, number=ticket.number, blinded=ticket.blinded)
        )
    Fetched.objects.bulk_create(new_tickets, batch_size=ROWS_PER_STATEMENT)
    return [ticket.pk for ticket in new_tickets]
