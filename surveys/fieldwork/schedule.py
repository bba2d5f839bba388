"""When a survey opens and closes by itself, and how many responses are wanted. None of it is frozen."""

from datetime import UTC, datetime, tzinfo

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from surveys.accounts import history
from surveys.accounts.time_zones import matching_moments
from surveys.authoring.drafts import text_checks
from surveys.definition import ticket_phases
from surveys.definition.data_protection import closing_problem, is_deletion_due
from surveys.fieldwork.lifecycle import DELETED, FINISHED
from surveys.models import Survey
from surveys.signals import survey_reopened
from surveys.site.errors import Invalid

NEVER = "No clock in {zone} shows {time:%H:%M} on {time:%Y-%m-%d}: the clocks skip an hour. Choose another time."
TWICE = "Clocks in {zone} show {time:%H:%M} twice on {time:%Y-%m-%d}: an hour repeats. Choose another time."


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
    """Times as 2026-11-30T18:00, as clocks of the zone show them; an empty one means none. What is so already is done
    again by doing nothing.

    Raises surveys.site.errors.Invalid.
    """
    survey = survey.locked()
    errors: dict[str, str] = {}
    typed = {"opens": opens, "closes": closes}
    times = {
        name: _time(name, text, errors, zone, getattr(survey, name)) for name, text in typed.items()
    }
    try:
        wanted = text_checks.target(target)
    except ValueError as error:
        errors["target"] = str(error)
    for name, time in times.items():
        if time and time != getattr(survey, name) and time <= timezone.now():
            errors[name] = (
                f"{time.astimezone(zone):%Y-%m-%d %H:%M} is in the past. Choose a later time, or leave it empty."
            )
    if not errors and times["opens"] and times["closes"] and times["closes"] <= times["opens"]:
        errors["closes"] = "Choose a closing time after the opening time."
    if not errors and not survey.is_draft and (wrong := _against_ends(survey, times["closes"])):
        errors["closes"] = wrong
    if (
        wrong := ""
        if "opens" in errors
        else ticket_phases.opening_time_problem(survey, times["opens"])
    ):
        errors["opens"] = wrong
    if errors:
        raise Invalid(errors)
    if (survey.opens, survey.closes, survey.target) == (times["opens"], times["closes"], wanted):
        return survey
    was_over = survey.is_over
    survey.opens, survey.closes, survey.target = times["opens"], times["closes"], wanted
    survey.archived = survey.archived and survey.is_over  # what takes responses is not hidden
    survey.save(update_fields=["opens", "closes", "target", "archived"])
    history.record(survey, by, history.What.SCHEDULED, _in_words(survey))
    if was_over and not survey.is_over:  # its closing time had passed, and is taken back
        history.record(survey, by, history.What.REOPENED)
        survey_reopened.send(Survey, survey=survey, by=by)
    return survey


def _against_ends(survey: Survey, closes: datetime | None) -> str:
    """Why a published survey cannot close then: its tickets are finished, or its responses are deleted by then."""
    if survey.is_finished and closes != survey.closes:
        return FINISHED
    if is_deletion_due(survey) and closes != survey.closes:
        return DELETED.format(day=survey.delete_on)
    return closing_problem(survey, closes)


def _time(
    name: str, text: str, errors: dict[str, str], zone: tzinfo, already: datetime | None
) -> datetime | None:
    text = text.strip()
    if not text:
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        errors[name] = "Write date and time like 2026-11-30T18:00."
        return None
    if time.tzinfo is not None or not 2000 <= time.year <= 2200:
        errors[name] = f"Write date and time like 2026-11-30T18:00, in {zone}."
        return None
    possible = matching_moments(time.replace(second=0, microsecond=0), zone)
    if already in possible:  # which of the two was said by a program, and stays as it is
        return already
    if len(possible) != 1:
        errors[name] = (NEVER, TWICE)[len(possible) == 2].format(time=time, zone=zone)
        return None
    return possible[0]


def _in_words(survey: Survey) -> str:
    said = [
        f"{word} {time:%Y-%m-%d %H:%M} UTC"
        for word, time in (("opens", survey.opens), ("closes", survey.closes))
        if time
    ]
    return (
        ", ".join([*said, *([f"target {survey.target}"] if survey.target else [])])
        or "no times, no target"
    )
