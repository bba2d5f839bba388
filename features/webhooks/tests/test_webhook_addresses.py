"""Webhooks lead to the open internet and nowhere else, whatever an address says and whatever a name turns into."""

import asyncio
import socket
from threading import Event

import pytest

from features.webhooks import addresses, request, subscriptions
from features.webhooks.tests.receiver import receiving
from surveys.models import Delivery, Survey, Webhook
from surveys.site.errors import Invalid
from tests.factories.surveys import create_draft, create_researcher

PUBLIC = ("93.184.216.34", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::808:808")
PRIVATE = (
    *(
        "127.0.0.1",
        "127.8.8.8",
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
    ),
    *(
        "100.64.0.1",
        "192.0.0.8",
        "192.0.2.1",
        "198.18.0.1",
        "203.0.113.7",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
    ),
    *(
        "::1",
        "::",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd00::1",
    ),
    *(
        "192.88.99.1",
        "ff02::1",
        "fec0::1",
        "2001:db8::1",
        "64:ff9b::7f00:1",
        "64:ff9b::a00:1",
        "64:ff9b:1::1",
        "2002:7f00:1::",
    ),
    *(
        "168.63.129.16",
        "3fff::1",
        "2001:0:7f00:1::",
        "100::1",
        "5f00::1",
        "192.88.99.1",
        "nonsense",
    ),
)
# One machine in many spellings: decimal, octal, hexadecimal, short, with a dot, mapped, in other digits.
LOOPBACK = (
    *(
        "127.0.0.1",
        "2130706433",
        "0x7f000001",
        "017700000001",
        "127.1",
        "127.0.1",
        "0x7f.1",
        "0",
        "0177.0.0.1",
    ),
    *(
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[0:0:0:0:0:0:0:1]",
        "[::]",
        "１２７.0.0.1",
        "127。0。0。1",
    ),
)
NO_ADDRESS = (
    *(
        "",
        " ",
        "example.org",
        "http://example.org/",
        "ftp://example.org/",
        "file:///etc/passwd",
        "https://",
    ),
    *(
        "https:///path",
        "https://user:secret@example.org/",
        "https://example.org/#part",
        "javascript:alert(1)",
    ),
    *("https://exa mple.org/", "https://example.org:99999/", "https://[::1/", "x" * 600),
    *(
        "https://example.org/" + "x" * 500,
        "gopher://127.0.0.1:6379/",
        "https:example.org",
        "//example.org/",
    ),
)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_allowed(address: str) -> None:
    assert addresses.is_allowed(address)


@pytest.mark.parametrize("address", PRIVATE)
def test_no_other_address_is(address: str) -> None:
    assert not addresses.is_allowed(address)


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.0.0.1", "169.254.1.1", "::1", "fd00::1", "8.8.8.8"]
)
def test_an_intranet_is_allowed_where_the_site_says_so(address: str, settings: object) -> None:
    settings.WEBHOOKS_TO_PRIVATE_NETWORKS = True
    assert addresses.is_allowed(address)
    assert not addresses.is_allowed("224.0.0.1")
    assert not addresses.is_allowed("0.0.0.0")
    assert addresses.check("http://127.0.0.1:8000/hook") == "http://127.0.0.1:8000/hook"


@pytest.mark.parametrize("host", LOOPBACK)
@pytest.mark.parametrize("port", ["", ":8443"])
def test_this_machine_in_any_spelling_is_refused_at_the_field_or_when_sending(
    host: str, port: str
) -> None:
    with pytest.raises(Invalid) as wrong:
        addresses.check(f"https://{host}{port}/hook")
    assert wrong.value.errors.keys() == {"url"}


@pytest.mark.parametrize("url", NO_ADDRESS)
def test_what_is_no_address_gets_a_message(url: str) -> None:
    with pytest.raises(Invalid) as wrong:
        addresses.check(url)
    assert wrong.value.errors.keys() == {"url"}


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        (" https://example.org/hook ", "https://example.org/hook"),
        ("https://example.org:8443/a?b=c", "https://example.org:8443/a?b=c"),
        ("https://bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
        ("https://8.8.8.8/", "https://8.8.8.8/"),
    ],
)
def test_other_addresses_are_kept_as_they_will_be_asked(url: str, kept: str) -> None:
    assert addresses.check(url) == kept


