"""Files of responses on their way in: two at once, twice the same, a server that is killed; on both databases."""

import json
import random
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException

import pytest

from tests.faults.conftest import PATIENCE, Site

SIZE = 50_000  # bytes of a part

MAKE = """
from surveys.accounts.tokens import issue_token
from tests.factories.surveys import create_researcher
from tests.factories.import_surveys import create_import_survey
survey = create_import_survey(create_researcher())
print(survey.slug, issue_token(survey.owner, "faults"))
"""
TOGETHER = """
import json, threading
from concurrent.futures import ThreadPoolExecutor
from django.db import connection
from surveys.site.errors import Refused
from features.response_import import staging
from surveys.models import Survey
from features.response_import.tests import import_files
survey = Survey.objects.get(slug={slug!r})
labels = {{"questions": {{"age": {{"as": "labels"}}}}}}
def rows(n):
    return import_files.csv(*[f"{{k % 2}},010,South,{{18 + k % 82}}" for k in range(n)])
def both(*steps):
    ready = threading.Barrier(len(steps))
    def run(step):
        ready.wait()
        try:
            return step()
        except Refused as refusal:
            return type(refusal).__name__
        finally:
            connection.close()
    with ThreadPoolExecutor(len(steps)) as pool:  # any other error is raised here
        return [*pool.map(run, steps)]
def begun():
    return staging.begin(survey, survey.owner, labels)
{act}
"""
# What two do at once; what is printed; how many responses there are then.
SCENES = {
    "the same part": (
        """
file, data = begun(), rows(5000)
print(json.dumps([each.parts for each in both(*[lambda: staging.add(file, 1, data)] * 3)]))
staging.finish(file, 1, None)
""",
        [[1, 1, 1]],
        [5000],
    ),
    "two parts under one number": (
        """
file = begun()
results = both(lambda: staging.add(file, 1, rows(4000)), lambda: staging.add(file, 1, rows(5000)))
print(json.dumps(sorted(each if isinstance(each, str) else "taken" for each in results)))
staging.finish(file, 1, None)
""",
        [["OutOfTurn", "taken"]],
        [4000, 5000],
    ),
    "the same end": (
        """
file = begun()
staging.add(file, 1, rows(25_000))
print(json.dumps([each.state for each in both(*[lambda: staging.finish(file, 1, None)] * 3)]))
""",
        [["done", "done", "done"]],
        [25_000],
    ),
    "two files": (
        """
results = both(*[lambda n=n: import_files.send(survey, rows(n), labels, 99_999) for n in (15_000, 25_000)])
print(json.dumps([each.state for each in results]))
""",
        [["done", "done"]],
        [40_000],
    ),
    "the end and a cancellation": (
        """
file = begun()
staging.add(file, 1, rows(25_000))
both(lambda: staging.finish(file, 1, None), lambda: staging.cancel(file))
print(json.dumps([each.state for each in survey.imports.all()]))
""",
        [["done"], []],
        [25_000, 0],
    ),
}
LEFT = """
from surveys.models import Part, Piece
print(Part.objects.count(), Piece.objects.count())
"""
COUNT = """
import json
from surveys.fieldwork.responses.records import count_reports, decode
from surveys.models import Instrument
from surveys.definition.parsing import parse_instrument
instrument = Instrument.objects.get(survey__slug={slug!r})
frozen = parse_instrument(instrument)
batches = list(instrument.batches.all())
rows = [decode(frozen, bytes(batch.records)) for batch in batches]
tally = instrument.tally or {{"n": 0, "counts": {{"age": [0] * 82}}}}
counted = [sum(count_reports(frozen, part)["age"][code] for part in rows) for code in range(82)]
assert sum(map(len, rows)) == sum(batch.n for batch in batches) == tally["n"], tally["n"]
assert counted == tally["counts"]["age"]
print(tally["n"])
"""


def count(site: Site, slug: str) -> int:
    """How many responses there are: the same in the rows, in the batches and in the tally."""
    return int(site.shell(COUNT.format(slug=slug)))


@pytest.mark.parametrize("scene", SCENES)
def test_two_at_once(site: Site, scene: str) -> None:
    slug, _ = site.shell(
        MAKE.replace("researcher()", f"researcher({scene!r}.replace(' ', ''))")
    ).split()
    act, printed, expected = SCENES[scene]
    assert json.loads(site.shell(TOGETHER.format(slug=slug, act=act))) in printed
    assert count(site, slug) in expected
    assert site.shell(LEFT) == "0 0"


class Sender:
    """A program that sends a file and goes on wherever the site is, however often it is gone in between."""

    def __init__(self, site: Site, rows: int) -> None:
        self.site, self.rows, self.sent = site, rows, 0
        self.slug, self.token = site.shell(MAKE).split()
        lines = [f"{n % 2},010,South,{18 + n % 82}" for n in range(rows)]
        data = "\n".join(["tax,fruit,region,age", *lines]).encode()
        self.parts = [data[start : start + SIZE] for start in range(0, len(data), SIZE)]

    def ask(
        self, method: str, path: str, body: bytes | None = None, kind: str = "application/json"
    ) -> tuple[int, dict]:
        """Tried again until somebody answers."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            connection = HTTPConnection("127.0.0.1", self.site.port, timeout=30)
            headers = {"Authorization": f"Token {self.token}", "Content-Type": kind}
            try:
                connection.request(
                    method, f"/api/v1/surveys/{self.slug}/imports/{path}", body, headers
                )
                answer = connection.getresponse()
                status, said = answer.status, json.loads(answer.read() or b"{}")
            except (OSError, HTTPException, ValueError):
                time.sleep(0.05)
                continue
            finally:
                connection.close()
            if status != 503:
                return status, said
        raise AssertionError("nobody answers any more")

    def send(self) -> None:
        mapping = {"mapping": {"questions": {"age": {"as": "labels"}}}}
        self.key = self.ask("POST", "", json.dumps(mapping).encode())[1]["id"]
        for number, part in enumerate(self.parts, 1):
            assert self.ask("PUT", f"{self.key}/parts/{number}/", part, "text/csv")[0] == 200
            self.sent = number
        self.finish()

    def finish(self) -> None:
        status, said = self.ask(
            "POST", f"{self.key}/finish/", json.dumps({"parts": len(self.parts)}).encode()
        )
        assert (status, said["state"], said["rows"]) == (200, "done", self.rows)


def test_the_server_is_killed_while_a_file_comes(site: Site) -> None:
    site.start()
    sender = Sender(site, 100_000)
    with ThreadPoolExecutor() as pool:
        sending = pool.submit(sender.send)
        for after in (3, 10, 18):
            while sender.sent < after and not sending.done():
                time.sleep(0.005)
            time.sleep(random.uniform(0, 0.05))
            site.kill()
            site.start()
        sending.result()
    sender.finish()  # once more, as after an answer that got lost
    assert count(site, sender.slug) == 100_000


def test_the_server_is_killed_while_an_import_finishes(site: Site) -> None:
    site.start()
    sender = Sender(site, 100_000)
    finish, sender.finish = sender.finish, lambda: None
    sender.send()
    with ThreadPoolExecutor() as pool:
        for pause in (0.01, 0.03, 0.1):
            finishing = pool.submit(finish)
            time.sleep(pause)
            site.kill()
            assert count(site, sender.slug) in (0, 100_000)  # never a part of it
            site.start()
            finishing.result()
    finish()
    assert count(site, sender.slug) == 100_000
