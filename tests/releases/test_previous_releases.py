"""A database written by any previous release opens with this program: nothing is lost, and no number is another one.

make.py wrote the databases, and says how a release adds its own. That of c11246f is of the last commit before 0.2.0
that sites ran from: a make.py that its program understood wrote it.
"""

import csv
import io
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from math import isclose
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.faults.conftest import Site
from tests.releases.site import Person, Program, messages, take_ticket
from tests.servers.postgres import Postgres

FOLDER = Path(__file__).resolve().parent
RELEASES = sorted(path for path in FOLDER.glob("*/*") if (path / "database.sql").exists())
NO_BUDGET = ("limit", "limit_reason")  # which a survey has no more
# What says the numbers in words or counts tickets anew, and the ranges that were made exact after the release.
REWORDED = {"waiting", "finding", "invited", "methods", "note"}
CORRECTED = {"0.1.0": set(), "c11246f": {"found", "candidates"}}
HOURS_PASS = """
from surveys.models import Instrument, Run
Instrument.objects.update(looked=None)
Run.objects.all().delete()  # or the clock would be believed an hour later only
"""
DUE = "paused"  # what waited here was sealed when another survey was opened, in a random order


class Old:
    """A site of this program on a copy of a database that an older one wrote."""

    def __init__(self, folder: Path, site: Site, backup: str) -> None:
        self.site, self.backup, self.release = site, backup, folder.parent.name
        self.given: dict[str, Any] = json.loads((folder / "given.json").read_text())
        self.surveys = self.given["surveys"]
        self.published = {name: found for name, found in self.surveys.items() if not found["draft"]}
        self.program = Program(site, self.given["token"])

    def person(self, name: str) -> Person:
        return Person(
            self.site, name, self.given["passwords"][name], self.given["codes"].get(name, "")
        )

    def read(self, name: str, part: str = "") -> Any:
        return self.program.get(f"/surveys/{self.surveys[name]['slug']}/{part}").json()

    def stored(self) -> str:
        """How many rows lie in the inbox."""
        return self.site.shell(
            "from surveys.models import Response; print(Response.objects.count())"
        )

    def csv(self, name: str) -> str:
        return self.program.get(f"/surveys/{self.surveys[name]['slug']}/responses/?format=csv").text

    def numbers(self, stored: Any) -> Any:
        """Of what was read then, all that this program has to give again."""
        return without(stored, REWORDED | CORRECTED.get(self.release, set()))

    def new(self, name: str, times: int = 1, tickets: Iterable[str] = ()) -> list[bytes]:
        """What so many respondents' pages send."""
        return messages(self.site, self.surveys[name], times, seed=3, tickets=tickets)

    def send(self, name: str, sent: bytes) -> int:
        return self.site.post(f"/api/v1/surveys/{self.surveys[name]['slug']}/responses/", sent)[0]


def load(folder: Path, database: str) -> None:
    dump = (folder / "database.sql").read_text()
    if folder.name == "postgres":
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(dump.encode())
    else:
        connection = sqlite3.connect(database.removeprefix("sqlite:///"))
        connection.executescript(dump)
        connection.close()


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.remove()


@pytest.fixture(scope="module", params=RELEASES, ids=lambda path: f"{path.parent.name}-{path.name}")
def old(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Old]:
    """Loaded, migrated, served. The tests follow one another in the order of this file, as the days of a site do."""
    folder, temporary = request.param, tmp_path_factory.mktemp("old")
    is_postgres = folder.name == "postgres"
    database = (
        request.getfixturevalue("server").fresh_database()
        if is_postgres
        else f"sqlite:///{temporary}/old"
    )
    load(folder, database)
    site = Site(temporary, database)
    site.environment["TICKET_KEY"] = json.loads((folder / "given.json").read_text()).get(
        "ticket_key", ""
    )
    backup = site.manage("backup", str(temporary))
    site.manage("migrate", "--verbosity", "0")
    site.start()
    yield Old(folder, site, backup)
    site.kill()


