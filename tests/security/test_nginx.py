"""The web server that the documentation gives: it limits, hides who asks, and writes nothing down.

Where nginx is installed it runs, in front of a real site; elsewhere its file is only read.
"""

import json
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx
import pytest

from tests.faults.conftest import Site, Survey
from tests.security.nginx import DOCUMENTED, PROGRAM, Front, directives, running
from tests.servers import subprocesses

AGENT = "Zanzibar/7.1"
needs_nginx = pytest.mark.skipif(
    PROGRAM is None, reason="nginx is not installed; its file is read all the same"
)


def test_every_server_of_the_file_writes_nothing_down() -> None:
    """20. No access log, and of errors only those that stop nginx, which name nobody."""
    found = directives(DOCUMENTED.read_text())
    servers = [words for around, words in found if around == ("server",)]
    assert [words for words in servers if words[0] == "access_log"] == [["access_log", "off"]] * 2
    assert [words[2] for words in servers if words[0] == "error_log"] == ["emerg"] * 2
    names = {words[0] for _, words in found}
    assert not names & {
        "log_format",
        "include",
        "proxy_store",
        "client_body_in_file_only",
        "mirror",
    }
    inside = [
        words
        for around, words in found
        if len(around) > 1 and words[0] in ("access_log", "error_log")
    ]
    assert not inside


def test_no_location_stands_twice_and_all_of_them_go_to_every_node() -> None:
    """Which nginx would refuse; but where it is not installed nobody would see it."""
    found = directives(DOCUMENTED.read_text())
    locations = re.findall(r"(?m)^    location (.+) \{$", DOCUMENTED.read_text())
    assert len(locations) == len(set(locations))
    assert {words[1] for _, words in found if words[0] == "proxy_pass"} == {"http://candor"}


def test_no_address_is_handed_on() -> None:
    """20. Neither as a header of its own nor with what a visitor already sent."""
    found = [words for _, words in directives(DOCUMENTED.read_text())]
    headers = {words[1]: words[2] for words in found if words[0] == "proxy_set_header"}
    assert headers == {
        "Host": "$host",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": '""',
        "X-Real-IP": '""',
    }
    # Counted by address, in nginx's memory: what is sent, what the API reads to somebody, logins through an
    # organization, and nothing else.
    named = [words for words in found if "addr" in " ".join(words)]
    provider = ["limit_req_zone", "$binary_remote_addr", "zone=candor_provider:1m", "rate=60r/m"]
    assert named == [["POST", "$binary_remote_addr"], ["default", "$binary_remote_addr"], provider]


def test_whoever_reads_the_api_is_limited_wherever_it_is_read() -> None:
    """All of /api/, also at the address where respondents send; what the two send there is counted apart."""
    found = directives(DOCUMENTED.read_text())
    api = {
        around[-1]: words
        for around, words in found
        if words[:2] == ["limit_req", "zone=candor_api"]
    }
    assert set(api) == {"location /api/", "location ~ ^/api/v1/surveys/[^/]+/(responses|tickets)/$"}
    assert len({tuple(words) for words in api.values()}) == 1
    readers = {
        words[0]: words[1]
        for around, words in found
        if around == ("map $request_method $candor_reader",)
    }
    assert readers == {"default": "$binary_remote_addr", "POST": '""'}
    assert ["limit_req_zone", "$candor_reader", "zone=candor_api:10m", "rate=1200r/m"] in [
        words for _, words in found
    ]


def test_every_way_to_log_in_is_limited() -> None:
    """What is posted anywhere below /login/, and the two addresses of an organization’s provider, which are read."""
    limits = {
        around: words
        for around, words in directives(DOCUMENTED.read_text())
        if words[0] == "limit_req"
    }
    login = ("server", "location ^~ /login/")
    assert limits[login] == ["limit_req", "zone=candor_login", "burst=20", "nodelay"]
    inside = (*login, "location ^~ /login/provider/")
    assert limits[inside] == ["limit_req", "zone=candor_provider", "burst=40", "nodelay"]
    assert (inside, ["limit_req_status", "429"]) in directives(DOCUMENTED.read_text())


