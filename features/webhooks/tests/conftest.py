"""What the tests of webhooks share."""

from collections.abc import Iterator

import pytest

from features.webhooks import subscriptions
from features.webhooks.tests.receiver import Receiver, receiving
from surveys.site.rate_limits import Limit


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has tried webhooks just now: tests share a process, and people of different tests their number."""
    monkeypatch.setattr(subscriptions, "TRIES", Limit(subscriptions.TRIES.times, 60))


@pytest.fixture
def receiver(settings: object) -> Iterator[Receiver]:
    """What webhooks are sent to, on the loopback address."""
    settings.WEBHOOKS_TO_PRIVATE_NETWORKS = True
    with receiving() as receiver:
        yield receiver
