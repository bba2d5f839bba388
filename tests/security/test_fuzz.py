"""Bodies that nobody would send: no 5xx, and nothing is stored that is not valid."""

import copy
import json
import random
import string
import uuid

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from surveys.models import Instrument, Response
from tests.making import body, published, send

pytestmark = pytest.mark.django_db

ODD = [
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2,
        10**30,
        0.5,
        1e308,
        "",
        "0",
        "01001",
        "1" * 5,
        "\x00",
        "\ud800",
        "０１００１",
        "a" * 5000,
    ),
    *([], {}, [[]], {"tax": 1}, [1, 2], {"": {}}, ["01001"]),
]
RAW = [
    b"\x00",
    b"\xff",
    b"{",
    b"}",
    b"[",
    b'"',
    b"\\u0000",
    b"1e999",
    b"NaN",
    b",",
    b" " * 50,
    "é".encode(),
    b'"tax":1',
]


def value(rng: random.Random) -> object:
    return rng.choice(
        [rng.choice(ODD), "".join(rng.choices(string.printable, k=rng.randrange(20))), rng.randrange(-3, 9)]
    )


def change(content: dict, rng: random.Random) -> dict:
    """A valid body with one to three of its parts changed, taken away, renamed or added."""
    content = copy.deepcopy(content)
    for _ in range(rng.randrange(1, 4)):
        place = content["reports"] if rng.random() < 0.6 and isinstance(content.get("reports"), dict) else content
        deed, name = rng.randrange(4), rng.choice([*place, "more"])
        if deed == 0:
            place.pop(name, None)
        elif deed == 1:
            place[str(value(rng))] = place.get(name)
        else:
            place[name] = value(rng)
    return content


def garble(text: bytes, rng: random.Random) -> bytes:
    """Bytes put in, taken out or repeated."""
    for _ in range(rng.randrange(1, 4)):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.randrange(8))
        text = text[:start] + rng.choice([b"", rng.choice(RAW), text[start:end] * 2]) + text[end:]
    return text


def is_valid(content: bytes, instrument: Instrument) -> bool:
    """What may be stored, said once more and apart from the code that decides it."""
    try:
        found = json.loads(content)
        key = uuid.UUID(found["key"])
        reports = found["reports"]
        return (
            set(found) == {"instrument", "key", "reports"}
            and found["instrument"] == instrument.sha256
            and key.version == 4
            and set(reports) == {"tax", "fruit", "region"}
            and all(reports[name] in (0, 1) and type(reports[name]) is int for name in ("tax", "region"))
            and len(reports["fruit"]) == 5
            and set(reports["fruit"]) <= {"0", "1"}
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


def fuzz_submission(number: int, seed: int) -> None:
    instrument, rng, client = published(), random.Random(seed), Client(raise_request_exception=False)
    stored = 0
    for _ in range(number):
        content = json.dumps(change(body(instrument), rng)).encode()
        if rng.random() < 0.4:
            content = garble(content, rng)
        status = send(instrument, content, client).status_code
        assert status < 500, content
        assert (status == 201) <= is_valid(content, instrument), content
        stored += status == 201
    assert Response.objects.count() == stored


def test_fuzzed_submissions() -> None:
    fuzz_submission(3_000, seed=1)


@pytest.mark.long
def test_a_hundred_thousand_fuzzed_submissions() -> None:
    fuzz_submission(100_000, seed=2)


def addresses(resolver: URLResolver, before: str = "/") -> list[str]:
    found = []
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            found.append(route)
        elif route != "/admin/":  # Django's own
            found += addresses(pattern, route)
    return found


WORDS = [
    "0",
    "-1",
    "1e9",
    "nan",
    "\x00",
    "💥",
    "<b>",
    "wilson",
    "yes-no",
    "choice",
    "two-coin",
    "3/4",
    "2026-13-45",
    "a" * 600,
]
NAMES = """
    title introduction contact kind text help choices decline design key language warner-p unary-p direct-epsilon
    confidence interval sort group by show next username password code opens closes target limit role page cursor
    format
""".split()  # noqa: SIM905 (as a list it would fill a page)


def fuzz_addresses(number: int, seed: int) -> None:
    """Every address, with what is in it, asked and told at random by the owner of a published survey and a draft."""
    instrument, rng = published(), random.Random(seed)
    client = Client(raise_request_exception=False)
    for route in addresses(get_resolver()):
        for _ in range(number):
            client.force_login(instrument.survey.owner)
            address = route.replace("<slug:slug>", rng.choice([instrument.survey.slug, "nowhere"]))
            address = address.replace("<slug:key>", rng.choice(["tax", "fruit", "none"])).replace(
                "<uuid:pk>", str(uuid.uuid4())
            )
            address = address.replace("<path:rest>", "x").replace("<str:secret>", "x").replace("<str:sha256>", "0" * 64)
            told = {rng.choice(NAMES): rng.choice(WORDS) for _ in range(rng.randrange(6))}
            ask = rng.choice([client.get, client.post])
            status = ask(address, told).status_code
            assert status < 500, (ask.__name__, address, told)


def test_fuzzed_addresses() -> None:
    fuzz_addresses(15, seed=3)


@pytest.mark.long
def test_ten_thousand_fuzzed_requests_to_each_address() -> None:
    fuzz_addresses(10_000, seed=4)
