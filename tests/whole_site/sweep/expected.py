"""What a sweep may find: expected.toml, which is also a table of docs/threat-model.md.

    python -m tests.whole_site.sweep.expected

This writes the table into the page.
"""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from tests.whole_site.sweep.findings import STAGES, Finding

ROOT = Path(__file__).resolve().parents[3]
FILE = Path(__file__).with_name("expected.toml")
PAGE = ROOT / "docs/threat-model.md"
BEGIN = "<!-- The table of tests/whole_site/sweep/expected.toml begins here. -->\n"
END = "<!-- The table ends here. -->\n"
# How the page says from which stage on something may be in a place.
BEGINNINGS = {
    "answering": "people are invited or answer",
    "sealed": "responses are sealed",
    "tickets finished": "the tickets are finished",
}
HEADING = "| place | from when | what it says about one person | until when |\n| --- | --- | --- | --- |\n"


@dataclass(frozen=True)
class Entry:
    """A place where canaries of some kinds may be found.

    place: the place as the page names it.
    where: patterns of the names that a sweep gives to places.
    kinds: the kinds of canaries.
    first, last: the first and the last stage at which they may be found.
    says: what the place says about one person.
    until: until when it does.
    databases: the databases with which this is so.
    is_served: whether only a site that is served by nginx and gunicorn has this place.
    """

    place: str
    where: tuple[str, ...]
    kinds: tuple[str, ...]
    first: str
    last: str
    says: str
    until: str
    databases: tuple[str, ...]
    is_served: bool

    def allows(self, finding: Finding) -> bool:
        """Return whether canaries like these may be there at this stage, with some database."""
        stages = STAGES[STAGES.index(self.first) : STAGES.index(self.last) + 1]
        is_place = any(fnmatchcase(finding.place, pattern) for pattern in self.where)
        return is_place and finding.kind in self.kinds and finding.stage in stages


def read_entries() -> list[Entry]:
    """Return the entries of expected.toml."""
    entries = []
    for row in tomllib.loads(FILE.read_text())["place"]:
        entries.append(
            Entry(
                place=row["place"],
                where=tuple(row["where"]),
                kinds=tuple(row["kinds"]),
                first=row["from"],
                last=row.get("to", STAGES[-1]),
                says=row["says"],
                until=row["until"],
                databases=tuple(row["databases"]),
                is_served=row.get("served", False),
            )
        )
    return entries


def unexpected_findings(findings: Iterable[Finding], database: str) -> list[Finding]:
    """Return the findings that no entry allows.

    database: "postgresql" or "sqlite".
    """
    entries = [entry for entry in read_entries() if database in entry.databases]
    unexpected = []
    for finding in findings:
        if not any(entry.allows(finding) for entry in entries):
            unexpected.append(finding)
    return unexpected


def needless_permissions(findings_by_database: dict[str, list[Finding]]) -> Iterator[str]:
    """Yield each kind of each entry that was found nowhere, with the place and the database.

    Entries of served sites are left out. What memory holds is a matter of chance.

    findings_by_database: the findings of all sweeps in one process, by their databases.
    """
    for entry in read_entries():
        if entry.is_served:
            continue
        for database in entry.databases:
            allowed = filter(entry.allows, findings_by_database[database])
            for kind in set(entry.kinds) - {finding.kind for finding in allowed}:
                yield f"{entry.place}, {database}: {kind}"


def needless_served_entries(findings: list[Finding]) -> list[str]:
    """Return the places that only served sites have and in which a sweep of one found nothing."""
    served = [entry for entry in read_entries() if entry.is_served]
    return [entry.place for entry in served if not any(map(entry.allows, findings))]


def table() -> str:
    """Return the entries as a table of Markdown."""
    rows = []
    for entry in read_entries():
        cells = (entry.place, BEGINNINGS[entry.first], entry.says, entry.until)
        rows.append(f"| {' | '.join(cells)} |\n")
    return HEADING + "".join(rows)


def page_with_table() -> str:
    """Return docs/threat-model.md with the table as it should be."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page_with_table())
