"""Over https the certificate must be that of the name, though the connection goes to an address that was checked."""

import shutil
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from features.webhooks import request, subscriptions
from features.webhooks.tests.receiver import Receiver, receiving
from surveys.models import Delivery
from tests.factories.surveys import create_draft, create_researcher
from tests.servers import subprocesses

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(
        shutil.which("openssl") is None, reason="no program openssl to make a certificate with"
    ),
]


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[str, str]:
    """A new one for the name localhost, and its key."""
    key, made = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-keyout",
        key,
        "-out",
        made,
    ]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocesses.run(command)
    return made, key


@pytest.fixture
def receiver(certificate: tuple[str, str]) -> Iterator[Receiver]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    with receiving(tls=context) as found:
        yield found


@pytest.fixture(autouse=True)
def _fresh(settings: object) -> Iterator[None]:
    settings.WEBHOOKS_TO_PRIVATE_NETWORKS = True
    request._certificates.cache_clear()
    yield
    request._certificates.cache_clear()


def pinged(receiver: Receiver, host: str) -> Delivery:
    survey = create_draft(create_researcher())
    url = receiver.url.replace("127.0.0.1", host)
    return subscriptions.ping(
        webhook=subscriptions.add(
            survey=survey, by=survey.owner, url=url, events=["survey.closed"]
        ),
        by=survey.owner,
    )


def test_a_certificate_of_the_name_is_taken(
    receiver: Receiver, certificate: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", certificate[0])
    assert pinged(receiver, "localhost").outcome == "204"
    assert receiver.taken[0][0]["host"].startswith("localhost:")


def test_a_certificate_of_another_name_is_not(
    receiver: Receiver, certificate: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", certificate[0])
    assert pinged(receiver, "127.0.0.1").outcome == "certificate not valid"
    assert receiver.taken == []


def test_a_certificate_of_an_unknown_authority_is_not(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    assert pinged(receiver, "localhost").outcome == "certificate not valid"
    assert receiver.taken == []
