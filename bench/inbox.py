"""Measure the cost of the encrypted inbox: accepting, renewing and sealing a response, in processor time.

    python -m bench.inbox [sqlite|postgres [responses, default 20000]]

Microseconds of this process for each response, without those of PostgreSQL. The best of five rounds.
"""

import time
import uuid
from collections.abc import Callable

from bench import inside

ROUNDS = 5


def microseconds(work: Callable[[], object], n: int) -> float:
    """Return the processor time of a work on n responses, for each of them."""
    start = time.process_time()
    work()
    return 1e6 * (time.process_time() - start) / n


def measure_inbox(kind: str, n: int) -> None:
    """Print the figures of one database. n: the responses of a round, at most MOST_RENEWED."""
    from surveys.definition.parsing import parse_instrument  # noqa: PLC0415
    from surveys.fieldwork import responses  # noqa: PLC0415
    from surveys.fieldwork.responses import inbox_encryption, inbox_keys  # noqa: PLC0415
    from surveys.fieldwork.responses.records import encode  # noqa: PLC0415
    from surveys.fieldwork.responses.sealing import seal_rest  # noqa: PLC0415
    from tests.factories import surveys  # noqa: PLC0415

    instrument = surveys.create_published()
    record = encode(parse_instrument(instrument), surveys.REPORTS)
    public_key = inbox_encryption.current_public_key()
    private_keys = inbox_encryption.PrivateKeys()
    key = uuid.uuid4()
    encrypted = inbox_encryption.encrypt(public_key, key, record)

    def encrypt() -> None:
        for _ in range(n):
            inbox_encryption.encrypt(public_key, key, record)

    def decrypt() -> None:
        for _ in range(n):
            private_keys.decrypt(public_key.id, key, encrypted)

    def accept() -> None:
        for _ in range(n):
            responses.store_response(instrument, uuid.uuid4(), record)

    def renew() -> None:
        inbox_keys.replace_inbox_key()

    def seal() -> None:
        seal_rest(instrument)

    # In this order: a round accepts what it then encrypts again and seals. The first works come
    # before the key is replaced.
    works = (encrypt, decrypt, accept, renew, seal)
    figures = {work.__name__: [] for work in works}
    for work in (encrypt, decrypt):
        figures[work.__name__] = [microseconds(work, n) for _ in range(ROUNDS)]
    for _ in range(ROUNDS):
        for work in (accept, renew, seal):
            figures[work.__name__].append(microseconds(work, n))
    for name, times in figures.items():
        print(f"{kind}: {name} {min(times):.0f} µs for each response")


if __name__ == "__main__":
    inside.run("bench.inbox", measure_inbox, 20_000)
