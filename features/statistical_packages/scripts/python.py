"""A Python script that reads the CSV into a data frame of pandas."""

from surveys.definition.instrument import SurveyDefinition
from surveys.export.columns import Column, Holds, all_columns
from surveys.export.format import About
from surveys.export.scrambled import commented_note, marked_label

READING = """\
# `Int64` is a whole number that may be missing: an empty cell means no report.
types = defaultdict(lambda: "Int64", dict.fromkeys(texts, "string"))
responses = pd.read_csv(
    "responses.csv", dtype=types, encoding="utf-8-sig", keep_default_na=False, na_values=[""]
)
for name, labels in choices.items():
    answers = responses[name].map(labels)
    responses[name] = pd.Categorical(answers, list(labels.values()), ordered=name in ordered)
responses.attrs = {"title": title, "labels": labels_of_columns}
"""


def python_import(frozen: SurveyDefinition) -> str:
    coded = [column for column in all_columns(frozen) if column.holds is Holds.CODE]
    ordered = [column.name for column in coded if column.level == "ordinal"]
    texts = [column.name for column in coded if column.is_text]
    lines = [
        "# Reads responses.csv into the data frame `responses`: categories with labels, numbers, and marks as 0 and 1.",
        *commented_note(frozen),
        f"# Instrument (SHA-256): {frozen.sha256}",
        "from collections import defaultdict",
        "",
        "import pandas as pd",
        "",
        f"title = {str(frozen.title)!a}",
        *_said("choices", [f"{column.name!r}: {_labels(column)}" for column in coded]),
        f"ordered = {ordered!r}",
        f"texts = {texts!r}",
        *_said(
            "labels_of_columns",
            [f"{column.name!r}: {marked_label(column)!a}" for column in all_columns(frozen)],
        ),
        "",
        READING,
    ]
    return "\n".join(lines)


def _labels(column: Column) -> str:
    """The label of each value."""
    pairs = [f"{value!a}: {label!a}" for value, label in column.labels.items()]
    return f"{{{', '.join(pairs)}}}"


def _said(name: str, members: list[str]) -> list[str]:
    return [f"{name} = {{", *(f"    {member}," for member in members), "}"]


class PythonImport(About):
    name = "import_responses.py"
    title = "Python script that reads the CSV, with categories and numbers"
    media_type = "text/x-python; charset=utf-8"

    @staticmethod
    def text(frozen: SurveyDefinition, tally: dict) -> str:
        return python_import(frozen)
