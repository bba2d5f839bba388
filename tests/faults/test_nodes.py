"""Two nodes on one PostgreSQL, and one sealer: whatever is done on one holds on the other at once."""

import hashlib
import re
import shutil
import threading
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.faults.conftest import PATIENCE, Site, Survey
from tests.faults.test_crashes import TOKEN, assert_whole
from tests.security.nginx import PROGRAM, running
from tests.servers.postgres import Postgres

PERSON = "from tests.factories.surveys import create_researcher; create_researcher({name!r})"
needs_nginx = pytest.mark.skipif(PROGRAM is None, reason="nginx is not installed")


@pytest.fixture(scope="module")
def nodes(
    tmp_path_factory: pytest.TempPathFactory, postgres: Postgres
) -> Iterator[tuple[Site, Site]]:
    """As documented: the same secret key and database, each with its own processes and folder.

    The first one is the machine of the timers, which alone has the private keys of the inbox.
    """
    database = postgres.fresh_database()
    first, second = (Site(tmp_path_factory.mktemp("node"), database) for _ in range(2))
    second.environment["SECRET_KEY"] = first.environment["SECRET_KEY"]
    second.environment["INBOX_KEYS"] = "elsewhere"
    first.manage("migrate", "--verbosity", "0")
    for node in (first, second):
        node.start()
    yield first, second
    for node in (first, second):
        node.kill()


def there(survey: Survey, node: Site) -> Survey:
    """The same survey, seen from a node."""
    return Survey(node, survey.slug, survey.sha256)


Connect = Callable[..., httpx.Client]


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Clients whose connections end with the test."""
    with ExitStack() as clients:
        yield lambda **options: clients.enter_context(httpx.Client(timeout=PATIENCE, **options))


def program(connect: Connect, node: Site, survey: Survey) -> httpx.Client:
    headers = {"Authorization": f"Token {survey.site.shell(TOKEN.format(slug=survey.slug))}"}
    address = f"http://127.0.0.1:{node.port}/api/v1/surveys/{survey.slug}"
    return connect(base_url=address, headers=headers)


def test_answers_through_both_are_sealed_and_released_once(
    nodes: tuple[Site, Site], connect: Connect
) -> None:
    """Each body goes to both nodes, as after a connection that broke; the sealer runs meanwhile."""
    survey = nodes[0].survey()
    here, beyond = (there(survey, node) for node in nodes)
    met: list[tuple[int, int]] = []

    def send(one: Survey, other: Survey) -> None:
        for _ in range(15):
            body = survey.body()
            met.append((one.send(body)[0], other.send(body)[0]))

    clients = [
        threading.Thread(target=send, args=pair) for pair in ((here, beyond), (beyond, here)) * 2
    ]
    for client in clients:
        client.start()
    while any(client.is_alive() for client in clients):
        nodes[0].manage("seal")
    for client in clients:
        client.join()
    assert met == [(201, 200)] * 60
    assert_whole(survey, 60)
    programs = [program(connect, node, survey) for node in nodes]
    assert programs[0].post("/close/").status_code == 200
    seen = [one.get("/report/").raise_for_status().json() for one in programs]
    assert seen[0] == seen[1]
    assert seen[0]["n"] == 60
    assert [there(survey, node).send()[0] for node in nodes] == [403, 403]


def test_what_is_closed_on_a_node_without_private_keys_is_released_by_the_next_run(
    nodes: tuple[Site, Site], connect: Connect
) -> None:
    """Timers on that node leave the inbox alone and say so."""
    survey = nodes[0].survey()
    assert [there(survey, nodes[1]).send()[0] for _ in range(25)] == [201] * 25
    second = program(connect, nodes[1], survey)
    assert second.post("/close/").status_code == 200
    elsewhere = "The inbox is left to the machine that has its private keys."
    assert elsewhere in nodes[1].manage("seal")
    assert second.get("/report/").raise_for_status().json()["n"] == 0

    assert elsewhere not in nodes[0].manage("seal")

    assert second.get("/report/").raise_for_status().json()["n"] == 25
    assert_whole(survey, 25)


def test_a_pause_on_one_node_holds_on_the_other(nodes: tuple[Site, Site], connect: Connect) -> None:
    survey = nodes[0].survey()
    first, second = (program(connect, node, survey) for node in nodes)
    for step, by, expected in (
        ("pause", first, 403),
        ("reopen", second, 201),
        ("close", second, 403),
    ):
        assert by.post(f"/{step}/").status_code == 200, step
        assert [there(survey, node).send()[0] for node in nodes] == [expected] * 2, step


def log_in(connect: Connect, node: Site, name: str, password: str) -> httpx.Client:
    person = connect(base_url=f"http://127.0.0.1:{node.port}")
    person.get("/login/")
    typed = {"username": name, "password": password}
    person.status = person.post(
        "/login/", data=typed, headers={"X-CSRFToken": person.cookies["csrftoken"]}
    ).status_code
    return person


def test_who_logged_in_on_one_node_is_known_to_the_other(
    nodes: tuple[Site, Site], connect: Connect
) -> None:
    """Session and form token too: behind nginx each request may meet another node."""
    nodes[0].shell(PERSON.format(name="ada"))
    person = log_in(connect, nodes[0], "ada", "correct horse")
    assert person.status == 302
    person.base_url = f"http://127.0.0.1:{nodes[1].port}"
    assert ">Surveys<" in person.get("/surveys/").raise_for_status().text
    headers = {"X-CSRFToken": person.cookies["csrftoken"]}
    assert person.post("/logout/", headers=headers).status_code == 302
    person.base_url = f"http://127.0.0.1:{nodes[0].port}"
    assert person.get("/surveys/").status_code == 302


def test_wrong_passwords_count_on_all_nodes_together(
    nodes: tuple[Site, Site], connect: Connect
) -> None:
    """Two minutes would have to pass for more than eight of them to be looked at, whatever the number of processes."""
    nodes[0].shell(PERSON.format(name="eve"))
    met = [
        log_in(connect, nodes[number % 2], "eve", f"guess {number}").status for number in range(24)
    ]
    assert set(met) == {422, 429}
    assert met.count(422) <= 8


def script_addresses(page: str) -> dict[str, str]:
    """Address -> integrity of every script that a page names. A respondents' page holds its own."""
    return dict(re.findall(r'"(/static/[^"]+\.js)": "(sha256-[^"]+)"', page))


