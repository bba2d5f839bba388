"""The form of a grid: its heading and rows, and once for all of them what a question has besides."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django import forms

from surveys.authoring.drafts.grids import MOST, save_grid
from surveys.definition import grids
from surveys.definition.kinds import RANDOMIZING_SETTINGS
from surveys.models import Question, Survey
from surveys.web.widgets import Area
from surveys.web.workspace.question_form import CODES, QuestionForm
from surveys.web.workspace.question_initial import starting

CARRIED = (
    "kind",
    "choices",
    "points",
    "aim",
    "values",
    "help",
    "section",
    "declinable",
    "decline",
    "design",
)
OF_A_ROW = ("text", "key", "anchor", "cut", "everyone", "expected_asked")  # not of the grid


class GridForm(QuestionForm):
    is_grid = True
    heading = forms.Field(
        required=False,
        label="Heading",
        help_text=("What all rows ask, for example “How often did you …”."),
        widget=Area(2),
    )
    rows = forms.Field(
        required=False,
        label="Rows",
        help_text=f"One per line, 2 to {MOST} rows. Each becomes a question with its own variable name and result.",
        widget=Area(8),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in (*OF_A_ROW, *RANDOMIZING_SETTINGS):
            del self.fields[name]
        self.fields["kind"].label = "How is each row answered?"
        self.fields["choices"].label = "Answers"
        self.fields[
            "choices"
        ].help_text = f"The columns, one on each line, 2 to {grids.MOST_ANSWERS} of them. {CODES}"

    def lines(self) -> list[str]:
        return self.typed("rows").replace("\r\n", "\n").split("\n")

    def texts(self) -> list[str]:
        """Of the rows, as far as they are typed."""
        return [line.strip() for line in self.lines() if line.strip()]

    def save_rows(self, first: Question | None = None, **who: Any) -> list[Question] | None:
        texts = {name: self.typed(name) for name in ("heading", "help", "section")}
        edition = {"edition": self.edition()} if first else {}
        about = texts | {"survey": self.survey, "rows": self.lines(), "first": first}
        about["when_section"] = self._ticked("when_section")
        return self.attempt(
            partial(self._with_condition, save_grid), **about, **edition, **self._answering(), **who
        )


def starting_grid(survey: Survey, rows: list[Question] | None = None) -> dict[str, Any]:
    """What the fields hold when the page opens."""
    if rows is None:
        return starting(survey=survey) | {"kind": Question.Kind.CHOICE.value}
    return starting(rows[0]) | {
        "heading": rows[0].grid,
        "rows": "\n".join(row.text for row in rows),
    }


def of_question(typed: Mapping[str, str]) -> dict[str, Any]:
    """What was typed for one question, as the start of a grid: the question is its heading."""
    carried = {name: typed[name] for name in CARRIED if typed.get(name)}
    # Values that were typed are not stored yet, so saving the grid has to read them.
    if carried.get("values") != starting()["values"]:
        carried["stored_values"] = None
    return {"heading": typed.get("text", "")} | carried
