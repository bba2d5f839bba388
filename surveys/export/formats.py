"""The list of files that can be had of a published survey, the same in workspace, API, client and command."""

from collections.abc import Iterable

from features.statistical_packages.ddi import Ddi
from features.statistical_packages.parquet import Parquet
from features.statistical_packages.scripts.python import PythonImport
from features.statistical_packages.scripts.r import Analysis, RImport
from features.statistical_packages.scripts.spss import SpssImport
from features.statistical_packages.scripts.stata import StataImport
from features.statistical_packages.stata_spss import Spss, Stata
from surveys.definition.parsing import paper
from surveys.export.bundle import packed
from surveys.export.codebook import Codebook, CodebookJson
from surveys.export.columns import every
from surveys.export.format import File
from surveys.export.text import Csv, JsonLines
from surveys.export.workbook import Workbook
from surveys.fieldwork.responses.released import released
from surveys.models import Instrument
from surveys.site.errors import Refused
from surveys.site.number_format import listed

EACH: tuple[type[File], ...] = (
    *(Csv, Workbook, Spss, Stata, Parquet, JsonLines),
    *(Codebook, CodebookJson, Ddi, Analysis, RImport, PythonImport, SpssImport, StataImport),
)
FILES: tuple[type[File], ...] = (packed(EACH), *EACH)
FORMS = tuple(form for file in EACH for form in file.forms.values())  # each had an entry in the list once
INSTEAD = "Use responses.parquet or responses.csv."


def find_file(name: str, form: str | None = None) -> type[File] | None:
    """The file of this name, or where one is asked for its other form; None where there is none."""
    file = next((file for file in (*FILES, *FORMS) if file.name == name), None)
    return file.forms.get(form) if file and form is not None else file


def in_report(instrument: Instrument) -> int:
    """How many responses the files hold."""
    n: int = released(instrument).tally["n"]
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
    said = [f"{listed(each)} {'hold' if each[1:] else 'holds'} at most {lack}." for lack, each in names.items()]
    return " ".join([*said, INSTEAD]) if said else ""


def lacks(files: Iterable[type[File]], instrument: Instrument) -> dict[type[File], str]:
    """Those of the files that hold too little -> what they hold at most."""
    n, width = in_report(instrument), len(every(paper(instrument)))
    return {file: lack for file in files if (lack := file.lack(n, width))}
