"""Forms around tickets: who can answer, whom to invite, and the end of it all."""

from django import forms

from surveys.authoring.drafts.tickets import HINTS
from surveys.fieldwork.tickets.invitees import MOST, MOST_AT_ONCE
from surveys.models import Survey
from surveys.web.workspace.forms import TypedForm


class TicketsForm(TypedForm):
    tickets = forms.Field(required=False, label="Who can answer?")

    def ways(self) -> list[dict[str, str]]:
        return [{"value": way.value, "label": way.label, "hint": HINTS[way]} for way in Survey.Tickets]


class PeopleForm(TypedForm):
    people = forms.Field(
        required=False,
        label="Paste a list",
        help_text="A person on each line: a label, an e-mail address, or both. Labels help you find somebody again; no "
        "response ever has one.",
    )
    file = forms.Field(
        required=False,
        label="Or choose a file",
        help_text="CSV or a workbook (.xlsx). Columns that are called label or name, and e-mail, are read; others are "
        "left out.",
    )
    unnamed = forms.Field(
        required=False,
        label="Or only letters, without names",
        help_text=f"How many, at most {MOST_AT_ONCE:,} at once; a survey has room for {MOST:,}.",
    )
    skip = forms.BooleanField(
        required=False,
        label="Leave out whoever is on the list already, or here twice",
    )

    def number(self) -> int | None:
        """Of letters without names; None where nothing readable is typed."""
        typed = self.typed("unnamed").strip().replace(",", "") or "0"
        return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 7 else None


class FinishForm(TypedForm):
    title = forms.Field(required=False, label="Type the survey’s title to be sure")
