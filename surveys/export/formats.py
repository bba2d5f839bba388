"""The list of files that can be had of a published survey, the same in workspace, API, client and command."""

from collections.abc import Iterable

from surveys import extensions
from surveys.definition.parsing import parse_instrument
from surveys.export.bundle import packed
from surveys.export.codebook import CodebookJson
from surveys.export.columns import all_columns
from surveys.export.format import File
from surveys.export.readme import CodebookText, ReadMe
from surveys.export.text import Csv
from surveys.export.workbook import Workbook
from surveys.fieldwork.responses.released import read_released
from surveys.models import Instrument
from surveys.site.errors import Refused
from surveys.site.number_format import join_with_and

CORE: tuple[type[File], ...] = (Csv, Workbook, ReadMe, CodebookJson)

# Files that there were once, with what to say instead. Their addresses answer 410.
GONE = {
    "responses-compact.csv": "responses-compact.csv is no longer written. Use responses.csv.",
    "responses.jsonl": "responses.jsonl is no longer written. Use responses.csv.",
}


def _each() -> tuple[type[File], ...]:
    return (*CORE, *extensions.export_formats)


def files() -> tuple[type[File], ...]:
    """All files: those of the core and of the features, and first the zip that holds them."""
    return (packed(_each()), *_each())


def earlier_names() -> tuple[type[File], ...]:
    """Return files that were in the list once, and are still at their addresses."""
    forms = (form for file in _each() for form in file.forms.values())
    return (CodebookText, *forms)


def instead() -> str:
    """Return the sentence that names files for any number of responses: those that the zip holds too."""
    names = [
        file.name for file in _each() if file.is_packed and file.has_rows and file.limit is None
    ]
    return f"Use {' or '.join(reversed(names))}."


def find_file(name: str, form: str | None = None) -> type[File] | None:
    """The file of this name, or where one is asked for its other form; None where there is none."""
    file = next((file for file in (*files(), *earlier_names()) if file.name == name), None)
    return file.forms.get(form) if file and form is not None else file


def in_report(instrument: Instrument) -> int:
    """How many responses the files hold."""
    n: int = read_released(instrument).tally["n"]
    return n


def require_room(file: type[File], instrument: Instrument) -> None:
    """Raises Refused where the responses are more than the file holds."""
    if said := without_room(lacks((file,), instrument)):
        raise Refused(said)


def without_room(reasons: dict[type[File], str]) -> str:
    """What a page says of files that hold too little, as lacks() finds them; nothing where there are none."""
    names: dict[str, list[str]] = {}
    for file, lack in reasons.items():
        names.setdefault(lack, []).append(file.name)
    said = [
        f"{join_with_and(each)} {'hold' if each[1:] else 'holds'} at most {lack}."
        for lack, each in names.items()
    ]
    return " ".join([*said, instead()]) if said else ""


def lacks(of: Iterable[type[File]], instrument: Instrument) -> dict[type[File], str]:
    """Those of the files that hold too little -> what they hold at most."""
    n, width = in_report(instrument), len(all_columns(parse_instrument(instrument)))
    return {file: lack for file in of if (lack := file.size_problem(n, width))}
