"""What an author sets for a whole survey: each setting is checked as its row of definition.fields and CHECKS say."""

import base64
import binascii
import hashlib
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from surveys.authoring.drafts import text_checks, translations
from surveys.authoring.drafts.logo import LIMITS, logo
from surveys.authoring.drafts.question_plan import Checks
from surveys.definition import accent, fields, protection
from surveys.definition.field import Field
from surveys.models import Logo, Survey, Translated
from surveys.site import clock
from surveys.site.errors import Unreadable
from surveys.site.files import untrusted
from surveys.site.number_format import count_of

LATEST = 2200
NAMELESS = "Add the name of the sender, for people who can’t see the logo."
ONE_OF_TWO = "Choose the colour for light screens too. This one replaces it only on dark screens."
NO_CONSENT = "Write what people agree to, or don’t ask them to agree."
FIXED = "Create a new survey instead. You can’t change where the responses of a draft come from."
FROM_FILES = "An import-only survey can’t have invitations."


def put(check: Checks, survey: Survey, data: Mapping[str, Any]) -> None:
    """Put settings into a draft, which is not stored yet; the others stay.

    data: by the names of definition.fields.SURVEY, and `languages`, all of them with the first one first. A text as
    str leaves its translations, as Text it brings them. The logo as with_logo() has it.
    """
    if unknown := data.keys() - {*fields.names(Survey), "languages"}:
        raise TypeError(f"unknown settings: {', '.join(unknown)}")
    before = {name: getattr(survey, name) for name in ("import_only", "tickets")}
    put_rows(check, survey, {name: value for name, value in data.items() if name != "languages"})
    if "languages" in data and survey.language:
        survey.further_languages = check.collect(
            "languages", translations.spoken, survey.language, data["languages"]
        )
    elif "language" in data and survey.language in survey.further_languages:
        check.errors["language"] = (
            "First remove this language under “Languages”. The survey is translated into it."
        )
    _check_together(check, survey, before)


def _check_together(check: Checks, survey: Survey, before: Mapping[str, Any]) -> None:
    if survey.asks_consent and survey.consent == "":
        check.errors["consent"] = NO_CONSENT
    if survey.logo and survey.sender == "":
        check.errors.setdefault("sender", NAMELESS)
    if survey.accent_dark and survey.accent == "":
        check.errors.setdefault("accent_dark", ONE_OF_TWO)
    if not survey._state.adding and survey.import_only != before["import_only"]:
        check.errors["import_only"] = FIXED
    if survey.protection and survey.import_only:
        check.errors["protection"] = protection.FROM_FILES
    if survey.tickets and survey.import_only:
        check.errors["tickets"] = FROM_FILES
    if survey.tickets == "" and before["tickets"] and (people := survey.invitees.count()):
        invited = count_of(people, "person is", "people are")
        check.errors["tickets"] = f"{invited} invited. Take them off the list first."


def put_rows(check: Checks, stored: Translated, data: Mapping[str, Any]) -> None:
    """Put into a row of the database what its settings are, by name, each alone."""
    rows = [row for row in fields.TABLES[type(stored)] if row.name in data]
    texts = {
        row.name: data[row.name]
        for row in rows
        if row.translatable and isinstance(data[row.name], str)
    }
    carried = check.collect("translations", translations.carried, stored, texts)
    stored.translations = stored.translations if carried is None else carried
    for row in rows:
        setattr(
            stored,
            row.name,
            check.collect(row.name, CHECKS.get(row.name, by_type), row, data[row.name]),
        )


def by_type(row: Field, value: Any) -> Any:
    """As the column is to store it. Raises ValueError."""
    if row.is_switch:
        if not isinstance(value, bool):
            raise ValueError("must be true or false.")
        return value
    if not isinstance(value, str):
        raise ValueError("must be text.")
    return translations.checked(row.model, row.name, value, required=row.required)


def with_logo(check: Checks, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same with its picture made into a logo: in another process, and before the database is held."""
    return {**data, "logo": check.collect("logo", _made, data["logo"])} if "logo" in data else data


def _made(picture: bytes | str | None) -> Logo | dict[str, Any] | None:
    """picture: a PNG or a JPEG, also in base64; nothing for none. A logo that was made here stays as it is."""
    if picture is None or picture == "":
        return None
    try:
        data = (
            picture
            if isinstance(picture, bytes)
            else base64.b64decode(_text(picture), validate=True)
        )
    except binascii.Error:
        raise ValueError("The logo must be a picture in base64.") from None
    if known := Logo.objects.filter(sha256=hashlib.sha256(data).hexdigest()).first():
        return known
    try:
        return untrusted.read_in_child(logo, data, LIMITS)
    except Unreadable as wrong:
        raise ValueError(str(wrong)) from None


def _logo(row: Field, made: Logo | dict[str, Any] | None) -> Logo | None:
    if not isinstance(made, dict):
        return made
    png = base64.b64decode(made["png"])
    size = {"width": made["width"], "height": made["height"]}
    return Logo.objects.get_or_create(
        sha256=hashlib.sha256(png).hexdigest(), defaults=size | {"png": png}
    )[0]


def _text(value: Any) -> str:
    if not isinstance(value, str | None):
        raise ValueError("must be text.")
    return value or ""


def _one_of(message: str) -> Callable[[Field, Any], str]:
    def check(row: Field, value: Any) -> str:
        if _text(value) not in dict(row.column.choices):
            raise ValueError(message)
        return value

    return check


def _colour(mode: str) -> Callable[[Field, Any], str]:
    return lambda row, value: accent.validate_colour(value, mode) if _text(value).strip() else ""


def day_of_deletion(row: Field, value: date | str | None) -> date | None:
    """One that is past is taken, as a copy of an old survey has it: publishing waits for a later one."""
    typed = value.isoformat() if isinstance(value, date) else _text(value).strip()
    if not typed:
        return None
    try:
        day = date.fromisoformat(typed)
    except ValueError:
        raise ValueError("Write the day as 2027-01-31.") from None
    if day.year > LATEST:
        raise ValueError(f"{day} is too far away. Choose a day up to {LATEST}.")
    return day


def past(typed: date | str | None) -> str:
    """What is wrong with a day that somebody writes now; nothing where it is to come, or is no day."""
    try:
        day = day_of_deletion(fields.field_of(Survey, "delete_on"), typed)
    except ValueError:
        return ""
    is_past = day is not None and day <= clock.clock_now().date()
    return f"{day} is not in the future. The earliest day is tomorrow." if is_past else ""


CHECKS: dict[str, Callable[[Field, Any], Any]] = {  # of what the column's type does not say
    "language": _one_of("Choose one of these languages."),
    "tickets": _one_of("Choose one of these ways."),
    "logo": _logo,
    "accent": _colour("light"),
    "accent_dark": _colour("dark"),
    "delete_on": day_of_deletion,
    "protection": lambda row, value: protection.validate_protection(value),
    "target": lambda row, value: text_checks.target("" if value is None else str(value)),
    "expected_asked": lambda row, value: text_checks.percent_expected(
        "" if value is None else str(value)
    ),
}
