"""Too many responses from one address are put off, and nothing of the address is kept."""

import logging

import pytest
from django.core.management import call_command
from django.test import Client

from surveys.models import Response
from surveys.site.rate_limits import Limit
from surveys.web.respondent import rate_limit
from tests.factories.surveys import create_published, post_response, response_body

pytestmark = pytest.mark.django_db
ADDRESS = "203.0.113.77"


@pytest.fixture(autouse=True)
def _three_a_minute(settings: object) -> None:
    settings.SUBMISSION_RATE = 3
    rate_limit._limit_per_minute.cache_clear()
    yield
    rate_limit._limit_per_minute.cache_clear()


def statuses(instrument: object, times: int, **more: str) -> list[int]:
    return [
        post_response(instrument, response_body(instrument), Client(), **more).status_code
        for _ in range(times)
    ]


def test_the_fourth_in_a_minute_is_put_off_and_stores_nothing() -> None:
    instrument = create_published()
    assert statuses(instrument, 3, REMOTE_ADDR=ADDRESS) == [201] * 3
    refused = post_response(instrument, response_body(instrument), Client(), REMOTE_ADDR=ADDRESS)
    assert (refused.status_code, refused["Content-Type"]) == (429, "application/problem+json")
    assert 0 < int(refused["Retry-After"]) <= 60
    assert Response.objects.count() == 3
    assert statuses(instrument, 1, REMOTE_ADDR="203.0.113.78") == [201]


def test_this_machine_itself_and_a_socket_without_address_are_not_counted() -> None:
    instrument = create_published()
    for address in ("127.0.0.1", "::1", "", "unix:"):
        assert statuses(instrument, 5, REMOTE_ADDR=address) == [201] * 5


def test_a_forwarded_address_counts_only_behind_a_proxy(settings: object) -> None:
    instrument = create_published()
    forged = {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": f"198.51.100.1, {ADDRESS}"}
    assert statuses(instrument, 5, **forged) == [201] * 5
    settings.BEHIND_PROXY = True
    assert statuses(instrument, 4, **forged) == [201, 201, 201, 429]
    # What stands before the proxy's own entry is the sender's to invent, and changes nothing.
    assert statuses(
        instrument, 1, REMOTE_ADDR="127.0.0.1", HTTP_X_FORWARDED_FOR=f"192.0.2.9, {ADDRESS}"
    ) == [429]


@pytest.mark.parametrize("proxy", ["10.0.0.5", "172.18.0.1", "2001:db8::5"])
def test_behind_a_proxy_that_hands_on_no_address_nobody_is_counted(
    settings: object, proxy: str
) -> None:
    """On another node, or at the gateway of a container's network, everybody comes from the address of the proxy."""
    settings.BEHIND_PROXY = True
    assert statuses(create_published(), 5, REMOTE_ADDR=proxy) == [201] * 5
    assert statuses(create_published(), 5, REMOTE_ADDR=proxy, HTTP_X_FORWARDED_FOR="") == [201] * 5


def test_a_subscriber_of_ipv6_is_one_address() -> None:
    instrument = create_published()
    found = [
        statuses(instrument, 1, REMOTE_ADDR=f"2001:db8:1:2::{number}")[0] for number in range(1, 5)
    ]
    assert found == [201, 201, 201, 429]


def test_the_limit_ends_with_its_window() -> None:
    limit = Limit(times=1, seconds=60)
    limit.count("203.0.113.9")
    assert limit.reached("203.0.113.9")
    limit._ends -= 60  # as a minute later
    assert not limit.reached("203.0.113.9")


def test_attempt_that_begins_a_period_is_counted_in_it() -> None:
    limit = Limit(times=1, seconds=60)
    limit._ends -= 60  # as a minute later
    limit.count("203.0.113.9")
    assert limit.reached("203.0.113.9")


def test_without_a_limit_nothing_is_counted(settings: object) -> None:
    settings.SUBMISSION_RATE = 0
    assert statuses(create_published(), 8, REMOTE_ADDR=ADDRESS) == [201] * 8


def test_the_address_is_in_no_table_no_log_and_not_in_memory(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    statuses(create_published(), 4, REMOTE_ADDR=ADDRESS)
    counted: Limit = rate_limit._limit_per_minute(3)
    assert ADDRESS not in repr(vars(counted))
    call_command("dumpdata")
    assert ADDRESS not in capsys.readouterr().out + caplog.text
