"""The three surveys of a life, with canaries in all that people send to them.

Only invited people answer the first survey, anyone answers the second one, and the third one takes
its responses from a file.
"""

import json
import random
import secrets
import uuid
from typing import NamedTuple, Protocol

from django.contrib.auth.models import User

from features.response_import.tests.import_files import csv
from features.shared_reports import links
from features.webhooks import subscriptions
from features.webhooks.signatures import secret
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.records import encode
from surveys.fieldwork.tickets.codes import code_of, format_code
from surveys.fieldwork.tickets.invitees import Row, invite
from surveys.fieldwork.tickets.protocol import (
    BLINDED_LETTERS,
    NONCE_BYTES,
    TICKET_LETTERS,
    decode_base64url,
    spent_key,
)
from surveys.models import Instrument, Invitee, Occasion, Survey
from tests.factories.import_surveys import create_import_survey
from tests.factories.surveys import add_choice, add_yes_no, create_draft, publish_survey
from tests.helpers.ticket_device import blinded_ticket_for
from tests.whole_site.sweep.canaries import Canaries

# The names of the surveys, and of what belongs to the site as a whole.
INVITED = "invited"
OPEN = "open"
IMPORTED = "imported"
SITE = ""
# People who are invited and do not answer.
SILENT = 5
# A report can be shared from 40 responses on, by at most 20 links at a time.
LEAST_SHARED = 40
MOST_LINKS = 20
# The bytes of long values that are planted. A value may stand there cut off.
PLANTED_BYTES = 48


class Answer(NamedTuple):
    """The answer to a request: its status and its document."""

    status: int
    document: dict


