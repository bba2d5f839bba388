"""Sealing, reports and storage as a survey grows: 10 questions with up to 20 answers.

    python -m bench.scale [sqlite|postgres [responses in the first stage, default 1000000]]

The second stage has ten times as many responses. They are made as records and sealed by the code that seals real ones;
50,000 of them go through the inbox, to time that too.
"""

import resource
import time
import uuid
from math import log2

import numpy as np

from bench import inside

SIZES = (2, 2, 3, 4, 5, 6, 8, 10, 12, 20)


def make_instrument():
    from surveys.fieldwork.lifecycle import publish  # noqa: PLC0415
    from tests.factories import surveys  # noqa: PLC0415

    survey = surveys.create_draft(surveys.create_researcher("bench"))
    for number, size in enumerate(SIZES):
        if size == 2:
            surveys.add_yes_no(survey, key=f"q{number}")
        else:
            surveys.add_choice(survey, key=f"q{number}", labels=map(str, range(size)))
    return publish(survey, reason="A measurement, which nobody answers.")


def records(frozen, n: int, rng: np.random.Generator) -> bytes:
    """n records with truths drawn uniformly, randomized as each question's mechanism does."""
    from surveys.fieldwork.responses.records import record_dtype  # noqa: PLC0415

    rows = np.zeros(n, record_dtype(frozen))
    for item in frozen.items:
        truths = rng.integers(0, item.size, n)
        randomized = item.mechanism.randomize(truths, rng)
        rows[item.key] = np.packbits(randomized, axis=1) if item.is_string else randomized
    return rows.tobytes()


def grow(instrument, n: int, rng: np.random.Generator) -> None:
    from django.db import transaction  # noqa: PLC0415

    from surveys.definition.parsing import parse_instrument  # noqa: PLC0415
    from surveys.fieldwork.responses.release import add_to_report  # noqa: PLC0415

    for _ in range(n // 10_000):
        with transaction.atomic():
            instrument.refresh_from_db()
            add_to_report(instrument, records(parse_instrument(instrument), 10_000, rng))


def through_the_inbox(instrument, n: int, rng: np.random.Generator) -> float:
    """Responses sealed and released a second."""
    from surveys.definition.parsing import parse_instrument  # noqa: PLC0415
    from surveys.fieldwork.responses.inbox_encryption import (  # noqa: PLC0415
        current_public_key,
        encrypt,
    )
    from surveys.fieldwork.responses.records import record_dtype  # noqa: PLC0415
    from surveys.fieldwork.responses.release import release  # noqa: PLC0415
    from surveys.fieldwork.responses.sealing import seal_rest  # noqa: PLC0415
    from surveys.models import Response  # noqa: PLC0415

    width = record_dtype(parse_instrument(instrument)).itemsize
    content = records(parse_instrument(instrument), n, rng)
    parts = [content[start : start + width] for start in range(0, len(content), width)]
    public_key = current_public_key()
    rows = []
    for part in parts:
        row = Response(key=uuid.uuid4(), instrument=instrument, inbox_key_id=public_key.id)
        row.record = encrypt(public_key, row.key, part)
        rows.append(row)
    Response.objects.bulk_create(rows, batch_size=5000)
    start = time.perf_counter()
    seal_rest(instrument)
    release(instrument, at_once=True)
    return n / (time.perf_counter() - start)


def median(work, times: int = 15) -> float:
    """Milliseconds, median; the first run warms up."""
    work()
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(1000 * (time.perf_counter() - start))
    return sorted(found)[times // 2]


def count_queries(connection, work) -> int:
    seen = []

    def note(execute, sql, *rest):
        seen.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        work()
    return len(seen)


def measure(kind: str, first: int) -> None:
    from django.db import connection  # noqa: PLC0415
    from django.db.models import Count, Sum  # noqa: PLC0415
    from django.db.models.functions import Length  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415

    from surveys.results.estimates.report import report  # noqa: PLC0415

    rng = np.random.default_rng(1)
    instrument = make_instrument()
    print(
        f"{kind}: sealed {through_the_inbox(instrument, 50_000, rng):,.0f} responses/s through the inbox"
    )
    client = Client()
    client.force_login(instrument.survey.owner)
    page = f"/surveys/{instrument.survey.slug}/report/"
    for goal in (first, 10 * first):
        instrument.refresh_from_db()
        start = time.perf_counter()
        grow(instrument, goal - instrument.tally["n"], rng)
        rate = goal / (time.perf_counter() - start)
        queries = count_queries(connection, lambda: client.get(page))
        stored = instrument.batches.aggregate(bytes=Sum(Length("records")), number=Count("pk"))
        information = sum(1 if size == 2 else size for size in SIZES) / 8
        print(
            f"{kind}: n = {report(instrument).n:,}: report object {median(lambda: report(instrument)):.1f} ms, "
            f"page {median(lambda: client.get(page)):.0f} ms with {queries} queries; sealed {rate:,.0f}/s; "
            f"{stored['bytes'] / goal:.1f} bytes a response in {stored['number']} batches, "
            f"{information:.1f} bytes of reports (truths alone: {sum(map(log2, SIZES)) / 8:.1f}); "
            f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"
        )


if __name__ == "__main__":
    inside.run("bench.scale", measure, 1_000_000)
