"""Rows of tickets lie in no order: neither those that say who fetched one, nor the keys of those that were spent.

Whoever has the database sees in which order rows were written (`rowid`; `ctid`, `xmin`). With tickets these orders
could be laid side by side: so at each sealing both kinds are deleted and written anew in random order.
"""

from random import SystemRandom

from django.conf import settings
from django.db import transaction

from surveys.ballots.inbox import remove
from surveys.ballots.steps import make_way
from surveys.models import Fetched, Instrument, Issuer, Response

MANY = 1_000  # rows in one statement: PostgreSQL takes 65,535 parameters


def renew_keys(instrument: Instrument, keys: list) -> None:
    """The keys of what was just taken out of the inbox are written anew, without a day: they stay until the tickets are
    finished. In the transaction of the sealing.
    """
    remove(keys)
    SystemRandom().shuffle(keys)
    rows = (Response(key=key, instrument=instrument, record=None) for key in keys)
    Response.objects.bulk_create(rows, batch_size=MANY)


def mix_fetched(instrument: Instrument) -> None:
    """Write anew who has fetched a ticket, if anybody did since the last time.

    In short steps, each of rows that chance picked; stopped in between it is done again at the next sealing.
    """
    issuer = Issuer.objects.filter(survey=instrument.survey_id).first()
    if issuer is None:
        return
    rows = list(Fetched.objects.filter(invitee__survey=instrument.survey_id).values_list("pk", flat=True))
    if len(rows) == issuer.mixed:
        return
    SystemRandom().shuffle(rows)
    step = min(settings.SEAL_STEP, settings.SEAL_SLICE)
    for start in range(0, len(rows), step):
        _renew(rows[start : start + step])
        make_way()
    Issuer.objects.filter(survey=instrument.survey_id).update(mixed=len(rows))


@transaction.atomic
def _renew(picked: list) -> None:
    some: list[Fetched] = []
    for start in range(0, len(picked), MANY):
        found = Fetched.objects.select_for_update().filter(pk__in=picked[start : start + MANY])
        some += found
        found.delete()
    SystemRandom().shuffle(some)
    Fetched.objects.bulk_create(
        (Fetched(invitee_id=row.invitee_id, number=row.number, blinded=row.blinded) for row in some), batch_size=MANY
    )
