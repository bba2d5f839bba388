"""The application itself, not only Django's test client, inside the transaction of a test."""

import pytest


@pytest.fixture(autouse=True)
def _inside_the_transaction(connection_stays_open: None) -> None:
    pass
