"""The list of files that can be had of a published survey, the same in workspace, API, client and command."""

from surveys.ballots.reader import released
from surveys.errors import Refused
from surveys.export.bundle import packed
from surveys.export.codebook import Codebook, CodebookJson
from surveys.export.ddi import Ddi
from surveys.export.file import File
from surveys.export.frames import Spss, Stata
from surveys.export.parquet import Parquet
from surveys.export.scripts.python import PythonImport
from surveys.export.scripts.r import Analysis, RImport
from surveys.export.scripts.spss import SpssImport
from surveys.export.scripts.stata import StataImport
from surveys.export.text import CompactCsv, Csv, ExcelCsv, JsonLines
from surveys.export.workbook import Workbook
from surveys.models import Instrument

EACH: tuple[type[File], ...] = (
    *(Csv, Workbook, Spss, Stata, Parquet, JsonLines, ExcelCsv, CompactCsv),
    *(Codebook, CodebookJson, Ddi, Analysis, RImport, PythonImport, SpssImport, StataImport),
)
FILES: tuple[type[File], ...] = (packed(EACH), *EACH)
TOO_MANY = "{name} holds at most {limit:,} responses, and there are {n:,}. Take responses.parquet or responses.csv."


def find_file(name: str) -> type[File] | None:
    return next((file for file in FILES if file.name == name), None)


def in_report(instrument: Instrument) -> int:
    """How many responses the files hold."""
    n: int = released(instrument).tally["n"]
    return n


def require_room(file: type[File], instrument: Instrument) -> None:
    """Raises Refused where there are more responses than the file holds."""
    n = in_report(instrument)
    if not file.takes(n):
        raise Refused(TOO_MANY.format(name=file.name, limit=file.limit, n=n))
