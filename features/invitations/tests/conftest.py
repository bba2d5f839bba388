from collections.abc import Iterator

import pytest

from tests.servers.smtp_server import Mailbox, run_smtp_server


@pytest.fixture
def box(settings: object) -> Iterator[Mailbox]:
    """A mail server to which the site sends its mails."""
    with run_smtp_server() as box:
        host, port = box.url.removeprefix("smtp://").split(":")
        settings.EMAIL_URL, settings.EMAIL_HOST, settings.EMAIL_PORT = box.url, host, int(port)
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.DEFAULT_FROM_EMAIL = "survey@example.org"
        yield box
