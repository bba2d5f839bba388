"""What the file of a survey holds beside its texts and questions: logo, colours, tickets, the day of the deletion."""

import base64
from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from surveys.authoring.data_protection import day_of_deletion
from surveys.authoring.sender import set_sender
from surveys.authoring.tickets import set_tickets
from surveys.errors import Invalid
from surveys.models import Survey

NAMES = ("logo", "accent", "accent_dark", "delete_on", "tickets")


def write(survey: Survey) -> dict[str, str]:
    """Each only where there is one; the logo in base64."""
    found = {name: text for name in ("accent", "accent_dark", "tickets") if (text := getattr(survey, name))}
    found |= {"logo": base64.b64encode(survey.logo.png).decode()} if survey.logo else {}
    return found | ({"delete_on": survey.delete_on.isoformat()} if survey.delete_on else {})


def read(survey: Survey, data: dict[str, Any], by: AbstractBaseUser) -> None:
    """Into a draft that has its texts. Raises surveys.errors.Invalid."""
    given = {name: data[name] for name in NAMES if name in data}
    if wrong := {name: "must be text." for name, text in given.items() if not isinstance(text, str)}:
        raise Invalid(wrong)
    try:
        survey.delete_on = day_of_deletion(given.pop("delete_on", ""), past=True)
    except ValueError as error:
        raise Invalid({"delete_on": str(error)}) from None
    try:
        picture = base64.b64decode(given.pop("logo"), validate=True) if "logo" in given else None
    except ValueError:
        raise Invalid({"logo": "must be a picture in base64."}) from None
    if tickets := given.pop("tickets", ""):
        set_tickets(survey=survey, tickets=tickets, by=by)
        survey.refresh_from_db(fields=["tickets"])
    survey.save(update_fields=["delete_on"])
    if given or picture is not None:
        set_sender(survey=survey, sender=survey.sender, picture=picture, by=by, **given)
        survey.refresh_from_db()