def holds(stored: Any, now: Any) -> bool:
    """Whether all that was said then is said now. A later program may say more, never something else.

    Shares that are found step by step end a little elsewhere on another processor.
    """
    if isinstance(stored, dict):
        return isinstance(now, dict) and all(
            name in now and (is_new_number(name, value) or holds(value, now[name]))
            for name, value in stored.items()
        )
    if isinstance(stored, list):
        return len(stored) == len(now) and all(
            holds(*pair) for pair in zip(stored, now, strict=True)
        )
    if isinstance(stored, float) and isinstance(now, float):
        return isclose(stored, now, rel_tol=1e-7, abs_tol=1e-9)
    return bool(stored == now)


def is_new_number(name: str, stored: Any) -> bool:
    """Return whether nothing was said of a mean, where there may be one now: that of a background number."""
    return name == "number" and stored is None


def without(stored: Any, names: set[str]) -> Any:
    if isinstance(stored, dict):
        return {name: without(value, names) for name, value in stored.items() if name not in names}
    return [without(each, names) for each in stored] if isinstance(stored, list) else stored


def test_there_is_a_release_on_both_databases() -> None:
    for release in {path.parent for path in RELEASES}:
        assert {path.name for path in RELEASES if path.parent == release} == {"sqlite", "postgres"}
    assert RELEASES


def test_it_can_be_backed_up_before_it_is_migrated(old: Old) -> None:
    responses = sum(stored["report"]["n"] for stored in old.published.values())
    assert old.backup.endswith(f"responses in their reports: {responses}.")


def test_nothing_is_left_to_migrate_and_the_database_fits_the_models(old: Old) -> None:
    assert "No planned migration operations" in old.site.manage("migrate", "--plan")
    assert "No changes detected" in old.site.manage("makemigrations", "--check", "--dry-run")


def test_what_authors_wrote_is_all_there(old: Old) -> None:
    for name, stored in old.surveys.items():
        written = {key: value for key, value in stored["written"].items() if key not in NO_BUDGET}
        assert holds(written, old.read(name)), name
        assert old.read(name)["protection"] is None


def test_instruments_are_the_same_bytes(old: Old) -> None:
    for name, stored in old.published.items():
        assert old.read(name)["instrument"] == stored["sha256"]
        if name not in ("scheduled", "filed"):  # whose questions are not public, or not yet
            assert old.program.get(f"/instruments/{stored['sha256']}/").text == stored["instrument"]


def test_a_retry_finds_its_response_sealed_or_not(old: Old) -> None:
    """Until it is sealed, the same body under the same key is known and stored once."""
    before = old.stored()
    for name in ("everything", "reopened"):
        assert old.send(name, old.given["sent"][name].encode()) == 200, name
    assert old.stored() == before


def test_states_are_kept(old: Old) -> None:
    states = {"closed": "closed", "paused": "paused", "scheduled": "open", "reopened": "open"}
    assert {name: old.read(name)["status"] for name in states} == states
    for name in ("closed", "paused", "scheduled"):
        (sent,) = old.new(name)
        assert old.send(name, sent) == 403, name


def test_every_report_and_tally_is_the_stored_one(old: Old) -> None:
    for name, stored in old.published.items():
        assert holds(old.numbers(stored["report"]), old.read(name, "report/")), name
        assert holds(stored["tallies"], old.read(name, "tallies/")), name


def test_every_export_has_the_same_rows(old: Old) -> None:
    """Byte for byte as they were written before, but where responses were sealed only now, in a random order."""
    for name, stored in old.published.items():
        now = old.csv(name)
        if old.release == "0.1.0":
            now = as_before(now, old.read(name, "export/codebook.json")["variables"])
        assert sorted(now.splitlines()) == sorted(stored["csv"].splitlines()), name
        assert name == DUE or now == stored["csv"], name


def as_before(table: str, variables: list[dict[str, Any]]) -> str:
    """A CSV as 0.1.0 wrote it: a number as its code, counted from 0, and the marks of a report as one string."""

    def cell(row: dict[str, str], variable: dict[str, Any]) -> str:
        cells = "".join(row[name] for name in variable["columns"])
        return (
            str(int(cells) - variable["numbers"]["first"])
            if cells and "numbers" in variable
            else cells
        )

    lines = [[variable["name"] for variable in variables]]
    lines += [
        [cell(row, variable) for variable in variables]
        for row in csv.DictReader(io.StringIO(table))
    ]
    return "".join(f"{','.join(line)}\r\n" for line in lines)