@needs_nginx
def test_while_an_update_rolls_each_page_finds_its_own_scripts(
    nodes: tuple[Site, Site], tmp_path: Path
) -> None:
    """The second node has another version of a script. Pages of both start, whoever is asked for it."""
    old, _ = nodes
    new = Site(tmp_path, old.database)
    new.environment |= {
        "SECRET_KEY": old.environment["SECRET_KEY"],
        "INBOX_KEYS": "elsewhere",
        "STATIC_ROOT": str(another_build(old, tmp_path)),
    }
    new.start()
    try:
        with running(tmp_path, old.port, new.port) as front, front.client() as client:
            allowed = {"headers": {"Host": "localhost"}}
            pages = {client.get("/login/", **allowed).text for _ in range(8)}
            builds = [script_addresses(page) for page in pages]
            assert len({tuple(sorted(build)) for build in builds}) == 2  # both nodes answered
            for address, integrity in {pair for build in builds for pair in build.items()}:
                for _ in range(4):
                    script = client.get(address, **allowed)
                    assert script.status_code == 200, address
                    assert (
                        f"sha256-{b64encode(hashlib.sha256(script.content).digest()).decode()}"
                        == integrity
                    )
    finally:
        new.kill()


def another_build(site: Site, folder: Path) -> Path:
    """The static files of a version that differs in one script, as its collectstatic would write them."""
    static = folder / "static"
    shutil.copytree(site.environment["STATIC_ROOT"], static)
    manifest = static / "staticfiles.json"
    name = re.search(r'"workspace/slow\.js": "([^"]+)"', manifest.read_text())[1]
    (static / name).with_name("slow.0123456789ab.js").write_bytes(
        (static / name).read_bytes() + b"// another version\n"
    )
    for file in static.glob(f"{name}*"):
        file.unlink()
    manifest.write_text(manifest.read_text().replace(name, "workspace/slow.0123456789ab.js"))
    return static
