"""All files in one zip, from one reading of the rows, so that they agree with each other whatever happens meanwhile."""

import json
import zipfile
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO

from surveys.ballots.reader import released
from surveys.ballots.records import add_up, tally
from surveys.export.codebook import as_markdown, codebook
from surveys.export.parquet import ParquetStream
from surveys.export.rows import decoded
from surveys.export.scripts.r import r_script
from surveys.export.scripts.spss import spss_syntax
from surveys.export.scripts.stata import stata_do
from surveys.export.sink import Sink
from surveys.export.text import codes, csv_lines, json_lines
from surveys.models import Instrument
from surveys.publishing.instruments import Paper, paper
from surveys.reporting import likeliest
from surveys.reporting.report import summarize
from surveys.reporting.travelling import as_json as report_as_json

BEGINNING = (1980, 1, 1, 0, 0, 0)  # of the zip format: the same time in every file, so that the bytes can be the same
NOTHING = {"n": 0, "counts": {}}
PIECE = 2**16  # bytes

README = """\
{title}

responses.csv, .jsonl, .parquet   the randomized responses, a row for each; all three say the same
codebook.md, .json                what each variable is, how it was randomized, and how to correct for it
report.json                       the report of exactly these responses
instrument.json                   what respondents were asked, as it was frozen; its SHA-256 is {sha256}
analysis.R                        gives the report again, in base R
import.sps, import.do             read the CSV into SPSS and Stata, with labels
"""


def as_zip(instrument: Instrument) -> Iterator[bytes]:
    """The CSV goes out as it is read; the other forms of the rows wait in files without a name until it is through."""
    frozen, sink = paper(instrument), Sink()
    with TemporaryFile() as lines, TemporaryFile() as parquet, zipfile.ZipFile(sink, "w") as archive:
        total, stream = {}, ParquetStream(frozen, parquet)
        cells = codes(frozen.items)
        with archive.open(_entry("responses.csv"), "w") as entry:
            entry.write((",".join(item.key for item in frozen.items) + "\r\n").encode())
            for rows in decoded(instrument):
                total = add_up(total, tally(frozen, rows))
                stream.add(rows)
                lines.writelines(f"{line}\n".encode() for line in json_lines(frozen, rows))
                entry.write(csv_lines(frozen, cells, rows).encode())
                yield sink.take()
        stream.close()
        for name, file in (("responses.jsonl", lines), ("responses.parquet", parquet)):
            yield from _copy(archive, sink, name, file)
        total = total or NOTHING
        possible = likeliest.kept(instrument, total["n"])
        for name, content in _about(frozen, total, released(instrument).waiting, possible).items():
            archive.writestr(_entry(name), content)
            yield sink.take()
    yield sink.take()


def _copy(archive: zipfile.ZipFile, sink: Sink, name: str, file: IO[bytes]) -> Iterator[bytes]:
    file.seek(0)
    with archive.open(_entry(name), "w") as entry:
        while piece := file.read(PIECE):
            entry.write(piece)
            yield sink.take()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, BEGINNING)
    entry.compress_type = zipfile.ZIP_STORED if name.endswith(".parquet") else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    entry.create_system = 3  # whatever machine it is made on
    return entry


def _about(frozen: Paper, total: dict, waiting: int, possible: dict[str, list[float]]) -> dict[str, str]:
    """total: what the rows that went out add up to."""
    return {
        "report.json": pretty(report_as_json(summarize(frozen, total, waiting, possible=possible))),
        "codebook.json": pretty(codebook(frozen, total)),
        "codebook.md": as_markdown(frozen, total),
        "instrument.json": frozen.content,
        "analysis.R": r_script(frozen),
        "import.sps": spss_syntax(frozen),
        "import.do": stata_do(frozen),
        "README.txt": README.format(title=frozen.title, sha256=frozen.sha256),
    }


def pretty(content: dict) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
