"""Tickets on a served site: many at once, and processes that end without warning."""

import json
import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from uuid import UUID

import pytest

from surveys.fieldwork.tickets.protocol import TICKET_LETTERS, decode_base64url, spent_key
from tests.faults.conftest import PATIENCE, Site
from tests.helpers import ticket_device
from tests.helpers.ticket_device import BlindedTicket

AT_ONCE = 12
REPORTS = {"tax": 1, "fruit": "01001", "region": 0}
MAKE = """
from surveys.definition.parsing import parse_instrument
from tests.helpers.ticket_device import survey_with_tickets
from tests.factories.surveys import create_researcher
instrument, codes = survey_with_tickets("one", {people}, create_researcher({name!r}))
print(parse_instrument(instrument).survey, instrument.sha256, parse_instrument(instrument).tickets.n, *codes)
"""
COUNT = """
import json
from surveys.models import Fetched, Response
print(json.dumps([
    Fetched.objects.filter(invitee__survey__slug={slug!r}).count(),
    [str(key) for key in Response.objects.values_list("key", flat=True)],
]))
"""


class Invited:
    """A survey with tickets on a served site, and what devices send to it."""

    def __init__(self, site: Site, people: int) -> None:
        self.site = site
        name = f"r{random.getrandbits(32):x}"
        made = site.shell(MAKE.format(people=people, name=name)).split()
        self.slug, self.sha256, self.modulus, *self.codes = made

    def draw(self) -> BlindedTicket:
        return ticket_device.create_blinded_ticket(self.slug, self.modulus)

    def ask(self, code: str, drawn: BlindedTicket) -> tuple[int, dict]:
        body = json.dumps({"code": code, "blinded": drawn.blinded}).encode()
        status, _, answer = self.site.post(f"/api/v1/surveys/{self.slug}/tickets/", body)
        return status, answer

    def send(self, ticket: str, tax: int = 1) -> tuple[int, dict]:
        body = {"instrument": self.sha256, "reports": REPORTS | {"tax": tax}, "ticket": ticket}
        status, _, answer = self.site.post(
            f"/api/v1/surveys/{self.slug}/responses/", json.dumps(body).encode()
        )
        return status, answer

    def ticket(self, code: str) -> str:
        drawn = self.draw()
        status, answer = self.ask(code, drawn)
        assert status == 200, answer
        return drawn.ticket(answer["signed"])

    def stored(self) -> tuple[int, list[UUID]]:
        """How many tickets were taken, and the keys in the inbox."""
        fetched, keys = json.loads(self.site.shell(COUNT.format(slug=self.slug)))
        return fetched, [UUID(key) for key in keys]


def one_wins(rounds: int, site: Site) -> None:
    """Each round 12 devices with one code, then 12 messages of two kinds with one ticket."""
    survey = Invited(site, 2 * rounds)
    site.start()
    drawn = [survey.draw() for _ in range(AT_ONCE)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for round_ in range(rounds):
            code, other = survey.codes[2 * round_ : 2 * round_ + 2]
            asked = Counter(
                status
                for status, _ in pool.map(lambda each, code=code: survey.ask(code, each), drawn)
            )
            assert asked == {200: 1, 409: AT_ONCE - 1}
            ticket = survey.ticket(other)
            sent = Counter(
                status
                for status, _ in pool.map(
                    lambda tax, ticket=ticket: survey.send(ticket, tax), [0, 1] * (AT_ONCE // 2)
                )
            )
            assert sent == {
                201: 1,
                409: AT_ONCE - 1,
            }  # the same bytes as the one that won, or others
    fetched, keys = survey.stored()
    assert (fetched, len(keys)) == (2 * rounds, rounds)


def test_of_twelve_at_once_one_wins(site: Site) -> None:
    one_wins(2, site)


@pytest.mark.long
def test_of_twelve_at_once_one_wins_thirty_times(site: Site) -> None:
    one_wins(30, site)


def patiently(work) -> tuple[int, dict]:
    """As a device does: the same bytes again until somebody answers."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            status, answer = work()
        except (OSError, HTTPException, ValueError):
            time.sleep(0.05)
            continue
        if status != 503:
            return status, answer
        time.sleep(0.05)
    raise AssertionError("never answered")


def killed_meanwhile(site: Site, kills: int, people: int) -> None:
    survey = Invited(site, people)
    site.start()
    shown: list[str] = []
    failures: list[BaseException] = []

    def device(codes: list[str]) -> None:
        try:
            for code in codes:
                drawn = survey.draw()
                status, answer = patiently(lambda code=code, drawn=drawn: survey.ask(code, drawn))
                assert status == 200, answer
                ticket = drawn.ticket(answer["signed"])
                shown.append(ticket)
                status, answer = patiently(lambda ticket=ticket: survey.send(ticket))
                assert status in (201, 409), (
                    answer
                )  # 409 where the first reply was lost: stored, as counted below
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=device, args=[survey.codes[start::4]]) for start in range(4)]
    for thread in threads:
        thread.start()
    for kill in range(kills):
        while len(shown) < people * (kill + 1) // (kills + 2) and not failures:
            time.sleep(0.005)
        site.kill()
        site.start()
    for thread in threads:
        thread.join()
    assert not failures, failures
    fetched, keys = survey.stored()
    assert fetched == len(shown) == people
    assert sorted(keys) == sorted(
        spent_key(decode_base64url(ticket, TICKET_LETTERS)) for ticket in shown
    )
    assert {survey.send(ticket, tax=0)[0] for ticket in shown} == {409}


def test_killed_while_tickets_are_fetched_and_redeemed(site: Site) -> None:
    """Nobody loses a ticket that was shown, nothing is spent twice, and nobody has a second one."""
    killed_meanwhile(site, kills=2, people=16)


@pytest.mark.long
def test_killed_ten_times_while_tickets_are_fetched_and_redeemed(site: Site) -> None:
    killed_meanwhile(site, kills=10, people=200)
