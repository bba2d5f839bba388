"""Write down a database as this program leaves it, so that the programs to come can be tested on it.

    python -m tests.releases.make 0.2.0

How a release adds its own: at its commit, run this with its number and commit the folder that it writes. Nothing in
the folder changes afterwards, and test_previous_releases.py opens it from then on with whatever program there is.

Everything is written by a served site, asked by the same addresses that people and programs use. A folder holds, for
SQLite and for PostgreSQL, `database.sql` and `given.json`: what the site gave out then, and the throw-away secrets with
which to ask the copy again. They open nothing else.
"""

import json
import os
import random
import re
import secrets
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.faults.conftest import Site
from tests.releases.site import Person, Program, messages, set_password, take_ticket
from tests.releases.surveys import EVERYTHING, FILED, INVITED, RECENT, SMALL
from tests.servers import subprocesses
from tests.servers.postgres import Postgres

FOLDER = Path(__file__).resolve().parent
LATER = "2190-01-01T00:00"  # so that the copy does not change with the calendar
# The one thing that no page can do: an invitation ends after days, and this one is to be followed in years.
KEEP = (
    "from surveys.models import Invitation; Invitation.objects.update(expires='2190-01-01T00:00Z')"
)
TRANSLATE = """
from surveys.models import Survey
from tests.factories import surveys
surveys.add_translations(Survey.objects.get(slug={slug!r}), "de")
"""
FILE = "tax,region\n" + "Yes,North\nNo,South\nNo,North\n" * 20


