"""Files in one zip, from one reading of the rows, so that they agree with each other whatever happens meanwhile."""

import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from tempfile import TemporaryFile
from typing import IO, Any

from surveys.definition.instrument import SurveyDefinition
from surveys.definition.parsing import definition_for_readers
from surveys.export.codebook import pretty
from surveys.export.format import About, File, Rows
from surveys.export.rows import decoded
from surveys.export.stream import Sink
from surveys.export.zip_entries import entry
from surveys.fieldwork.responses.records import add_tallies, count_responses
from surveys.fieldwork.responses.released import read_released
from surveys.models import Instrument
from surveys.results.estimates import maximum_likelihood
from surveys.results.estimates.report import summarize
from surveys.results.report.shape import ReportResult
from surveys.site.shape import as_json

NOTHING = {"n": 0, "counts": {}}
PIECE = 2**16  # bytes

README = """\
{title}

{files}
report.json: The report of exactly these responses
instrument.json: The published questions; their SHA-256 is {sha256}

All files of responses hold the same rows and columns.{scripts}
"""
SCRIPTS = " The scripts read responses.csv from the same folder."


def packed(files: tuple[type[File], ...]) -> type[File]:
    """The zip of those of these files that belong into it."""
    rows = [file for file in files if file.is_packed and issubclass(file, Rows)]
    about = [file for file in files if file.is_packed and issubclass(file, About)]

    class Everything(File):
        name = "everything.zip"
        title = f"The whole survey in one file: {contents(files)}"
        media_type = "application/zip"

        @classmethod
        def stream(cls, instrument: Instrument) -> Iterator[bytes]:
            return _zip(instrument, rows, about)

    return Everything


def contents(files: tuple[type[File], ...]) -> str:
    """Return in words what is in the zip of these files."""
    names = [file.name for file in files if file.is_packed]
    words = ["CSV"]
    if "responses.parquet" in names:
        words.append("Parquet")
    words.append("codebooks")
    if has_scripts(names):
        words.append("scripts")
    return f"{', '.join(words)} and the report"


def has_scripts(names: list[str]) -> bool:
    """Return whether there are files other than responses and codebooks among the names."""
    return any(not name.startswith(("responses", "codebook")) for name in names)


def _zip(
    instrument: Instrument, rows: list[type[Rows]], about: list[type[About]]
) -> Iterator[bytes]:
    """The first form of the rows goes out as it is read; the others wait in nameless files until it is through."""
    frozen, sink = definition_for_readers(instrument), Sink()
    total: dict = {}
    first, *others = rows
    with ExitStack() as stack, zipfile.ZipFile(sink, "w") as archive:
        waiting: list[Any] = [stack.enter_context(TemporaryFile()) for _ in others]
        with archive.open(entry(first.name), "w", force_zip64=True) as opened:
            files = [
                first(frozen, opened),
                *(other(frozen, file) for other, file in zip(others, waiting, strict=True)),
            ]
            for part in decoded(instrument):
                total = add_tallies(total, count_responses(frozen, part))
                for file in files:
                    file.write(part)
                yield sink.take()
            for file in files:
                file.end()
        for other, file in zip(others, waiting, strict=True):
            yield from _copy(archive, sink, other.name, file)
        total = total or NOTHING
        for name, content in _about(instrument, frozen, total, rows, about).items():
            archive.writestr(entry(name), content)
            yield sink.take()
    yield sink.take()


def _copy(archive: zipfile.ZipFile, sink: Sink, name: str, file: IO[bytes]) -> Iterator[bytes]:
    file.seek(0)
    with archive.open(entry(name), "w", force_zip64=True) as opened:
        while piece := file.read(PIECE):
            opened.write(piece)
            yield sink.take()


def _about(
    instrument: Instrument,
    frozen: SurveyDefinition,
    total: dict,
    rows: list[type[Rows]],
    about: list[type[About]],
) -> dict[str, str]:
    """total: what the rows that went out add up to."""
    possible = maximum_likelihood.stored_shares(instrument, total["n"])
    report = summarize(frozen, total, read_released(instrument).waiting, possible=possible)
    listed = "\n".join(f"{file.name}: {file.title}" for file in (*rows, *about))
    scripts = SCRIPTS if has_scripts([file.name for file in about]) else ""
    return {
        **{file.name: file.text(frozen, total) for file in about},
        "report.json": pretty(as_json(ReportResult.tell(report))),
        "instrument.json": frozen.content,
        "README.txt": README.format(
            title=frozen.title, files=listed, sha256=frozen.sha256, scripts=scripts
        ),
    }
