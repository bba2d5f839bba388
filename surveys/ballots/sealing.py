"""Sealing: records leave the inbox for a batch, shuffled, and what they add up to joins the running tally."""

import os
from collections.abc import Iterator
from datetime import timedelta
from functools import partial

import numpy as np
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from surveys.ballots.inbox import empty, take, waiting
from surveys.ballots.records import decode, record_dtype, tally
from surveys.ballots.steps import in_steps, make_way
from surveys.models import Batch, Instrument, Response
from surveys.publishing.instruments import Paper, paper
from surveys.webhooks.announcing import announce_target

FORGET_STEP = 1_000  # nobody waits for it, and each key is overwritten in two indexes


def seal(instrument: Instrument, minimum: int | None = None) -> int:
    """Move one slice of the inbox into batches; returns how many responses moved.

    Nothing moves while fewer than `minimum` wait: otherwise two readings of a report, one before and one after, would
    show what a single person sent. Unless given it is SEAL_MINIMUM, and 1 for a closed survey, which gets no more.
    """
    return in_steps(partial(_seal_step, instrument, minimum), settings.SEAL_SLICE)


def _seal_step(instrument: Instrument, minimum: int | None, most: int) -> int:
    if not waiting(instrument, 1):  # looking is free, but for the rest SQLite makes us queue with those who write
        return 0
    with transaction.atomic():
        # Holding the instrument makes sealers queue; no_key leaves the way free for submissions that refer to it.
        held = Instrument.objects.select_for_update(no_key=True, of=("self",)).select_related("survey")
        instrument = held.get(pk=instrument.pk)
        if minimum is None:
            minimum = 1 if instrument.survey.is_over else settings.SEAL_MINIMUM
        if waiting(instrument, minimum) < max(minimum, 1):
            return 0
        keys, records = take(instrument, most)
        store(instrument, records)
        empty(keys)
    return len(keys)


def store(instrument: Instrument, records: bytes) -> None:
    """Make a batch of up to SEAL_SLICE records; in a transaction that holds the instrument."""
    frozen = paper(instrument)
    rows = decode(frozen, records)
    joining = tally(frozen, rows)
    join_tally(instrument, joining)
    added = joining["counts"]
    for batch in _small_batches(instrument, len(rows)):
        records += bytes(batch.records)
        added = add_up({"n": 0, "counts": added}, {"n": 0, "counts": batch.counts})["counts"]
        batch.delete()
    records = shuffle(frozen, records)
    n = len(records) // record_dtype(frozen).itemsize
    Batch.objects.create(instrument=instrument, n=n, counts=added, records=records)


def join_tally(instrument: Instrument, added: dict) -> None:
    """Count what was stored; in the same transaction."""
    instrument.tally = add_up(instrument.tally, added)
    instrument.wiped = False  # see surveys.ballots.wiping
    instrument.save(update_fields=["tally", "wiped"])
    announce_target(instrument.survey, instrument.tally["n"], added["n"])


def _small_batches(instrument: Instrument, n: int) -> Iterator[Batch]:
    """Batches that fit into one with n new records: merging keeps their number near n / SEAL_SLICE."""
    for batch in instrument.batches.filter(n__lte=settings.SEAL_SLICE - n).order_by("n"):
        n += batch.n
        if n > settings.SEAL_SLICE:
            return
        yield batch


def add_up(first: dict, second: dict) -> dict:
    """Two tallies added; an empty one counts as nothing."""
    if not first:
        return second
    return {
        "n": first["n"] + second["n"],
        "counts": {
            key: [a + b for a, b in zip(values, second["counts"][key], strict=True)]
            for key, values in first["counts"].items()
        },
        **({"answered": _sums(first["answered"], second["answered"])} if "answered" in first else {}),
    }


def _sums(first: dict[str, int], second: dict[str, int]) -> dict[str, int]:
    return {key: n + second[key] for key, n in first.items()}


def shuffle(frozen: Paper, records: bytes) -> bytes:
    """The records in a random order, drawn from the operating system's cryptographic generator."""
    rows = np.frombuffer(records, np.dtype(f"V{record_dtype(frozen).itemsize}"))
    order = np.argsort(np.frombuffer(os.urandom(8 * len(rows)), np.uint64))
    return rows[order].tobytes()


def seal_rest(instrument: Instrument) -> int:
    """Empty the inbox of one instrument, however few wait; for closed surveys."""
    return in_steps(partial(_seal_step, instrument, 1))


def seal_due() -> int:
    """Seal everything that is due, over all surveys: full groups of open ones, all of closed ones."""
    keys = Response.objects.filter(record__isnull=False).values("instrument").distinct()
    total = 0
    for instrument in Instrument.objects.filter(pk__in=keys):
        total += in_steps(partial(_seal_step, instrument, None))
        make_way()
    return total


def forget_keys() -> int:
    """Delete the bare keys of responses sealed more than a day ago; no retry is coming for them."""
    return in_steps(_forget_step, step=FORGET_STEP)


def _forget_step(most: int) -> int:
    last = timezone.now().date() - timedelta(days=1)
    old = Response.objects.filter(record__isnull=True, sealed_on__lt=last).values("pk")
    deleted, _ = Response.objects.filter(pk__in=old[:most]).delete()
    return deleted
