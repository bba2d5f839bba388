"""The schedule of a survey: its opening and closing time, and the target number of responses.

It is not part of the instrument, so it can change after publishing.
"""

from datetime import UTC, datetime, tzinfo

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.accounts import history
from surveys.accounts.time_zones import matching_moments
from surveys.authoring.drafts import text_checks
from surveys.definition import ticket_phases
from surveys.definition.data_protection import closing_problem, is_deletion_due
from surveys.fieldwork.lifecycle import REOPENED_AFTER_DELETION, REOPENED_AFTER_FINISHING
from surveys.models import Survey
from surveys.signals import survey_reopened
from surveys.site import clock
from surveys.site.errors import Invalid

SKIPPED_TIME = (
    "No clock in {zone} shows {time:%H:%M} on {time:%Y-%m-%d}: the clocks skip an hour. "
    "Choose another time."
)
REPEATED_TIME = (
    "Clocks in {zone} show {time:%H:%M} twice on {time:%Y-%m-%d}: an hour repeats. "
    "Choose another time."
)
# Opening and closing time by their field, "opens" and "closes".
Times = dict[str, datetime | None]


@transaction.atomic
def set_schedule(
    *,
    survey: Survey,
    opens: str = "",
    closes: str = "",
    target: str = "",
    by: AbstractBaseUser | None = None,
    zone: tzinfo = UTC,
) -> Survey:
    """Set opening time, closing time and target of a survey, and return the survey.

    Nothing is recorded if this changes nothing. A survey whose closing time has passed is reopened
    by a later one. Raise surveys.site.errors.Invalid, with a message by field, if any of the values
    cannot be set; then nothing is stored. The survey is locked.

    opens, closes: times like 2026-11-30T18:00 as clocks of the zone show them, or "" for none.
    target: the target number of responses, or "" for none.
    by: who sets the schedule, for the history.
    zone: the time zone in which the times are written, and in which messages show them.
    """
    survey = survey.locked()
    # All errors are collected, so that the author can correct them at once.
    errors: dict[str, str] = {}
    times: Times = {"opens": None, "closes": None}
    for name, text in (("opens", opens), ("closes", closes)):
        # The stored time decides which of two times is meant that clocks show alike.
        stored_time = getattr(survey, name)
        try:
            times[name] = _parse_time(text, zone, stored_time)
        except ValueError as error:
            errors[name] = str(error)
    target_number = None
    try:
        target_number = text_checks.target(target)
    except ValueError as error:
        errors["target"] = str(error)
    _check_times(survey, times, zone, errors)
    if errors:
        raise Invalid(errors)

    stored_schedule = (survey.opens, survey.closes, survey.target)
    new_schedule = (times["opens"], times["closes"], target_number)
    if new_schedule != stored_schedule:
        _store_schedule(survey, times, target_number, by)
    return survey


def _parse_time(text: str, zone: tzinfo, stored: datetime | None) -> datetime | None:
    """Return the time in UTC at which clocks of a zone show this text, or None for an empty text.

    Raise ValueError if the text is not written like a time. Raise it also if clocks of the zone
    never show this time, because they were set forward, or show it twice, because they were set
    back: the author has to choose another time. Only if the survey has one of two such times
    already, that one is returned.

    text: a time like 2026-11-30T18:00, without a zone. Seconds are dropped.
    stored: the time that the survey has now in this field, or None.
    """
    text = text.strip()
    if not text:
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("Write date and time like 2026-11-30T18:00.") from None
    if time.tzinfo is not None or not 2000 <= time.year <= 2200:
        raise ValueError(f"Write date and time like 2026-11-30T18:00, in {zone}.")

    possible_times = matching_moments(time.replace(second=0, microsecond=0), zone)
    # Programs store times in UTC, so they can store one of two times that clocks show alike.
    if stored in possible_times:
        return stored
    if len(possible_times) == 2:
        raise ValueError(REPEATED_TIME.format(time=time, zone=zone))
    if len(possible_times) != 1:
        raise ValueError(SKIPPED_TIME.format(time=time, zone=zone))
    return possible_times[0]


def _check_times(survey: Survey, times: Times, zone: tzinfo, errors: dict[str, str]) -> None:
    """Add a message to `errors` for each time that the survey cannot have.

    A new time must be in the future, but a stored one may be kept when it is past. The closing time
    must be after the opening time, and in a published survey `_closing_problem` must allow it. The
    opening time must suit the tickets.

    times: opening and closing time in UTC.
    zone: the zone in which messages show times.
    errors: messages about the fields, by field; may have some already. Messages are added.
    """
    for name, time in times.items():
        if time and time != getattr(survey, name) and time <= clock.clock_now():
            errors[name] = (
                f"{time.astimezone(zone):%Y-%m-%d %H:%M} is in the past. "
                "Choose a later time, or leave it empty."
            )

    # These checks make sense only for times without an error of their own.
    opens = times["opens"]
    closes = times["closes"]
    if not errors and opens and closes and closes <= opens:
        errors["closes"] = "Choose a closing time after the opening time."
    if not errors and not survey.is_draft:
        closing_problem = _closing_problem(survey, closes)
        if closing_problem:
            errors["closes"] = closing_problem

    if "opens" not in errors:
        opening_problem = ticket_phases.opening_time_problem(survey, opens)
        if opening_problem:
            errors["opens"] = opening_problem


def _closing_problem(survey: Survey, closes: datetime | None) -> str:
    """Return why a published survey cannot close at this time, or "" if it can.

    After the tickets of the survey are finished, or its day of deletion has come, the closing time
    cannot change at all: another one could reopen the survey. Until then, the survey must close
    before its responses are deleted.

    closes: the new closing time, or None for none.
    """
    # Keeping the closing time reopens nothing.
    is_changed = closes != survey.closes
    if survey.is_finished and is_changed:
        return REOPENED_AFTER_FINISHING
    if is_deletion_due(survey) and is_changed:
        return REOPENED_AFTER_DELETION.format(day=survey.delete_on)
    # This is the function of data_protection, which compares the time with the day of deletion.
    return closing_problem(survey, closes)


def _store_schedule(
    survey: Survey, times: Times, target: int | None, by: AbstractBaseUser | None
) -> None:
    """Store a valid schedule, and record it in the history.

    If the survey was over and no longer is, also record that it was reopened, and send the signal
    `survey_reopened`. A survey that is not over with the new schedule leaves the archive.

    times: opening and closing time in UTC.
    target: the target number of responses, or None for none.
    by: who sets the schedule, for the history.
    """
    was_over = survey.is_over
    survey.opens = times["opens"]
    survey.closes = times["closes"]
    survey.target = target
    if not survey.is_over:
        # A survey that takes responses is never in the archive.
        survey.archived = False
    survey.save(update_fields=["opens", "closes", "target", "archived"])

    history.record(survey, by, history.What.SCHEDULED, _describe_schedule(survey))
    if was_over and not survey.is_over:
        # The closing time had passed, and was moved to a later time or removed.
        history.record(survey, by, history.What.REOPENED)
        survey_reopened.send(Survey, survey=survey, by=by)


def _describe_schedule(survey: Survey) -> str:
    """Return the schedule as the history shows it: "closes 2026-11-30 18:00 UTC, target 200".

    Whatever is not set is left out; without any, return "no times, no target".
    """
    parts = []
    for word, time in (("opens", survey.opens), ("closes", survey.closes)):
        if time:
            parts.append(f"{word} {time:%Y-%m-%d %H:%M} UTC")
    if survey.target:
        parts.append(f"target {survey.target}")
    if not parts:
        return "no times, no target"
    return ", ".join(parts)
