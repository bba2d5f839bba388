"""What somebody finds out about one respondent who has the whole database: every cell, the order in which rows lie, a
dump, the files. docs/threat-model.md says it in words, line by line.

The thief of these tests is helped as much as possible: each respondent sends the number of their turn, as it is, and
every word that could name them stands in the request.
"""

import hashlib
import json
import re
import sqlite3
import uuid
from collections.abc import Iterator
from datetime import UTC, date, datetime
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest

from surveys.fieldwork.tickets.codes import digest
from surveys.fieldwork.tickets.protocol import (
    BLINDED_LETTERS,
    TICKET_LETTERS,
    decode_base64url,
    spent_key,
)
from tests.factories.surveys import REPORTS
from tests.faults.conftest import Site, migrated_database, migrated_file
from tests.helpers import ticket_device
from tests.servers import subprocesses
from tests.servers.postgres import Postgres

N = 240
TRACES = ("203.0.113.9", "Zanzibar/7.3", "fr-CH", "an-invitation", "an-old-session")
HEADERS = {
    "Content-Type": "application/json",
    "X-Forwarded-For": TRACES[0],
    "User-Agent": TRACES[1],
    "Accept-Language": TRACES[2],
    "Referer": f"https://survey.example.org/{TRACES[3]}",
    "Cookie": f"sessionid={TRACES[4]}",
}
# Everything that is kept about responses: in the inbox, in batches, and in the running tally of an instrument.
KEPT = {
    "surveys_inboxkey": {"id", "public", "is_current"},
    "surveys_response": {"key", "instrument_id", "record", "inbox_key_id", "sealed_on"},
    "surveys_held": {"id", "instrument_id", "n", "records"},
    "surveys_batch": {"id", "instrument_id", "n", "records"},
    "surveys_cut": {"instrument_id", "on", "n", "starts", "cells", "layers"},
    "surveys_instrument": {
        *(
            "id",
            "survey_id",
            "sha256",
            "content",
            "tally",
            "likeliest",
            "waiting",
            "looked",
            "wiped",
            "released_on",
        ),
        *("deleted_on", "short_names", "nones", "values"),
    },
}
MAKE = """
from surveys.models import Question
from tests.factories.surveys import publish_survey
from tests.factories import surveys
survey = surveys.create_draft(surveys.create_researcher("ada"))
surveys.add_choice(survey, "many", labels=[f"choice {number}" for number in range(100)])
Question.objects.create(
    survey=survey, key="turn", kind="number", position=2, text="Your turn?", minimum=0, maximum=999
)
instrument = publish_survey(survey)
print(survey.slug, instrument.sha256)
"""
READ = """
import json
from surveys.fieldwork.responses.records import decode
from surveys.models import Instrument
from surveys.definition.parsing import parse_instrument
instrument = Instrument.objects.get()
stored = [*instrument.batches.order_by("pk"), *instrument.held.order_by("pk")]
definition = parse_instrument(instrument)
decoded = [decode(definition, bytes(part.records)) for part in stored]
print(json.dumps([int(turn) for records in decoded for turn in records["turn"]]))
"""


DECRYPT = """
from surveys.fieldwork.responses.inbox_encryption import PrivateKeys
from surveys.models import Response
for response in Response.objects.all():
    record = PrivateKeys().decrypt(response.inbox_key_id, response.pk, bytes(response.record))
    response.record, response.inbox_key = record, None
    response.save()
"""


