"""SPSS syntax that reads the CSV and puts the questions and choices on it as labels. PSPP runs it too."""

from features.statistical_packages.names import spss_names
from features.statistical_packages.stata_spss import width
from surveys.definition.instrument import SurveyDefinition
from surveys.export.columns import Column, all_columns, fitting
from surveys.export.format import About, commented
from surveys.export.scrambled import commented_note, marked_label

VARIABLE_LABEL, VALUE_LABEL = 255, 120  # bytes, as SPSS counts


def spss_syntax(frozen: SurveyDefinition) -> str:
    names = spss_names(frozen)
    own = [(names[column.name], column) for column in all_columns(frozen)]
    parts = [
        "* Encoding: UTF-8.",
        f"* {commented(frozen.title).rstrip('. ')}.",  # a full stop at the end of a line ends the comment
        f"* Instrument (SHA-256): {frozen.sha256}.",
        # Each line is a comment of its own, which a full stop ends.
        *commented_note(frozen, start="* ", end=" ."),
        *(
            ["* An empty cell is system-missing: not asked / no report."]
            if frozen.keys_with_missing
            else []
        ),
        "",
        "GET DATA",
        "  /TYPE=TXT",
        '  /FILE="responses.csv"',
        "  /ENCODING='UTF8'",
        '  /DELIMITERS=","',
        "  /QUALIFIER='\"'",
        "  /ARRANGEMENT=DELIMITED",
        "  /FIRSTCASE=2",
        "  /VARIABLES=",
        *(f"    {name} {_format(column)}" for name, column in own),
        "  .",
        *(line for name, column in own for line in _labels(name, column)),
        *(f"VARIABLE LEVEL {name} ({column.level.upper()})." for name, column in own),
        "EXECUTE.",
    ]
    return "\n".join(parts) + "\n"


def _format(column: Column) -> str:
    """The format in which SPSS reads a column."""
    if column.is_text:
        return f"A{max(map(_bytes, column.answer_values))}"
    return f"F{width(column)}.0"


def _value(value: int | str) -> str:
    if isinstance(value, str):
        return quoted(value)
    return str(value)


def _labels(name: str, column: Column) -> list[str]:
    lines = [f"VARIABLE LABELS {name} {quoted(marked_label(column, VARIABLE_LABEL, _bytes))}."]
    pairs = [
        f"  {_value(value)} {quoted(fitting(label, '', VALUE_LABEL, _bytes))}"
        for value, label in column.labels.items()
    ]
    return [*lines, f"VALUE LABELS {name}", *pairs[:-1], f"{pairs[-1]}."] if pairs else lines


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _bytes(text: str) -> int:
    return len(text.encode())


class SpssImport(About):
    name = "import.sps"
    title = "SPSS syntax that reads the CSV, with labels"
    media_type = "text/plain; charset=utf-8"

    @staticmethod
    def text(frozen: SurveyDefinition, tally: dict) -> str:
        return spss_syntax(frozen)