def serve_behind_proxy(folder: Path) -> Iterator[Site]:
    """Yield a running site that trusts a proxy in front of it, and stop it."""
    site = Site(folder, f"sqlite:///{folder / 'site.sqlite3'}")
    site.environment |= {"HTTPS": "1", "BEHIND_PROXY": "1", "ALLOWED_HOSTS": "survey.example.org"}
    site.manage("migrate", "--verbosity", "0")
    site.start()
    yield site
    if site.server.poll() is None:
        site.kill()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    yield from serve_behind_proxy(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def survey(site: Site) -> Survey:
    return site.survey()


@pytest.fixture
def front(site: Site, tmp_path: Path) -> Iterator[Front]:
    with running(tmp_path, site.port) as front:
        yield front


def sent(front: Front, survey: Survey, body: bytes | None = None) -> httpx.Response:
    with front.client() as client:
        headers = {"Content-Type": "application/json", "User-Agent": AGENT}
        return client.post(survey.path, content=body or survey.body(), headers=headers)


@needs_nginx
def test_nginx_takes_the_file(front: Front) -> None:
    subprocesses.run([*front.command(), "-t"])


@needs_nginx
def test_answers_and_pages_pass(front: Front, survey: Survey) -> None:
    assert sent(front, survey).json() == {"status": "recorded"}
    with front.client() as client:
        page = client.get(f"/s/{survey.slug}/")
        assert page.status_code == 200
        assert "form-action 'none'" in page.headers["Content-Security-Policy"]
        assert page.headers["Strict-Transport-Security"]
        assert len(page.headers.get_list("Cache-Control")) == 1
    assert_nothing_logged(front, survey)


@needs_nginx
def test_plain_http_is_sent_to_https(front: Front, survey: Survey) -> None:
    with front.client() as client:
        answer = client.get(f"http://127.0.0.1:{front.http}/s/{survey.slug}/")
    assert (answer.status_code, answer.headers["Location"]) == (
        301,
        f"https://survey.example.org/s/{survey.slug}/",
    )
    assert_nothing_logged(front, survey)


def until_put_off(ask: Callable[[], httpx.Response]) -> list[httpx.Response]:
    """All answers up to the first 429. On a slow machine some more pass meanwhile than may come at once."""
    answers = [ask()]
    while answers[-1].status_code != 429:
        assert len(answers) < 5000
        answers.append(ask())
    return answers


@needs_nginx
def test_a_flood_of_answers_is_put_off_and_nobody_is_written_down(
    front: Front, survey: Survey
) -> None:
    """20. The limit counts where Candor itself sees no address; it says so as Candor would."""
    with front.client() as client:
        *passed, told = until_put_off(
            lambda: client.post(survey.path, content=b"{", headers={"User-Agent": AGENT})
        )
        assert len(passed) >= 600
        assert {answer.status_code for answer in passed} == {
            415
        }  # no JSON, which Candor itself says
        assert told.headers["Content-Type"] == "application/problem+json"
        assert told.json()["type"] == "/problems/throttled"
        assert "answers" in told.json()["title"]
        assert int(told.headers["Retry-After"]) > 0
        assert told.headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert client.get(f"/s/{survey.slug}/").status_code == 200
    assert_nothing_logged(front, survey)


@needs_nginx
def test_a_flood_of_readers_is_put_off_and_answers_still_pass(front: Front, survey: Survey) -> None:
    with front.client() as client:
        *passed, told = until_put_off(
            lambda: client.get(f"/api/v1/surveys/{survey.slug}/instrument/")
        )
        assert len(passed) >= 400
        assert {answer.status_code for answer in passed} == {200}
        assert told.json()["type"] == "/problems/throttled"
        assert "requests" in told.json()["title"]
        assert client.get(survey.path).status_code == 429
    assert sent(front, survey).status_code == 201
    assert_nothing_logged(front, survey)


@needs_nginx
def test_a_flood_of_passwords_is_put_off(front: Front) -> None:
    with front.client() as client:
        *passed, _ = until_put_off(lambda: client.post("/login/", data={"username": "a"}))
        assert len(passed) >= 20
        assert {answer.status_code for answer in passed} == {403}  # the form was not loaded first
        assert client.get("/login/").status_code == 200


@needs_nginx
@pytest.mark.parametrize("path", ["/login/provider/", "/login/provider/back/?code=a&state=b"])
def test_a_flood_of_logins_through_an_organization_is_put_off(front: Front, path: str) -> None:
    with front.client() as client:
        *passed, _ = until_put_off(lambda: client.get(path))
        assert len(passed) >= 40
        assert {answer.status_code for answer in passed} == {404}  # this site has no provider
        assert client.get("/login/").status_code == 200
    assert not [trace for trace in ("127.0.0.1", "code=a") if trace in front.logged()]


@needs_nginx
def test_a_site_that_is_away_asks_for_the_same_bytes_again(
    front: Front, site: Site, survey: Survey
) -> None:
    site.kill()
    try:
        answer = sent(front, survey)
        assert (answer.status_code, answer.json()["type"]) == (503, "/problems/try-again")
        assert int(answer.headers["Retry-After"]) > 0
        with front.client() as client:
            page = client.get(f"/s/{survey.slug}/")
        assert (page.status_code, page.headers["Cache-Control"]) == (503, "no-store")
    finally:
        site.start()
    assert sent(front, survey).status_code == 201
    assert_nothing_logged(front, survey)


@needs_nginx
def test_connections_that_break_are_not_written_down(front: Front, survey: Survey) -> None:
    """20. No handshake, an old protocol, a body that ends too early, too many bytes, no HTTP."""
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    for said in (b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 2000):
        with socket.create_connection(("127.0.0.1", front.https)) as raw:
            raw.sendall(said)
    for said in (
        b"POST %s HTTP/1.1\r\nHost: survey.example.org\r\nContent-Length: 500\r\n\r\n{",
        b"NONSENSE %s\r\n\r\n",
    ):
        with (
            socket.create_connection(("127.0.0.1", front.https)) as raw,
            trusting.wrap_socket(raw) as secure,
        ):
            secure.sendall(said % survey.path.encode())
    refused = sent(front, survey, b"x" * 200_000)
    assert (refused.status_code, refused.json()["type"]) == (413, "/problems/too-large")
    assert_nothing_logged(front, survey)


def test_all_that_is_passed_on_goes_to_the_nodes() -> None:
    found = directives(DOCUMENTED.read_text())
    assert {words[1] for _, words in found if words[0] == "proxy_pass"} == {"http://candor"}
    assert [words for around, words in found if around == ("upstream candor",)] == [
        ["server", "127.0.0.1:8000"]
    ]


def test_no_place_is_described_twice() -> None:
    """nginx refuses such a file, which nobody notices where it is not installed."""
    places = re.findall(r"^    (location .+) \{$", DOCUMENTED.read_text(), re.MULTILINE)
    assert len(places) == len({*places}) > 5


def test_the_file_keeps_the_sites_numbers_inside() -> None:
    found = [
        words
        for around, words in directives(DOCUMENTED.read_text())
        if around == ("server", "location = /metrics")
    ]
    assert [words[:2] for words in found if words[0] in ("return", "proxy_pass")] == [
        ["return", "404"]
    ]


@needs_nginx
def test_from_outside_one_sees_whether_the_site_is_well_and_no_numbers(front: Front) -> None:
    with front.client() as client:
        assert client.get("/metrics").text == "There is nothing here.\n"
        assert client.get("/healthz").text == "ok\n"
        assert (client.get("/readyz").status_code, client.get("/readyz").text) == (
            503,
            "not ok\n",
        )  # no timer here


class Listener(BaseHTTPRequestHandler):
    heard: list[dict[str, str]] = []

    def do_POST(self) -> None:
        self.heard.append(dict(self.headers))
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(201)
        self.end_headers()
        self.wfile.write(json.dumps({"status": "recorded"}).encode())

    def log_message(self, *_: object) -> None:
        pass


@needs_nginx
def test_what_reaches_candor_names_no_address(tmp_path: Path) -> None:
    """20. Not even one that a visitor, or a proxy before this one, has put into the headers."""
    with HTTPServer(("127.0.0.1", 0), Listener) as candor:
        threading.Thread(target=candor.serve_forever, daemon=True).start()
        with running(tmp_path, candor.server_port) as front, front.client() as client:
            forged = {"X-Forwarded-For": "203.0.113.9", "X-Real-IP": "203.0.113.9"}
            client.post("/api/v1/surveys/x/responses/", content=b"{}", headers=forged)
        candor.shutdown()
    (heard,) = Listener.heard
    assert "203.0.113.9" not in str(heard)
    assert not {"X-Forwarded-For", "X-Real-IP", "Forwarded", "Via"} & heard.keys()
    assert "127.0.0.1" not in str({name: said for name, said in heard.items() if name != "Host"})


def assert_nothing_logged(front: Front, survey: Survey) -> None:
    logged = front.logged()
    assert not [
        trace for trace in ("127.0.0.1", survey.slug, AGENT, "client:", "POST") if trace in logged
    ], logged