INSIDE = (
    "localhost",
    "LOCALHOST.",
    "a.localhost",
    "printer.local",
    "db.internal",
    "intranet",
    "nas.home.arpa",
    "nas.lan",
)


@pytest.mark.parametrize("host", INSIDE)
def test_a_name_of_a_private_network_is_refused_when_it_is_saved(
    host: str, settings: object
) -> None:
    with pytest.raises(Invalid) as wrong:
        addresses.check(f"https://{host}/hook")
    assert wrong.value.errors == {"url": addresses.NOT_PUBLIC}
    settings.WEBHOOKS_TO_PRIVATE_NETWORKS = True
    assert addresses.check(f"https://{host}/hook")


@pytest.mark.parametrize("port", [1, 22, 25, 80, 5432, 6379, 65535])
def test_a_port_of_another_service_is_refused_when_it_is_saved(port: int, settings: object) -> None:
    with pytest.raises(Invalid) as wrong:
        addresses.check(f"https://example.org:{port}/hook")
    assert "port 443 or 8443" in wrong.value.errors["url"]
    settings.WEBHOOKS_TO_PRIVATE_NETWORKS = True
    assert addresses.check(f"https://example.org:{port}/hook")


def entries(*found: str) -> list[tuple]:
    return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in found]


@pytest.mark.parametrize(
    "found", [["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["::ffff:10.0.0.1"], ["fe80::1%2"]]
)
def test_a_name_that_leads_inside_is_refused_even_if_it_leads_outside_too(
    found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **more: entries(*found))
    with pytest.raises(addresses.Forbidden):
        asyncio.run(addresses.resolve("example.org", 443))


@pytest.mark.django_db
def test_nothing_reaches_a_server_of_this_machine(settings: object) -> None:
    """Names that lead here, as 0.1.0 let them be saved, are stopped when they are looked up: no request arrives."""
    survey = create_draft(create_researcher())
    with receiving() as receiver:
        port = receiver.url.split(":")[2].split("/")[0]
        for host in ("localhost", "LOCALHOST."):
            webhook = Webhook.objects.create(
                survey=survey,
                url=f"https://{host}:{port}/hook",
                events=["survey.closed"],
                name="ada",
            )
            delivery = subscriptions.ping(webhook=webhook, by=survey.owner)
            assert delivery.outcome in ("address in a private network", "name not found")
        assert Delivery.objects.filter(outcome="address in a private network").exists()
        assert receiver.taken == []


@pytest.mark.django_db
def test_a_name_server_that_takes_its_time_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    survey = create_draft(create_researcher())
    url = "https://slow.example/hook"
    webhook = subscriptions.add(survey=survey, by=survey.owner, url=url, events=["survey.closed"])
    monkeypatch.setattr(request, "TIMEOUT", 0.3)
    silence, ends = Event(), []

    def look_up(*args: object, **more: object) -> None:
        silence.wait(60)
        ends.append("looked up")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    try:
        assert subscriptions.ping(webhook=webhook, by=survey.owner).outcome == "no answer in time"
        assert not ends
    finally:
        silence.set()


@pytest.mark.django_db
def test_a_name_is_looked_up_once_and_its_checked_address_is_connected_to(
    settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that leads elsewhere at its second look-up has no second look-up."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def rebinding(host: object, *args: object, **more: object) -> list[tuple]:
        name = host.decode() if isinstance(host, bytes) else str(host)
        if name != "rebinding.example":
            return real(host, *args, **more)
        asked.append(name)
        return [
            (
                socket.AF_INET,
                socket.SOCK_STREAM,
                6,
                "",
                ("127.0.0.1" if len(asked) == 1 else "127.0.0.2", args[0]),
            )
        ]

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    settings.WEBHOOKS_TO_PRIVATE_NETWORKS = True
    survey: Survey = create_draft(create_researcher())
    with receiving() as receiver:
        port = receiver.url.split(":")[2].split("/")[0]
        webhook = subscriptions.add(
            survey=survey,
            by=survey.owner,
            url=f"http://rebinding.example:{port}/hook",
            events=["survey.closed"],
        )
        asked.clear()
        assert subscriptions.ping(webhook=webhook, by=survey.owner).state == "delivered"
        assert len(asked) == 1
        assert receiver.taken[0][0]["host"] == f"rebinding.example:{port}"