class Site(Protocol):
    """A site to which requests are sent.

    owner: the owner of the surveys.
    token_headers: the headers of a program that has a token of the owner.
    """

    canaries: Canaries
    owner: User
    token_headers: dict[str, str]

    def request(
        self,
        method: str,
        path: str,
        content: dict | bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """Send a request, with a JSON document or a part of a file, and return the answer."""

    def kill_worker(self, path: str, content: dict, headers: dict[str, str]) -> None:
        """Kill a worker of the web server while it handles a response."""


class Person(NamedTuple):
    """Someone who is invited, with the headers of their requests."""

    invitee: Invitee
    code: str
    headers: dict[str, str]


def random_bits(length: int) -> str:
    """Return the report of a question with this number of choices."""
    return "".join(random.choice("01") for _ in range(length))


def add_questions(survey: Survey) -> None:
    """Add two questions, the second one with so many choices that all reports to it differ."""
    add_yes_no(survey)
    add_choice(survey, "many", labels=[f"c{number}" for number in range(100)])


def create_reports() -> dict:
    """Return random reports for the questions of add_questions()."""
    return {"tax": random.randint(0, 1), "many": random_bits(100)}


def plant_reports(canaries: Canaries, instrument: Instrument, reports: dict, survey: str) -> None:
    """Plant reports as they are sent, and as they are stored."""
    canaries.plant("record", encode(parse_instrument(instrument), reports), survey)
    canaries.plant("reports", json.dumps(reports), survey)
    canaries.plant("reports", reports["many"], survey)


def create_headers(canaries: Canaries) -> dict[str, str]:
    """Return the headers of the requests of one person."""
    address = f"2001:db8:{secrets.token_hex(2)}:{secrets.token_hex(2)}::{secrets.token_hex(2)}"
    agent = f"Canary/{secrets.token_hex(6)}"
    canaries.plant("client address", address)
    canaries.plant("user agent", agent)
    return {"X-Forwarded-For": address, "User-Agent": agent}


class InvitedSurvey:
    """A survey that only invited people answer, each with a ticket."""

    def __init__(self, site: Site) -> None:
        """Publish the survey."""
        self.site = site
        self.canaries = site.canaries
        survey = create_draft(site.owner, title=self._plant_text("Title"), tickets="one")
        add_questions(survey)
        add_choice(survey, "labelled", labels=[self._plant_text("Choice") for _ in range(40)])
        self.instrument = publish_survey(survey)
        self.path = f"/api/v1/surveys/{survey.slug}/"

    def _plant_text(self, word: str) -> str:
        """Return a text of the survey that begins with this word."""
        text = f"{word} {secrets.token_hex(6)} ë"
        self.canaries.plant("survey text", text, INVITED)
        return text

    def survey(self) -> Survey:
        """Return the survey as the database has it now."""
        return Survey.objects.get(pk=self.instrument.survey_id)

    def add_webhooks(self, receiver: str, number: int) -> None:
        """Add webhooks, at most as many as a survey may have, and read their secrets.

        receiver: the address to which they are sent.
        """
        for index in range(min(subscriptions.MOST, number)):
            webhook = subscriptions.add(
                survey=self.survey(),
                by=self.site.owner,
                url=f"{receiver}{index}",
                events=Occasion.values,
            )
            self.canaries.plant("webhook secret", secret(webhook), INVITED)
            path = f"{self.path}webhooks/{webhook.pk}/"
            assert self.site.request("GET", path, headers=self.site.token_headers).status == 200

    def invite(self, number: int) -> list[Person]:
        """Invite people, a few of whom will not answer, and return those who will."""
        rows = []
        for _ in range(number + SILENT):
            label = f"Zoë Canary {secrets.token_hex(5)}"
            rows.append(Row(label, f"{secrets.token_hex(6)}@canary.example"))
        people = []
        for invitee in invite(self.survey(), rows):
            code = code_of(invitee)
            self.canaries.plant("name", invitee.label, INVITED)
            self.canaries.plant("e-mail", invitee.email, INVITED)
            self.canaries.plant("access code", code, INVITED)
            self.canaries.plant("access code", format_code(code), INVITED)
            self.canaries.plant("code digest", bytes.fromhex(invitee.digest), INVITED)
            self.canaries.plant("invitee id", invitee.pk.bytes, INVITED)
            headers = create_headers(self.canaries)
            people.append(Person(invitee=invitee, code=code, headers=headers))
        return people[:number]

    def answer(self, person: Person, *, is_killed: bool) -> None:
        """Take a ticket and answer at once.

        is_killed: whether the worker that answers first is killed. The device then tries again.
        """
        ticket = self._take_ticket(person)
        reports = create_reports() | {"labelled": random_bits(40)}
        plant_reports(self.canaries, self.instrument, reports, INVITED)
        content = {"instrument": self.instrument.sha256, "ticket": ticket, "reports": reports}
        path = f"{self.path}responses/"
        if is_killed:
            self.site.kill_worker(path, content, person.headers)
        answer = self.site.request("POST", path, content, headers=person.headers)
        assert answer.status == 201, answer

    def _take_ticket(self, person: Person) -> str:
        """Take a ticket, and return it."""
        blinded = blinded_ticket_for(self.instrument)
        self.canaries.plant("nonce", blinded.nonce, INVITED)
        blinded_bytes = decode_base64url(blinded.blinded, BLINDED_LETTERS)
        self.canaries.plant("blinded text", blinded_bytes[:PLANTED_BYTES], INVITED)
        content = {"code": person.code, "blinded": blinded.blinded}
        path = f"{self.path}tickets/"
        answer = self.site.request("POST", path, content, headers=person.headers)
        assert answer.status == 200, answer
        ticket = blinded.ticket(answer.document["signed"])
        ticket_bytes = decode_base64url(ticket, TICKET_LETTERS)
        signature = ticket_bytes[NONCE_BYTES:]
        self.canaries.plant("ticket", signature[:PLANTED_BYTES], INVITED)
        self.canaries.plant("ticket key", spent_key(ticket_bytes).bytes, INVITED)
        return ticket

    def share_report(self) -> None:
        """Share the report by the most links that a survey may have, and open each of them."""
        for _ in range(MOST_LINKS):
            _, link_secret = links.create(survey=self.survey(), by=self.site.owner)
            self.canaries.plant("secret of a link", link_secret, INVITED)
            assert self.site.request("GET", f"/r/link/{link_secret}/").status == 200


class OpenSurvey:
    """A survey that anyone answers."""

    def __init__(self, site: Site) -> None:
        """Publish the survey."""
        self.site = site
        survey = create_draft(site.owner)
        add_questions(survey)
        self.instrument = publish_survey(survey)
        self.path = f"/api/v1/surveys/{survey.slug}/responses/"

    def answer(self) -> None:
        """Send one response."""
        canaries = self.site.canaries
        key = uuid.uuid4()
        canaries.plant("response key", key.bytes, OPEN)
        reports = create_reports()
        plant_reports(canaries, self.instrument, reports, OPEN)
        content = {"instrument": self.instrument.sha256, "key": str(key), "reports": reports}
        headers = create_headers(canaries)
        answer = self.site.request("POST", self.path, content, headers=headers)
        assert answer.status == 201, answer


class ImportedSurvey:
    """A survey that takes its responses from a file.

    Of a file that arrives, the site keeps the beginning of the row that was cut off, and of a file
    with mistakes the texts that are wrong.
    """

    def __init__(self, site: Site) -> None:
        """Prepare the survey for import."""
        self.site = site
        survey = create_import_survey(site.owner)
        self.path = f"/api/v1/surveys/{survey.slug}/imports/"

    def begin(self, number: int) -> None:
        """Send half of a file with this number of rows, and a file with mistakes."""
        remarks = [self._plant_cell() for _ in range(number)]
        rows = [f"{remark},{index % 2},010,North,30" for index, remark in enumerate(remarks)]
        content = csv(*rows, header="remark,tax,fruit,region,age")
        # The first half ends three bytes after a remark, in the middle of its row.
        remark = remarks[number // 2].encode()
        cut = content.index(remark) + len(remark) + 3
        self.rest = content[cut:]
        self.good_file = self._begin_file()
        assert self._send_part(self.good_file, 1, content[:cut]).document["state"] == "taking"

        wrong_rows = [f"1,010,North,{self._plant_cell()}" for _ in range(number)]
        self.wrong_file = self._begin_file()
        answer = self._send_part(self.wrong_file, 1, csv(*wrong_rows))
        assert answer.document["state"] == "wrong", answer

    def finish(self) -> None:
        """Import the whole good file, and cancel the import of the wrong one."""
        headers = self.site.token_headers
        assert self._send_part(self.good_file, 2, self.rest).document["state"] == "taking"
        path = f"{self.good_file}finish/"
        answer = self.site.request("POST", path, {"parts": 2}, headers=headers)
        assert answer.document["state"] == "done", answer
        assert self.site.request("DELETE", self.wrong_file, headers=headers).status == 204

    def _plant_cell(self) -> str:
        """Return a text for a cell of a file."""
        text = f"Zoë {secrets.token_hex(5)}"
        self.site.canaries.plant("cell of an import", text, IMPORTED)
        return text

    def _begin_file(self) -> str:
        """Begin an import, and return its address."""
        content = {"mapping": {"questions": {"age": {"as": "labels"}}}}
        answer = self.site.request("POST", self.path, content, headers=self.site.token_headers)
        assert answer.status == 201, answer
        return f"{self.path}{answer.document['id']}/"

    def _send_part(self, file: str, number: int, data: bytes) -> Answer:
        """Send a part of a file."""
        path = f"{file}parts/{number}/"
        return self.site.request("PUT", path, data, headers=self.site.token_headers)
