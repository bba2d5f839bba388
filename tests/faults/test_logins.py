"""Two nodes with two processes each count wrong passwords together, and a restart forgets none."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx

from tests.faults.conftest import Site
from tests.servers import ports

MAKE = "from tests.factories.surveys import create_researcher; create_researcher('ada')"
LONG_ATTACK = """
from django.utils import timezone
from surveys.models import Delay
assert Delay.objects.update(failures=10, until=timezone.now()) == 1
"""


def another_node(site: Site) -> Site:
    node = Site(site.folder, site.database)
    node.environment, node.commands = (
        site.environment,
        site.commands,
    )  # the same SECRET_KEY, as nodes have
    node.port = ports.find_free_port()
    return node


def log_in(node: Site, password: str, web: httpx.Client | None = None) -> int:
    with httpx.Client(timeout=60) as stranger:
        web = web or stranger
        address = f"http://127.0.0.1:{node.port}/login/"
        web.get(address)
        typed = {
            "username": "ada",
            "password": password,
            "csrfmiddlewaretoken": web.cookies["csrftoken"],
        }
        return web.post(address, data=typed).status_code


def test_nodes_and_processes_count_together(site: Site) -> None:
    nodes = [site, another_node(site)]
    site.shell(MAKE)
    for node in nodes:
        node.start()
    try:
        with httpx.Client(timeout=60) as known:
            assert log_in(site, "correct horse", known) == 302
            del known.cookies["sessionid"]
            assert log_in(site, "wrong") == 422
            site.shell(LONG_ATTACK)
            with ThreadPoolExecutor(8) as crowd:
                seen = Counter(
                    crowd.map(lambda number: log_in(nodes[number % 2], "wrong"), range(8))
                )
            assert seen == {422: 1, 429: 7}
            nodes[1].kill()
            nodes[1].start()
            assert log_in(nodes[1], "correct horse") == 429
            assert log_in(nodes[1], "correct horse", known) == 302
    finally:
        nodes[1].kill()
