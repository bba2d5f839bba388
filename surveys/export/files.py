"""The list of files that can be had of a published survey, the same in workspace, API and on the command line."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from surveys.ballots.reader import released
from surveys.export.bundle import as_zip, pretty
from surveys.export.codebook import as_markdown, codebook
from surveys.export.parquet import as_parquet
from surveys.export.scripts.r import r_script
from surveys.export.scripts.spss import spss_syntax
from surveys.export.scripts.stata import stata_do
from surveys.export.text import as_csv, as_json_lines
from surveys.models import Instrument
from surveys.publishing.instruments import paper
from surveys.reporting.subgroups import filterable


@dataclass(frozen=True)
class File:
    """`write` gives the pieces of the file one after the other. `has_rows`: it holds responses.

    Whoever may read the report may have a file without rows.
    """

    name: str
    title: str
    media_type: str
    write: Callable[[Instrument], Iterator[bytes]]
    has_rows: bool = False


def _encoded(pieces: Iterator[str]) -> Iterator[bytes]:
    return (piece.encode() for piece in pieces)


def _whole(make: Callable[[Instrument], str]) -> Callable[[Instrument], Iterator[bytes]]:
    return lambda instrument: iter([make(instrument).encode()])


def in_report(instrument: Instrument) -> int:
    """How many responses the files hold."""
    return released(instrument).tally["n"]


def _told(instrument: Instrument) -> dict:
    """What a codebook tells of the responses to people without the right to rows: nothing of background answers, nor
    of whom they had a question asked."""
    tally, frozen = released(instrument).tally, paper(instrument)
    hidden = {item.key: None for item in filterable(frozen) if item.key in frozen.optional}
    hidden |= dict.fromkeys(frozen.conditional)
    return tally | ({"answered": tally.get("answered", {}) | hidden} if hidden else {})


FILES = (
    File(
        "everything.zip",
        "Everything below in one file, with the report",
        "application/zip",
        as_zip,
        has_rows=True,
    ),
    File(
        "responses.csv",
        "Responses as CSV: codes, and strings of marks",
        "text/csv; charset=utf-8",
        lambda instrument: _encoded(as_csv(instrument)),
        has_rows=True,
    ),
    File(
        "responses-excel.csv",
        "Responses as CSV for spreadsheets: labels instead of codes",
        "text/csv; charset=utf-8",
        lambda instrument: _encoded(as_csv(instrument, labels=True, bom=True)),
        has_rows=True,
    ),
    File(
        "responses.jsonl",
        "Responses as JSON Lines",
        "application/jsonl",
        lambda instrument: _encoded(as_json_lines(instrument)),
        has_rows=True,
    ),
    File(
        "responses.parquet",
        "Responses as Parquet, with the instrument inside",
        "application/vnd.apache.parquet",
        as_parquet,
        has_rows=True,
    ),
    File(
        "codebook.md",
        "Codebook for reading",
        "text/markdown; charset=utf-8",
        _whole(lambda instrument: as_markdown(paper(instrument), _told(instrument))),
    ),
    File(
        "codebook.json",
        "Codebook for programs",
        "application/json",
        _whole(lambda instrument: pretty(codebook(paper(instrument), _told(instrument)))),
    ),
    File(
        "analysis.R",
        "R script that computes the report from the CSV",
        "text/plain; charset=utf-8",
        _whole(lambda instrument: r_script(paper(instrument))),
    ),
    File(
        "import.sps",
        "SPSS syntax that reads the CSV, with labels",
        "text/plain; charset=utf-8",
        _whole(lambda instrument: spss_syntax(paper(instrument))),
    ),
    File(
        "import.do",
        "Stata do-file that reads the CSV, with labels",
        "text/plain; charset=utf-8",
        _whole(lambda instrument: stata_do(paper(instrument))),
    ),
)


def find_file(name: str) -> File | None:
    return next((file for file in FILES if file.name == name), None)
