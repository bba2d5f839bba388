"""A Stata do-file that reads the CSV and puts the questions and choices on it as labels."""

from features.statistical_packages.names import stata_names
from surveys.definition.instrument import SurveyDefinition
from surveys.export.columns import Column, all_columns, fitting
from surveys.export.format import About, commented
from surveys.export.scrambled import commented_note, marked_label

VARIABLE_LABEL = 80  # characters


def stata_do(frozen: SurveyDefinition) -> str:
    names = stata_names(frozen)
    own = [(names[column.name], column) for column in all_columns(frozen)]
    parts = [
        f"* {commented(frozen.title)}",
        f"* Instrument (SHA-256): {frozen.sha256}",
        *commented_note(frozen, start="* "),
        *(
            ["* An empty cell is missing: not asked / no report."]
            if frozen.keys_with_missing
            else []
        ),
        "version 14",
        f'import delimited {" ".join(names.values())} using "responses.csv", varnames(1) encoding("UTF-8") clear',
        *(
            line
            for number, (name, column) in enumerate(own, 1)
            for line in _labels(name, column, f"choices{number}")
        ),
        f"label data {quoted(fitting(frozen.title, '', VARIABLE_LABEL))}",
    ]
    return "\n".join(parts) + "\n"


def _labels(name: str, column: Column, label: str) -> list[str]:
    lines = [f"label variable {name} {quoted(marked_label(column, VARIABLE_LABEL))}"]
    values = [
        f"label define {label} {value} {quoted(text)}, add"
        for value, text in column.number_labels.items()
    ]
    if not values:
        return lines
    numbers = _numbers_for_texts(name, column) if column.is_text else []
    return [*numbers, *lines, *values, f"label values {name} {label}"]


def _numbers_for_texts(name: str, column: Column) -> list[str]:
    """Lines that replace the texts in a column by 1, 2, 3, …, because Stata labels only numbers."""
    lines = ["tempvar coded", f"tostring {name}, replace", "generate long `coded' = ."]
    for number, value in enumerate(column.answer_values, 1):
        lines.append(f"replace `coded' = {number} if {name} == {quoted(value)}")
    return [*lines, f"order `coded', after({name})", f"drop {name}", f"rename `coded' {name}"]


def quoted(text: str) -> str:
    """In Stata's compound quotes. A double quote becomes a typographic one: only its own kind could end the text."""
    plain = (
        fitting(text, "", 0)
        .replace("\\", "\\\\")
        .replace("`", "\\`")
        .replace("$", "\\$")
        .replace('"', "”")
    )
    return f'`"{plain}"\''


class StataImport(About):
    name = "import.do"
    title = "Stata do-file that reads the CSV, with labels"
    media_type = "text/plain; charset=utf-8"

    @staticmethod
    def text(frozen: SurveyDefinition, tally: dict) -> str:
        return stata_do(frozen)