class Maker:
    """Fills a served, empty site. `given` is what a later program must give too."""

    def __init__(self, site: Site) -> None:
        self.site, self.rng = site, random.Random(20)
        key = secrets.token_urlsafe(50)
        site.environment["TICKET_KEY"] = key
        site.start()
        printed = {"ada": site.manage("researcher", "ada", "--operator", "--token")}
        printed |= {name: site.manage("researcher", name) for name in ("grace", "otto")}
        passwords = {name: set_password(site, lines) for name, lines in printed.items()}
        token = next(line.split()[-1] for line in printed["ada"].splitlines() if "token:" in line)
        self.given: dict[str, Any] = {
            "passwords": passwords,
            "token": token,
            "surveys": {},
            "sent": {},
        }
        self.given["ticket_key"] = key
        self.ada = Person(site, "ada", self.given["passwords"]["ada"])
        self.program = Program(site, self.given["token"])

    def fill(self) -> None:
        self.draft("draft", EVERYTHING)
        everything = self.open("everything", EVERYTHING, answers=60)
        self.invite(everything)
        self.answer("everything", 5)
        small = {
            name: self.open(name, SMALL, answers=30) for name in ("paused", "closed", "reopened")
        }
        self.answer("paused", 25)  # as many as are due, and not sealed
        self.program.post(f"/surveys/{small['paused']}/pause/")
        for name in ("closed", "reopened"):
            self.answer(name, 3)
            self.program.post(f"/surveys/{small[name]}/close/")
        self.program.post(f"/surveys/{small['reopened']}/reopen/")
        self.open("scheduled", SMALL, answers=0)
        typed = {"opens": LATER, "closes": "2191-01-01T00:00", "target": "500"}
        self.ada.post(
            f"/surveys/{self.given['surveys']['scheduled']['slug']}/settings/",
            typed | {"part": "dates"},
        )
        self.ada.post(f"/surveys/{small['closed']}/version/")
        self.recent()
        self.invited()
        self.filed()
        self.given["codes"] = {
            "otto": Person(self.site, "otto", self.given["passwords"]["otto"]).set_up_codes()
        }
        self.site.shell(KEEP)

    def recent(self) -> None:
        """A survey of all that came after the first release, whose results are public, and a new version of it."""
        slug = self.open("recent", RECENT, answers=60, languages=True)
        self.program.post(f"/surveys/{slug}/report/drug/candidates/", {"candidates": ["ecstasy"]})
        self.program.post(f"/surveys/{slug}/close/")
        self.site.manage("seal")
        self.program.send("PUT", f"/surveys/{slug}/public/", json={"public": True})
        self.given["surveys"]["next"] = {
            "slug": self.program.post(f"/surveys/{slug}/version/")["slug"],
            "draft": True,
        }

    def invited(self) -> None:
        """Of 30 invited people 26 have a ticket, and 25 have answered; the code of one is not used yet."""
        slug = self.draft("invited", INVITED)
        people = [
            {"label": f"Person {number:02}", "email": f"p{number:02}@example.org"}
            for number in range(30)
        ]
        self.program.post(f"/surveys/{slug}/invitees/", {"people": people})
        self.publish("invited")
        links = self.program.get(f"/surveys/{slug}/invitees/links.csv").text.splitlines()[1:]
        codes = [re.search(r"#([\w-]+)", line)[1].replace("-", "") for line in links]
        tickets = [
            take_ticket(self.site, self.given["surveys"]["invited"], code) for code in codes[:26]
        ]
        self.given["ticket"], self.given["code"] = tickets.pop(), codes[-1]
        self.answer("invited", 25, tickets)
        self.site.manage("seal")

    def filed(self) -> None:
        """Answers from files: one is in the report, another was begun and is not finished."""
        slug = self.draft("filed", FILED)
        sha256 = self.program.post(f"/surveys/{slug}/prepare/")["instrument"]
        self.given["surveys"]["filed"] |= {"draft": False, "sha256": sha256}
        for is_finished in (True, False):
            at = f"/surveys/{slug}/imports/"
            at += f"{self.program.post(at)['id']}/"
            self.program.send(
                "PUT", f"{at}parts/1/", content=FILE.encode(), headers={"Content-Type": "text/csv"}
            )
            if is_finished:
                assert self.program.post(f"{at}finish/", {"parts": 1})["rows"] == 60

    def read_all(self) -> None:
        for found in self.given["surveys"].values():
            found.update(self.read(found["slug"], found["draft"]))
        recent, invited = (self.given["surveys"][name]["slug"] for name in ("recent", "invited"))
        self.given["public"] = json.loads(self.ada.get(f"/r/{recent}/results.json"))
        self.given["candidates"] = self.program.get(
            f"/surveys/{recent}/report/drug/candidates/"
        ).json()
        self.given["invitees"] = self.program.get(
            f"/surveys/{invited}/invitees/?page_size=100"
        ).json()

    def draft(self, name: str, content: dict[str, Any]) -> str:
        slug = self.program.post("/surveys/", {"title": name, **content})["slug"]
        self.given["surveys"][name] = {"slug": slug, "draft": True}
        return slug

    def open(
        self, name: str, content: dict[str, Any], answers: int, languages: bool = False
    ) -> str:
        """An open survey with so many sealed responses."""
        slug = self.draft(name, content)
        if languages:
            self.site.shell(TRANSLATE.format(slug=slug))
        self.publish(name)
        self.answer(name, answers)
        self.site.manage("seal")
        return slug

    def publish(self, name: str) -> None:
        reason = {"reason": "It is to have one of everything that there is."}
        survey = self.given["surveys"][name]
        sha256 = self.program.post(f"/surveys/{survey['slug']}/publish/", reason)["instrument"]
        instrument = self.program.get(f"/surveys/{survey['slug']}/instrument/").text
        survey |= {"draft": False, "sha256": sha256, "instrument": instrument}

    def answer(self, name: str, times: int, tickets: Iterable[str] = ()) -> None:
        """Responses that wait until somebody seals; each with a ticket, where there are any."""
        survey = self.given["surveys"][name]
        for sent in messages(self.site, survey, times, self.rng.randrange(1000), tickets):
            assert self.site.post(f"/api/v1/surveys/{survey['slug']}/responses/", sent)[0] == 201
            self.given["sent"][name] = sent.decode()  # the last one, to send it again

    def invite(self, slug: str) -> None:
        """grace becomes an exporter; another invitation stays open."""
        links = [self._link(slug, role) for role in ("exporter", "editor")]
        Person(self.site, "grace", self.given["passwords"]["grace"]).post(links[0])
        self.given["invitation"] = links[1]

    def _link(self, slug: str, role: str) -> str:
        shown = self.ada.post(f"/surveys/{slug}/people/", {"role": role}).text
        return re.search(r"/surveys/join/[\w-]+/", shown)[0]

    def read(self, slug: str, draft: bool) -> dict[str, Any]:
        at = f"/surveys/{slug}"
        history = self.program.get(f"{at}/history/?page_size=100").json()["results"]
        if draft:
            return {"written": self.program.get(f"{at}/").json(), "history": history}
        parts = {"written": "", "report": "report/", "tallies": "tallies/"}
        found = {name: self.program.get(f"{at}/{part}").json() for name, part in parts.items()}
        return found | {
            "history": history,
            "csv": self.program.get(f"{at}/responses/?format=csv").text,
        }


def make(database: str, temporary: Path, dump: Callable[[], str], folder: Path) -> None:
    """The dump is taken before anything is read, because reading a report seals what is due."""
    site = Site(temporary, database)
    site.manage("migrate", "--verbosity", "0")
    site.manage("collectstatic", "--no-input", "--verbosity", "0")
    maker = Maker(site)
    try:
        maker.fill()
        folder.mkdir(parents=True)
        (folder / "database.sql").write_text(dump())
        maker.read_all()
        (folder / "given.json").write_text(json.dumps(maker.given, ensure_ascii=False) + "\n")
    finally:
        site.kill()


def sqlite(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "site.sqlite3"

        def dump() -> str:
            with sqlite3.connect(path) as connection:
                return "\n".join(connection.iterdump()) + "\n"

        make(f"sqlite:///{path}", Path(temporary), dump, folder)


def postgres(folder: Path) -> None:
    server = Postgres()

    def dump() -> str:
        command = [server.bin / "pg_dump", "--inserts", "--no-owner", "--no-privileges", server.url]
        text = subprocesses.run(command).stdout
        return re.sub(
            r"^\\(un)?restrict .*\n", "", text, flags=re.M
        )  # lines that only psql itself would read

    try:
        with tempfile.TemporaryDirectory() as temporary:
            make(server.url, Path(temporary), dump, folder)
    finally:
        server.remove()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    release = FOLDER / sys.argv[1]
    sqlite(release / "sqlite")
    postgres(release / "postgres")