class Stolen:
    """A database in which N respondents have answered one after the other."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.slug, self.sha256 = site.shell(MAKE).split()
        self.sent: list[tuple[uuid.UUID, str]] = []  # key and marks, in order of arrival
        self.began = datetime.now(UTC)

    def answer(self, times: int) -> None:
        connection = HTTPConnection("127.0.0.1", self.site.port, timeout=60)
        rng = np.random.default_rng(len(self.sent))
        for _ in range(times):
            key, marks = uuid.uuid4(), "".join(map(str, rng.integers(0, 2, 100)))
            reports = {"many": marks, "turn": len(self.sent)}
            body = json.dumps({"instrument": self.sha256, "key": str(key), "reports": reports})
            connection.request(
                "POST", f"/api/v1/surveys/{self.slug}/responses/?from={TRACES[3]}", body, HEADERS
            )
            answer = connection.getresponse()
            assert (answer.status, answer.read()) == (201, b'{"status": "recorded"}')
            self.sent.append((key, marks))
        connection.close()

    @property
    def is_postgres(self) -> bool:
        return self.site.database.startswith("postgres")

    @property
    def file(self) -> Path:
        return Path(self.site.database.removeprefix("sqlite:///"))

    def raw(self) -> bytes:
        """SQLite's file, its write-ahead log and its index of that."""
        return b"".join(path.read_bytes() for path in self.file.parent.glob(f"{self.file.name}*"))

    def ask(self, statement: str) -> list[tuple]:
        """Any SQL at all, as the owner of the database may say it."""
        if self.is_postgres:
            with psycopg.connect(self.site.database) as connection:
                return connection.execute(statement).fetchall()
        connection = sqlite3.connect(self.file)
        try:
            return connection.execute(statement).fetchall()
        finally:
            connection.close()

    def tables(self) -> dict[str, set[str]]:
        """Table -> columns."""
        if self.is_postgres:
            columns = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
        else:
            columns = "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'"
        found: dict[str, set[str]] = {}
        for table, column in self.ask(columns):
            found.setdefault(table, set()).add(column)
        return found

    def cells(self, without: str = "") -> Iterator[Any]:
        for table in self.tables().keys() - {without}:
            for row in self.ask(f'SELECT * FROM "{table}"'):
                yield from row

    def dump(self, folder: Path) -> str:
        if not self.is_postgres:
            connection = sqlite3.connect(self.file)
            text = "\n".join(connection.iterdump())
            connection.close()
            return text
        command = [folder / "pg_dump", "--inserts", self.site.database]
        return subprocesses.run(command).stdout

    def turns(self) -> np.ndarray:
        """The respondents' turns in the order in which their records lie in the batches, and in what is held."""
        return np.array(json.loads(self.site.shell(READ)))


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def stolen(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Stolen]:
    """Answered in two parts, each sealed and released, as at two turns of the timer in different hours."""
    folder = tmp_path_factory.mktemp("stolen")
    is_postgres = request.param == "postgres"
    database = (
        migrated_database(request.getfixturevalue("postgres"), folder)
        if is_postgres
        else migrated_file(folder)
    )
    site = Site(folder, database)
    site.start()
    stolen = Stolen(site)
    for _ in range(2):
        stolen.answer(N // 2)
        site.manage("seal")
        site.shell(
            "from surveys.models import Instrument; Instrument.objects.update(looked='2020-01-01T00:00Z')"
        )
    site.kill()
    return stolen


def rank_correlation(turns: np.ndarray) -> float:
    return float(np.corrcoef(turns, np.arange(len(turns)))[0, 1])


def test_only_what_is_on_the_list_is_kept(stolen: Stolen) -> None:
    """20. And nothing else in the database points at a response or a batch."""
    tables = stolen.tables()
    assert {name: tables[name] for name in KEPT} == KEPT
    for table in tables.keys() - KEPT.keys():
        assert not {"response_id", "response_key", "batch_id"} & tables[table], table


def test_nothing_of_who_sent_a_response_is_in_any_cell(stolen: Stolen, postgres: Postgres) -> None:
    """20. Nor in a dump."""
    everything = repr(list(stolen.cells())) + stolen.dump(postgres.bin)
    assert not [trace for trace in TRACES if trace in everything]


def test_no_cell_holds_a_time_from_while_people_answered(stolen: Stolen) -> None:
    """20. None anywhere holds a time from while they answered; of sealing the day, of its timer the last turn."""
    cells = [*stolen.cells(without="surveys_run")]
    assert stolen.ask("SELECT command FROM surveys_run") == [("seal",)]
    times = [cell for cell in cells if isinstance(cell, datetime)]
    texts = [
        cell
        for cell in cells
        if isinstance(cell, str) and re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d", cell)
    ]
    times += [datetime.fromisoformat(text).replace(tzinfo=UTC) for text in texts]
    assert times  # of the survey, of its author
    assert not [time for time in times if time >= stolen.began]
    assert {str(day) for (day,) in stolen.ask("SELECT sealed_on FROM surveys_response")} == {
        str(date.today())
    }


def test_records_lie_in_no_order_of_arrival(stolen: Stolen) -> None:
    """20. The rows are all there, in an order that has nothing to do with the one in which they came."""
    turns = stolen.turns()
    assert sorted(turns) == list(range(N))
    assert abs(rank_correlation(turns)) < 4 / N**0.5
    follow = int(np.sum(np.diff(turns) == 1))  # one is expected by chance
    assert follow < 12
    first_half = turns < N // 2  # sealed before the others came, and mixed with them since
    assert 0 < int(np.sum(first_half[: N // 2])) < N // 2


def test_keys_lead_to_no_record(stolen: Stolen) -> None:
    """20. For a day the bare keys lie in some order of arrival, and no record beside any of them."""
    place = "ctid::text || ' ' || xmin::text" if stolen.is_postgres else "rowid"
    rows = stolen.ask(f"SELECT {place}, key, record FROM surveys_response ORDER BY 1")
    assert len(rows) == N
    assert {record for _, _, record in rows} == {None}
    sealed = stolen.ask(
        "SELECT records FROM surveys_batch UNION ALL SELECT records FROM surveys_held"
    )
    held = b"".join(bytes(records) for (records,) in sealed)
    assert len(held) == N * (13 + 2)  # 100 marks and the turn: no byte more for each response
    assert not [key for key, _ in stolen.sent if key.bytes in held or key.hex.encode() in held]
    if stolen.is_postgres:
        assert (
            len({place.split()[1] for place, _, _ in rows}) <= 2
        )  # one transaction for each time of sealing


def test_a_dump_says_no_more(stolen: Stolen, postgres: Postgres) -> None:
    """20. A row of the inbox in a dump has the key, the instrument and a day; no record stands next to any key."""
    dump = stolen.dump(postgres.bin)
    lines = [
        line
        for line in dump.splitlines()
        if "surveys_response" in line and line.startswith("INSERT")
    ]
    assert len(lines) == N
    assert all("NULL" in line for line in lines)
    assert not beside(stolen, dump.encode())


def test_files_say_no_more(stolen: Stolen) -> None:
    """20. Neither free space in SQLite's file nor its write-ahead log keeps a record beside its key."""
    if stolen.is_postgres:
        pytest.skip("dead rows of PostgreSQL stay in its files until it vacuums: a stated limit")
    assert stolen.sent[0][0].hex.encode() in stolen.raw()
    assert not beside(stolen, stolen.raw())


def beside(stolen: Stolen, raw: bytes) -> list[uuid.UUID]:
    """Keys that stand within a few bytes of their record, as they do while it waits."""
    found = []
    for key, marks in stolen.sent:
        packed = int(marks.ljust(104, "0"), 2).to_bytes(13, "big")
        records = (packed, packed.hex().encode(), packed.hex().upper().encode())
        names = (key.hex.encode(), str(key).encode(), key.bytes)
        places = [match.start() for name in names for match in re.finditer(re.escape(name), raw)]
        if any(
            record in raw[max(0, place - 100) : place + 160]
            for place in places
            for record in records
        ):
            found.append(key)
    return found


def test_keys_are_gone_after_a_day(stolen: Stolen) -> None:
    """20. The last of these tests, because it changes what the others look at."""
    stolen.site.shell(
        "from surveys.models import Response; Response.objects.update(sealed_on='2020-01-01')",
    )
    stolen.site.manage("seal")
    assert stolen.ask("SELECT count(*) FROM surveys_response") == [(0,)]
    everything = repr(list(stolen.cells()))
    assert not [key for key, _ in stolen.sent if str(key) in everything or key.hex in everything]


def test_while_it_waits_a_response_is_encrypted_beside_its_key(
    site: Site, postgres: Postgres
) -> None:
    """20. Its key stands in the order of arrival, which is a stated limit; its record cannot be read."""
    site.start()
    stolen = Stolen(site)
    stolen.answer(30)
    site.kill()
    assert not beside(stolen, stolen.dump(postgres.bin).encode())
    if not stolen.is_postgres:
        assert not beside(stolen, stolen.raw())
    order = "ctid" if stolen.is_postgres else "rowid"
    found = stolen.ask(f"SELECT key FROM surveys_response ORDER BY {order}")
    assert [uuid.UUID(str(key)) for (key,) in found] == [key for key, _ in stolen.sent]


def test_search_finds_records_as_an_earlier_version_stored_them(
    site: Site, postgres: Postgres
) -> None:
    """Proof that the search of these tests finds what is there to find."""
    site.start()
    stolen = Stolen(site)
    stolen.answer(30)
    site.kill()
    site.shell(DECRYPT)
    assert len(beside(stolen, stolen.dump(postgres.bin).encode())) == 30
    if not stolen.is_postgres:
        assert len(beside(stolen, stolen.raw())) == 30


def test_key_of_a_copy_from_before_a_sealing_is_gone_after_it(
    site: Site, postgres: Postgres
) -> None:
    """20. No backup, log or dead row of the inbox can be read any more, wherever it was copied."""
    site.start()
    stolen = Stolen(site)
    stolen.answer(19)
    site.manage("backup", str(site.folder))
    stolen.answer(5)
    site.kill()
    before = stolen.ask("SELECT DISTINCT inbox_key_id FROM surveys_response")
    names = {uuid.UUID(str(key)).hex for (key,) in before}
    folder = site.folder / "inbox-keys"
    assert names <= {file.name for file in folder.iterdir()}
    private_keys = [(folder / name).read_bytes() for name in names]

    site.manage("seal")

    left = [file.read_bytes() for file in folder.iterdir()]
    assert names.isdisjoint(file.name for file in folder.iterdir())
    assert not [key for key in private_keys if any(key in content for content in left)]
    (backup,) = site.folder.glob("candor-20*")
    assert not [key for key in private_keys if key in backup.read_bytes()]
    if not stolen.is_postgres:
        assert not [key for key in private_keys if key in stolen.raw()]


def test_closing_leaves_nothing_in_sqlites_files(tmp_path: Path) -> None:
    """20. Also for the few that are sealed only then, below the usual minimum."""
    site = Site(tmp_path, migrated_file(tmp_path))
    site.start()
    stolen = Stolen(site)
    stolen.answer(7)
    site.kill()
    close = "from surveys.fieldwork.responses.closing import close_survey; from surveys.models import Survey;"
    site.shell(f"{close} close_survey(Survey.objects.get())")
    assert sorted(stolen.turns()) == list(range(7))
    assert not beside(stolen, stolen.raw())


INVITED = 40
SIDES = ("surveys_invitee", "surveys_fetched", "surveys_response")
MAKE_TICKETS = """
from tests.helpers.ticket_device import survey_with_tickets
from surveys.definition.parsing import parse_instrument
instrument, codes = survey_with_tickets({steps!r}, {people})
print(parse_instrument(instrument).survey, instrument.sha256, parse_instrument(instrument).tickets.n, *codes)
"""


class StolenTickets(Stolen):
    """One of a survey whose people each took a ticket and answered at once, one after the other: the worst there is."""

    def __init__(self, site: Site, people: int = INVITED) -> None:
        self.site = site
        made = site.shell(MAKE_TICKETS.format(steps="one", people=people))
        self.slug, self.sha256, self.modulus, *self.codes = made.split()
        self.people: list[
            tuple[str, str, uuid.UUID]
        ] = []  # invitee, digest of what was signed, key: in order

    def come(self) -> None:
        invitees = {
            digest: uuid.UUID(str(pk)).hex
            for pk, digest in self.ask("SELECT id, digest FROM surveys_invitee")
        }
        for code in self.codes:
            drawn = ticket_device.create_blinded_ticket(self.slug, self.modulus)
            asked = json.dumps({"code": code, "blinded": drawn.blinded}).encode()
            status, _, answer = self.site.post(f"/api/v1/surveys/{self.slug}/tickets/", asked)
            assert status == 200
            ticket = drawn.ticket(answer["signed"])
            body = {"instrument": self.sha256, "reports": REPORTS, "ticket": ticket}
            assert (
                self.site.post(
                    f"/api/v1/surveys/{self.slug}/responses/", json.dumps(body).encode()
                )[0]
                == 201
            )
            signed = hashlib.sha256(decode_base64url(drawn.blinded, BLINDED_LETTERS)).hexdigest()
            self.people.append(
                (
                    invitees[digest(code)],
                    signed,
                    spent_key(decode_base64url(ticket, TICKET_LETTERS)),
                )
            )

    @property
    def place(self) -> str:
        return "ctid" if self.is_postgres else "rowid"

    def fetchers(self) -> list[int]:
        """Whose turn each row of `surveys_fetched` is, in the order in which the rows lie."""
        turns = {invitee: turn for turn, (invitee, _, _) in enumerate(self.people)}
        rows = self.ask(f"SELECT invitee_id FROM surveys_fetched ORDER BY {self.place}")
        return [turns[uuid.UUID(str(pk)).hex] for (pk,) in rows]

    def answerers(self) -> list[int]:
        """The same of the inbox."""
        turns = {key.hex: turn for turn, (_, _, key) in enumerate(self.people)}
        rows = self.ask(f"SELECT key FROM surveys_response ORDER BY {self.place}")
        return [turns[uuid.UUID(str(key)).hex] for (key,) in rows]


def parallel(first: list[int], second: list[int]) -> int:
    """How many people have the same place in both orders; one by chance."""
    return sum(one == other for one, other in zip(first, second, strict=True))


def in_no_order(turns: list[int]) -> bool:
    return (
        sorted(turns) == list(range(INVITED))
        and abs(rank_correlation(np.array(turns))) < 4.5 / INVITED**0.5
    )


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def tickets(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[StolenTickets]:
    folder = tmp_path_factory.mktemp("tickets")
    is_postgres = request.param == "postgres"
    database = (
        migrated_database(request.getfixturevalue("postgres"), folder)
        if is_postgres
        else migrated_file(folder)
    )
    site = Site(folder, database)
    site.start()
    stolen = StolenTickets(site)
    stolen.come()
    before = stolen.fetchers(), stolen.answerers()
    if is_postgres:  # a stated limit, and proof that what is looked for would be found
        assert before == ([*range(INVITED)], [*range(INVITED)])
    site.kill()
    site.manage("seal")
    return stolen


def test_no_order_of_rows_leads_from_a_ticket_to_a_response(tickets: StolenTickets) -> None:
    """31. Neither `ctid`, `rowid` nor `xmin`: all rows of a kind were written by one transaction, in random order."""
    fetchers, answerers = tickets.fetchers(), tickets.answerers()
    assert in_no_order(fetchers)
    assert in_no_order(answerers)
    assert parallel(fetchers, answerers) < 8
    if tickets.is_postgres:
        for table in ("surveys_fetched", "surveys_response"):
            assert len(tickets.ask(f"SELECT DISTINCT xmin::text FROM {table}")) == 1


def test_no_column_and_no_cell_joins_a_ticket_to_a_response(tickets: StolenTickets) -> None:
    """31. No time, no reference, and no value that stands on both sides."""
    tables = tickets.tables()
    of_people = {
        "id",
        "survey_id",
        "digest",
        "label",
        "email",
        "generation",
        "allowed",
        "mailed",
        "withdrawn",
    }
    assert tables["surveys_invitee"] == of_people
    assert tables["surveys_fetched"] == {"id", "invitee_id", "number", "blinded"}
    assert tables["surveys_issuer"] == {
        "survey_id",
        "modulus",
        "private",
        "mixed",
        "counted",
        "finished",
    }
    sides = [
        {str(cell) for row in tickets.ask(f"SELECT * FROM {name}") for cell in row}
        for name in SIDES
    ]
    shared = {cell for cell in sides[0] | sides[1] if cell in sides[2]}
    assert shared <= {"None", "0", "1"}
    assert {
        (record, day)
        for record, day in tickets.ask("SELECT record, sealed_on FROM surveys_response")
    } == {(None, None)}
    everything = repr(list(tickets.cells()))
    assert not [code for code in tickets.codes if code in everything]


def test_a_dump_joins_no_ticket_to_a_response(tickets: StolenTickets, postgres: Postgres) -> None:
    """31. Its lines come in the order of the rows, and no line has both."""
    dump = tickets.dump(postgres.bin)
    fetched = [
        line
        for line in dump.splitlines()
        if line.startswith("INSERT") and "surveys_fetched" in line
    ]
    spent = [
        line
        for line in dump.splitlines()
        if line.startswith("INSERT") and "surveys_response" in line
    ]
    assert (len(fetched), len(spent)) == (INVITED, INVITED)
    signed = [signed for _, signed, _ in tickets.people]
    keys = [key for _, _, key in tickets.people]
    first = [next(turn for turn, text in enumerate(signed) if text in line) for line in fetched]
    second = [
        next(turn for turn, key in enumerate(keys) if str(key) in line or key.hex in line)
        for line in spent
    ]
    assert in_no_order(first)
    assert in_no_order(second)
    assert parallel(first, second) < 8


def test_files_join_no_ticket_to_a_response(tickets: StolenTickets) -> None:
    """31. Not in SQLite's free pages, nor in its write-ahead log, does anything lie in the order in which it came."""
    if tickets.is_postgres:
        pytest.skip("dead rows of PostgreSQL stay in its files until it vacuums: a stated limit")
    raw = tickets.raw()
    for column in (1, 2):
        texts = [
            one[column] if isinstance(one[column], str) else one[column].hex
            for one in tickets.people
        ]
        places = [[match.start() for match in re.finditer(text.encode(), raw)] for text in texts]
        assert all(places)
        for pick in (min, max):
            assert in_no_order(np.argsort([pick(each) for each in places]).tolist())
