"""Files in one zip, from one reading of the rows, so that they agree with each other whatever happens meanwhile."""

import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from tempfile import TemporaryFile
from typing import IO, Any

from surveys.authoring.files import survey_file
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.parsing import definition_for_readers, parse_instrument
from surveys.export.codebook import pretty
from surveys.export.columns import all_columns
from surveys.export.format import About, File, Rows
from surveys.export.readme import ReadMe, has_scripts, readme
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
PROGRAM_FILES = {
    "responses.parquet": "Parquet",
    "responses.sav": "SPSS",
    "responses.dta": "Stata",
}


def packed(files: tuple[type[File], ...]) -> type[File]:
    """Return the zip of those of these files that belong into it.

    A file that is offered only for fewer responses is left out of a zip with more.
    """
    rows = [file for file in files if file.is_packed and issubclass(file, Rows)]
    about = [file for file in files if file.is_packed and issubclass(file, About)]

    class Everything(File):
        name = "everything.zip"
        title = f"The whole survey in one file: {contents(files)}"
        media_type = "application/zip"

        @classmethod
        def stream(cls, instrument: Instrument) -> Iterator[bytes]:
            n, width = (
                read_released(instrument).tally["n"],
                len(all_columns(parse_instrument(instrument))),
            )
            fitting_rows = [file for file in rows if not file.size_problem(n, width)]
            return _zip(instrument, fitting_rows, about)

    return Everything


def contents(files: tuple[type[File], ...]) -> str:
    """Return in words what is in the zip of these files."""
    names = [file.name for file in files if file.is_packed]
    words = ["CSV"]
    words += [word for name, word in PROGRAM_FILES.items() if name in names]
    words.append("codebooks")
    if has_scripts(names):
        words.append("scripts")
    return f"{', '.join(words)} and the report"


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
    """Return the contents of the files that are no responses, by their names.

    total: what the rows that went out add up to.
    """
    possible = maximum_likelihood.stored_shares(instrument, total["n"])
    report = summarize(frozen, total, read_released(instrument).waiting, possible=possible)
    others = [file for file in about if file is not ReadMe]
    contents_by_name = {
        file.name: file.content(instrument, total, has_rows=True) for file in others
    }
    contents_by_name["report.json"] = pretty(as_json(ReportResult.tell(report)))
    contents_by_name["instrument.json"] = frozen.content
    contents_by_name["survey.json"] = survey_file.as_text(instrument.survey)
    contents_by_name[ReadMe.name] = readme(frozen, total, [*rows, *others])
    return contents_by_name
