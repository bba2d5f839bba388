"""README.txt: what the files of a survey are, what is scrambled, and the codebook for reading."""

from collections.abc import Iterable

from surveys import extensions
from surveys.definition.instrument import SurveyDefinition
from surveys.export.codebook import CodebookJson, as_markdown
from surveys.export.format import About, File
from surveys.export.scrambled import note_lines
from surveys.export.text import Csv

SCRIPTS = " The scripts read responses.csv from the same folder."


def readme(frozen: SurveyDefinition, tally: dict, files: Iterable[type[File]]) -> str:
    """Return README.txt.

    tally: of the responses that the files hold.
    files: those that it names.
    """
    names = [file.name for file in files]
    scripts = SCRIPTS if has_scripts(names) else ""
    listed = [f"{file.name}: {file.title}" for file in files]
    parts = [
        frozen.title,
        "",
        *note_lines(frozen),
        "",
        *listed,
        "report.json: The report of exactly these responses",
        f"instrument.json: The published questions; their SHA-256 is {frozen.sha256}",
        "survey.json: The survey itself, to copy it to another Candor",
        "",
        f"All files of responses hold the same rows and columns.{scripts}",
        "",
        as_markdown(frozen, tally),
    ]
    return "\n".join(parts)


def has_scripts(names: Iterable[str]) -> bool:
    """Return whether there are others than responses, codebooks and README among the names."""
    return any(not name.startswith(("responses", "codebook", "README")) for name in names)


class ReadMe(About):
    name = "README.txt"
    title = "Codebook for reading, and what the files are"
    media_type = "text/plain; charset=utf-8"

    @staticmethod
    def text(frozen: SurveyDefinition, tally: dict) -> str:
        files = [Csv, CodebookJson, *extensions.export_formats]
        # Files of responses come first.
        files.sort(key=lambda file: not file.has_rows)
        return readme(frozen, tally, [file for file in files if file.is_packed])


class CodebookText(ReadMe):
    """The codebook for reading at its earlier address."""

    name = "codebook.md"
