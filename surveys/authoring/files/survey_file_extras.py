"""What a draft has beside its texts and questions: logo, colours, the day of the deletion, tickets, responses wanted.

One form for survey files and the API. What is not given stays as it is.
"""

import base64
from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from surveys.authoring.drafts import text_checks
from surveys.authoring.drafts.data_protection import day_of_deletion
from surveys.authoring.drafts.drafts import changing
from surveys.authoring.drafts.question_plan import Checks
from surveys.authoring.drafts.sender import set_sender
from surveys.authoring.drafts.tickets import set_tickets
from surveys.models import Survey
from surveys.site.errors import Invalid

BRAND = ("logo", "accent", "accent_dark")
NAMES = (*BRAND, "delete_on", "tickets", "target")


def shown(survey: Survey) -> dict[str, str | int | None]:
    """The logo in base64, the day as 2027-01-31; null or empty where there is none."""
    return {
        "logo": base64.b64encode(survey.logo.png).decode() if survey.logo else None,
        "accent": survey.accent,
        "accent_dark": survey.accent_dark,
        "delete_on": survey.delete_on.isoformat() if survey.delete_on else None,
        "tickets": survey.tickets,
        "target": survey.target,
    }


def write(survey: Survey) -> dict[str, str | int]:
    """Each only where there is one."""
    return {name: value for name, value in shown(survey).items() if value}


def read(survey: Survey, data: dict[str, Any], by: AbstractBaseUser) -> None:
    """Into a draft that has its texts. A day that is past is taken: publishing waits for a later one.

    Raises surveys.site.errors.Invalid.
    """
    given = {name: "" if data[name] is None else data[name] for name in NAMES if name in data}
    if wrong := {name: "must be text." for name, value in given.items() if name != "target" and type(value) is not str}:
        raise Invalid(wrong)
    now = shown(survey)
    changed = {name: value for name, value in given.items() if value != (now[name] or "")}
    if "tickets" in changed:
        set_tickets(survey=survey, tickets=changed["tickets"], by=by)
    if changed.keys() & {"delete_on", "target"}:
        _set_numbers(survey, changed, by)
    is_nameless = survey.logo is not None and not survey.sender and data.keys() & {"sender", "logo"}
    if changed.keys() & {*BRAND} or is_nameless:
        _set_brand(survey, changed, by)
    survey.refresh_from_db()


def _set_numbers(survey: Survey, changed: dict[str, Any], by: AbstractBaseUser) -> None:
    check = Checks()
    with changing(survey, ("delete_on", "target"), by) as held:
        if "delete_on" in changed:
            held.delete_on = check.run("delete_on", day_of_deletion, changed["delete_on"], past=True)
        if "target" in changed:
            held.target = check.run("target", text_checks.target, str(changed["target"]))
        check.done()


def _set_brand(survey: Survey, changed: dict[str, Any], by: AbstractBaseUser) -> None:
    try:
        picture = base64.b64decode(changed["logo"], validate=True) if changed.get("logo") else None
    except ValueError:
        raise Invalid({"logo": "The logo must be a picture in base64."}) from None
    colours = {name: changed.get(name, getattr(survey, name)) for name in ("accent", "accent_dark")}
    set_sender(survey=survey, sender=survey.sender, picture=picture, keep="logo" not in changed, by=by, **colours)
