"""The schedule of a survey: its opening and closing time, and the target number of responses.

It is not part of the instrument, so it can change after publishing.
"""

from datetime import UTC, datetime, tzinfo

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from surveys.accounts import history
from surveys.accounts.time_zones import matching_moments
from surveys.authoring.drafts import text_checks
from surveys.definition import ticket_phases
from surveys.definition.data_protection import closing_problem, is_deletion_due
from surveys.fieldwork.lifecycle import REOPENED_AFTER_DELETION, REOPENED_AFTER_FINISHING
from surveys.models import Survey
from surveys.signals import survey_reopened
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

    Do nothing if they are set already. A later closing time can reopen the survey. Raise
    surveys.site.errors.Invalid, with a message by field, if any of them cannot be set. The survey
    is locked.

    opens, closes: times like 2026-11-30T18:00 as clocks of the zone show them, or "" for none.
    target: the target number of responses, or "" for none.
    by: who sets the schedule, for the history.
    zone: the time zone in which the times are written, and in which messages show them.
    """
    survey = survey.locked()
    errors: dict[str, str] = {}
    times: Times = {"opens": None, "closes": None}
    for name, text in (("opens", opens), ("closes", closes)):
        try:
            times[name] = _parse_time(text, zone, getattr(survey, name))
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
    new_schedule = (times["opens"], times["closes"], target_number)
    if (survey.opens, survey.closes, survey.target) != new_schedule:
        _store_schedule(survey, times, target_number, by)
    return survey


def _parse_time(text: str, zone: tzinfo, stored: datetime | None) -> datetime | None:
    """Return the time that clocks of the zone show, in UTC, or None for an empty text.

    Raise ValueError if the text is not written like a time, or if clocks never show this time or
    show it twice. A program may have stored one of the two times that clocks show twice; then the
    stored one is returned.

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
    if stored in possible_times:
        return stored
    if len(possible_times) == 2:
        raise ValueError(REPEATED_TIME.format(time=time, zone=zone))
    if len(possible_times) != 1:
        raise ValueError(SKIPPED_TIME.format(time=time, zone=zone))
    return possible_times[0]


def _check_times(survey: Survey, times: Times, zone: tzinfo, errors: dict[str, str]) -> None:
    """Add a message to `errors` for each time that the survey cannot have.

    The times of `times` are in UTC. A new time must be in the future, but a stored one may be kept
    when it is past. The closing time must be after the opening time; both must suit the day of
    deletion and the tickets.

    zone: the zone in which messages show times.
    errors: messages about the fields, by field; may have some already.
    """
    for name, time in times.items():
        if time and time != getattr(survey, name) and time <= timezone.now():
            errors[name] = (
                f"{time.astimezone(zone):%Y-%m-%d %H:%M} is in the past. "
                "Choose a later time, or leave it empty."
            )
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
    """Return why a published survey cannot close at this time, or an empty string if it can.

    After its tickets are finished, or its day of deletion has come, the closing time cannot change
    at all: another one would reopen the survey. Before, the survey must close before that day.

    closes: the new closing time, or None for none.
    """
    # Keeping the closing time reopens nothing.
    if survey.is_finished and closes != survey.closes:
        return REOPENED_AFTER_FINISHING
    if is_deletion_due(survey) and closes != survey.closes:
        return REOPENED_AFTER_DELETION.format(day=survey.delete_on)
    # Of data_protection: whether the survey would close after its responses are deleted.
    return closing_problem(survey, closes)


def _store_schedule(
    survey: Survey, times: Times, target: int | None, by: AbstractBaseUser | None
) -> None:
    """Store a valid schedule, and record it in the history.

    If this reopens the survey, record this too, and send `survey_reopened`. A survey that is not
    over with the new schedule leaves the archive.

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
        # The closing time had passed, and is taken back.
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
