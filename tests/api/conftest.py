"""The application itself, not only Django's test client, inside the transaction of a test."""

from collections.abc import Iterator

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections


@pytest.fixture(autouse=True)
def _connection_stays_open() -> Iterator[None]:
    """Each request of a real server may end with its connection closed, and the test's data gone with it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)
