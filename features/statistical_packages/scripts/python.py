"""A Python script that reads the CSV into a data frame of pandas."""

from surveys.definition.instrument import SurveyDefinition
from surveys.export.columns import Column, Holds, all_columns
from surveys.export.format import About
from surveys.export.scrambled import commented_note, marked_label

READING = """\
# `Int64` is a whole number that may be missing: an empty cell means no report.
responses = pd.read_csv("responses.csv", dtype="Int64", encoding="utf-8-sig")
for name, labels in choices.items():
    codes = responses[name].fillna(-1).astype(int)
    responses[name] = pd.Categorical.from_codes(codes, labels, ordered=name in ordered)
responses.attrs = {"title": title, "labels": labels_of_columns}
"""


def python_import(frozen: SurveyDefinition) -> str:
    coded = [column for column in all_columns(frozen) if column.holds is Holds.CODE]
    ordered = [column.name for column in coded if column.level == "ordinal"]
    lines = [
        "# Reads responses.csv into the data frame `responses`: categories with labels, numbers, and marks as 0 and 1.",
        *commented_note(frozen),
        f"# Instrument (SHA-256): {frozen.sha256}",
        "import pandas as pd",
        "",
        f"title = {str(frozen.title)!a}",
        *_said("choices", [f"{column.name!r}: {_list(column)}" for column in coded]),
        f"ordered = {ordered!r}",
        *_said(
            "labels_of_columns",
            [f"{column.name!r}: {marked_label(column)!a}" for column in all_columns(frozen)],
        ),
        "",
        READING,
    ]
    return "\n".join(lines)


def _list(column: Column) -> str:
    return f"[{', '.join(map(ascii, column.labels.values()))}]"


def _said(name: str, members: list[str]) -> list[str]:
    return [f"{name} = {{", *(f"    {member}," for member in members), "}"]


class PythonImport(About):
    name = "import_responses.py"
    title = "Python script that reads the CSV, with categories and numbers"
    media_type = "text/x-python; charset=utf-8"

    @staticmethod
    def text(frozen: SurveyDefinition, tally: dict) -> str:
        return python_import(frozen)
