"""Forms around tickets: who can answer, whom to invite, and the end of it all."""

from django import forms

from surveys.fieldwork.tickets.invitees import MOST_AT_ONCE, MOST_INVITEES
from surveys.models import Survey
from surveys.web.widgets import Area, Choice, File, Line, Switch
from surveys.web.workspace.forms import TypedForm, form_field

HINTS = {
    Survey.Tickets.NONE: "Anyone with the link can answer, even more than once.",
    Survey.Tickets.ONE: "People take a ticket and can answer right away. Someone who watches the site’s connections "
    "could match people to responses: in our test, 88 of 100.",
    Survey.Tickets.TWO: "People take their tickets until the survey opens. Then answers open, and no more tickets are "
    "given out. In the same test 0.4 of 100 were matched, no more than by guessing. Recommended for 20 people or more. "
    "Needs an opening time. You can postpone it, but not bring it forward.",
}


class TicketsForm(TypedForm):
    tickets = form_field(
        Survey, "tickets", widget=Choice(Survey.Tickets.choices, HINTS, first=True)
    )


class PeopleForm(TypedForm):
    people = forms.Field(
        required=False,
        label="Paste a list",
        help_text=(
            "One person per line: a label, an email address, or both. Or recipients copied from a mail program, with "
            "semicolons or commas between them. Labels help you find people again. Responses never have one."
        ),
        widget=Area(6),
    )
    file = forms.Field(
        required=False,
        label="Or choose a file",
        help_text="CSV or a workbook (.xlsx). We read the columns “label” or “name”, and “e-mail”. Others are ignored.",
        widget=File(),
    )
    unnamed = forms.Field(
        required=False,
        label="Or access codes without names, for letters",
        help_text=f"How many, at most {MOST_AT_ONCE:,} at once. A survey can have {MOST_INVITEES:,} invited people.",
        widget=Line(5),
    )
    skip = forms.BooleanField(
        required=False,
        label="Skip people who are on the list already, or here twice",
        widget=Switch(),
    )

    def number(self) -> int | None:
        """Of letters without names; None where nothing readable is typed."""
        typed = self.typed("unnamed").strip().replace(",", "") or "0"
        return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 7 else None


class FinishForm(TypedForm):
    title = forms.Field(required=False, label="Type the survey’s title to confirm", widget=Line())