def test_histories_hold_all_that_was_done(old: Old) -> None:
    for name, stored in old.surveys.items():
        now = old.read(name, "history/?page_size=100")["results"]
        done = [
            (event["when"], event["name"], event["what"]) for event in stored.get("history", [])
        ]
        assert [(event["when"], event["name"], event["what"]) for event in now][
            -len(done) :
        ] == done or not done, name


def test_files_stay_in_the_report(old: Old) -> None:
    of(old, "filed")
    assert old.read("filed", "report/")["n"] == 60
    states = {each["state"] for each in old.read("filed", "imports/")}
    assert states - {"taking"} == {"done"}
    assert old.release != "c11246f" or "taking" not in states  # 0.2.0 cancels what was not finished


def test_public_results_and_candidates_are_the_stored_ones(old: Old) -> None:
    of(old, "recent")
    page = f"/r/{old.surveys['recent']['slug']}/results.json"
    assert holds(old.numbers(old.given["public"]), json.loads(old.person("ada").get(page)))
    both = old.given["candidates"], old.read("recent", "report/drug/candidates/")
    then, now = (
        [[each["estimate"] for each in one["candidates"]] for one in read["rounds"]]
        for read in both
    )
    assert now
    assert holds(then, now)


def test_invited_people_keep_their_tickets_and_codes(old: Old) -> None:
    """A ticket that was taken is good for one response, and whoever took none can take one."""
    of(old, "invited")
    assert (
        old.read("invited", "invitees/?page_size=100")["results"]
        == old.given["invitees"]["results"]
    )
    tickets = [
        old.given["ticket"],
        take_ticket(old.site, old.surveys["invited"], old.given["code"]),
    ]
    for ticket in tickets:
        (sent,) = old.new("invited", 1, [ticket])
        assert [old.send("invited", sent) for _ in range(2)] == [201, 409]


def of(old: Old, name: str) -> None:
    if name not in old.surveys:
        pytest.skip(f"{old.release} had no such survey")


def test_new_responses_are_taken_and_sealed_with_the_old(old: Old) -> None:
    """60 were sealed and 5 waited; of all that is sealed 20 are held."""
    for sent in old.new("everything", 40):
        assert old.send("everything", sent) == 201
    old.site.shell(HOURS_PASS)
    old.site.manage("seal")
    report = old.read("everything", "report/")
    assert (report["n"], report["waiting"]) == (60 + 5 + 40 - 20, 20)
    assert len(old.csv("everything").splitlines()) == 1 + report["n"]


def test_a_survey_that_was_open_takes_answers(old: Old) -> None:
    (sent,) = old.new("reopened")
    assert old.send("reopened", sent) == 201


def test_a_draft_can_be_published_and_a_closed_survey_opened(old: Old) -> None:
    draft, closed = (old.surveys[name]["slug"] for name in ("draft", "closed"))
    confirmed = {"reason": "Since then an author has to say why."}
    assert old.program.post(f"/surveys/{draft}/publish/", confirmed)["status"] == "open"
    assert old.program.post(f"/surveys/{closed}/reopen/")["status"] == "open"
    assert old.send("closed", old.given["sent"]["closed"].encode()) in (200, 201)


def test_owner_and_operator_see_every_page(old: Old) -> None:
    ada = old.person("ada")
    for stored in old.published.values():
        at = f"/surveys/{stored['slug']}/"
        for page in ("", "questions/", "report/", "people/", "files/", "settings/"):
            ada.get(at + page)
        assert {"published it", "prepared it"} & set(
            re.findall(r"\w+ it\b", ada.get(f"{at}settings/"))
        )
    assert all(stored["slug"] in ada.get("/surveys/") for stored in old.surveys.values())
    for page in ("", "surveys/survey/", "surveys/instrument/", "surveys/event/"):
        ada.get(f"/admin/{page}")


def test_colleagues_log_in_and_invitations_hold(old: Old) -> None:
    """grace is an exporter; otto has a code from an app, and follows the open invitation to edit."""
    at = f"/surveys/{old.surveys['everything']['slug']}/"
    assert old.person("grace").get(f"{at}responses.csv").startswith("coins,wheel")
    otto = old.person("otto")
    assert otto.web.get(at).status_code == 404
    otto.post(old.given["invitation"])
    otto.get(at)
