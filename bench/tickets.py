"""What tickets cost, and what the times of fetching and answering tell.

    python -m bench.tickets [sqlite|postgres [seconds of a round, default 2]]

Submissions a second with a ticket, and tickets fetched a second, against open submissions on the same server and
database: rounds in turn, so that all meet the same machine. Floors: 0.85 and 0.08.

Then an observer who has the time of every fetching and of every answer and nothing else, and knows how long people take
between the two: how many of 200 does the likeliest pairing match?
"""

import json
import statistics
import sys
import tempfile
import uuid
from base64 import urlsafe_b64encode
from itertools import count
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

from bench.serving import Server, press
from tests.servers.postgres import Postgres

CLIENTS = 8
ROUNDS = 5
REDEEM, FETCH = 0.85, 0.08  # of open submission, at least
TICKETS, CODES = 20_000, 2_000
# A ticket is a signature of its nonce. Here the site signs it as it stands, which takes OpenSSL a fraction of the time.
MAKE = """
import secrets
from pathlib import Path
from cryptography.hazmat.primitives.hashes import SHA384
from surveys.models import Survey
from surveys.definition import ticket_key
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.tickets import protocol
from tests.factories import surveys
from tests.helpers.ticket_device import survey_with_tickets
closed, codes = survey_with_tickets("one", {codes})
opened = surveys.create_published(closed.survey.owner)
slug, key = parse_instrument(closed).survey, ticket_key.load_private_key(closed.survey.issuer)
n = protocol.decode_base64url(parse_instrument(closed).tickets.n, protocol.BLINDED_LETTERS)
with Path({file!r}).open("w") as file:
    for _ in range({tickets}):
        nonce = secrets.token_bytes(32)
        text = protocol.signed_text(nonce, protocol.challenge(slug), n)
        file.write(ticket_key.to_base64url(nonce + key.sign(text, protocol._PADDING, SHA384())) + "\\n")
print(parse_instrument(opened).survey, opened.sha256, parse_instrument(opened).length)
print(slug, closed.sha256, parse_instrument(closed).length, *codes)
"""
REPORTS = {"tax": 1, "fruit": "01001", "region": 0}


def measure(kind: str, seconds: float) -> None:
    database = Postgres() if kind == "postgres" else None
    server = Server("config.wsgi", database.url if database else None)
    server.manage("migrate", "--verbosity", "0")
    server.manage("collectstatic", "--no-input", "--verbosity", "0")
    file = Path(tempfile.mkdtemp(prefix="candor-tickets-")) / "tickets"
    script = MAKE.format(codes=CODES, tickets=TICKETS, file=str(file))
    first, second = server.manage("shell", "--no-imports", "-c", script).splitlines()
    opened, (slug, sha256, length, *codes) = first.split(), second.split()
    tickets, invited = iter(file.read_text().split()), iter(codes)
    numbers = count(2)

    def padded(body: dict, length: str) -> bytes:
        return json.dumps(body, separators=(",", ":")).ljust(int(length)).encode()

    def open_body() -> bytes:
        return padded(
            {"instrument": opened[1], "key": str(uuid.uuid4()), "reports": REPORTS}, opened[2]
        )

    def redeemed() -> bytes:
        return padded({"instrument": sha256, "ticket": next(tickets), "reports": REPORTS}, length)

    def fetched() -> bytes:
        return json.dumps({"code": next(invited), "blinded": letters(next(numbers))}).encode()

    path = "/api/v1/surveys/{}/{}/".format
    works = {
        "open": (path(opened[0], "responses"), open_body, 201),
        "redeem": (path(slug, "responses"), redeemed, 201),
        "fetch": (path(slug, "tickets"), fetched, 200),
    }
    server.start()
    try:
        rates: dict[str, list[float]] = {name: [] for name in works}
        for round_ in range(ROUNDS + 1):
            for name, (address, body, expected) in works.items():
                took = press(
                    server.port,
                    address,
                    body,
                    seconds if round_ else 0.5,
                    CLIENTS,
                    expected=expected,
                )
                rates[name] += [len(took) / seconds] if round_ else []  # the first one warms up
    finally:
        server.stop()
        if database:
            database.remove()
    for name, floor in (("redeem", REDEEM), ("fetch", FETCH)):
        ratio = statistics.median(
            one / each for one, each in zip(rates[name], rates["open"], strict=True)
        )
        told = "" if ratio >= floor else " - BELOW ITS FLOOR"
        print(
            f"{kind}, {CLIENTS} at once: {name} {statistics.median(rates[name]):.0f}/s, open submission "
            f"{statistics.median(rates['open']):.0f}/s, ratio {ratio:.2f} (floor {floor}){told}"
        )


def letters(number: int) -> str:
    """A number that the key signs, as it is sent."""
    return urlsafe_b64encode(number.to_bytes(256)).rstrip(b"=").decode()


PEOPLE, DAYS, RUNS = 200, 10, 20
MINUTE = 1 / 1440  # of a day


def moments(rng: np.random.Generator, first: float) -> np.ndarray:
    """When people come: on one of ten days, early ones more likely, between 8 and 22 o'clock."""
    days = np.minimum(rng.exponential(DAYS / 3, PEOPLE).astype(int), DAYS - 1)
    return first + days + rng.uniform(8 / 24, 22 / 24, PEOPLE)


def matched(fetched: np.ndarray, answered: np.ndarray, middle: float, spread: float) -> float:
    """The share of people whom the likeliest pairing matches, where the delay is log-normal: middle in days."""
    delay = answered[None, :] - fetched[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        unlikely = np.log(delay) + (np.log(delay) - np.log(middle)) ** 2 / (2 * spread**2)
    rows, columns = linear_sum_assignment(np.where(delay > 0, unlikely, 1e6))
    return float(np.mean(rows == columns))


def linking() -> None:
    rng = np.random.default_rng(7)
    found: dict[str, list[float]] = {
        "in one sitting": [],
        "about a day later": [],
        "in two steps": [],
    }
    for _ in range(RUNS):
        fetched = moments(rng, 0)
        sitting = fetched + 6 * MINUTE * rng.lognormal(0, 0.5, PEOPLE)
        found["in one sitting"].append(matched(fetched, sitting, 6 * MINUTE, 0.5))
        day = fetched + rng.lognormal(0, 0.4, PEOPLE)
        found["about a day later"].append(matched(fetched, day, 1, 0.4))
        answers = moments(rng, DAYS)
        found["in two steps"].append(matched(fetched, answers, DAYS, 0.7))
    for how, shares in found.items():
        share = statistics.mean(shares)
        print(
            f"of {PEOPLE} people {share * PEOPLE:.1f} ({share:.1%}) are matched by their times: answers {how}"
        )
    print(f"guessing matches 1 of {PEOPLE} ({1 / PEOPLE:.1%})")


if __name__ == "__main__":
    for name in sys.argv[1:2] or ["sqlite", "postgres"]:
        measure(name, float(sys.argv[2]) if len(sys.argv) > 2 else 2)
    linking()
