"""Bodies that no respondent's page would send: no 5xx, and nothing is stored that is not valid."""

import json
import random
import uuid

import pytest
from django.test import Client

from surveys.models import Instrument, Response
from tests.factories.surveys import create_published, post_response, response_body
from tests.security import fuzzing

pytestmark = pytest.mark.django_db


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
            and all(
                reports[name] in (0, 1) and type(reports[name]) is int for name in ("tax", "region")
            )
            and len(reports["fruit"]) == 5
            and set(reports["fruit"]) <= {"0", "1"}
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def fuzz_submission(number: int, seed: int) -> None:
    instrument, rng, client = (
        create_published(),
        random.Random(seed),
        Client(raise_request_exception=False),
    )
    stored = 0
    for _ in range(number):
        content = json.dumps(fuzzing.change(response_body(instrument), rng)).encode()
        if rng.random() < 0.4:
            content = fuzzing.garble(content, rng)
        status = post_response(instrument, content, client).status_code
        assert status < 500, content
        assert (status == 201) <= is_valid(content, instrument), content
        stored += status == 201
    assert Response.objects.count() == stored
    assert (
        number / 100 < stored < number / 2
    )  # neither all refused at the door nor hardly anything changed


def test_fuzzed_submissions() -> None:
    fuzz_submission(3_000, seed=1)


@pytest.mark.long
def test_a_hundred_thousand_fuzzed_submissions() -> None:
    fuzz_submission(100_000, seed=2)
