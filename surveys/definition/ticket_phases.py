"""The phases of a survey with tickets: what publishing requires, and when answers may open.

With tickets in two steps, all respondents take their tickets before anyone answers, so that the
time when a ticket was taken leads to no response. This holds only if the opening time is never
moved forward, and if no ticket is issued once answers are open.
"""

from datetime import datetime

from django.conf import settings

from surveys.definition import ticket_key
from surveys.models import LEAST_TICKETS, Survey
from surveys.site import clock

TWO_STEPS = Survey.Tickets.TWO


def ticket_problem(survey: Survey) -> str:
    """Return why the ticket settings keep a draft from being published, or an empty string."""
    if not survey.tickets:
        return ""
    if survey.import_only:
        return "Switch tickets off. An import-only survey can’t have them."
    if not settings.TICKET_KEY:
        return ticket_key.NO_KEY
    if survey.tickets == TWO_STEPS and survey.opens is None:
        return (
            "Set an opening time: people take their tickets until the survey opens. "
            "Or choose “answer right away”."
        )
    if survey.tickets == TWO_STEPS and survey.opens <= clock.clock_now():
        return (
            "Choose a later opening time. People take their tickets until the survey opens, "
            "and that time is past."
        )
    return ""


def opening_time_problem(survey: Survey, opens: datetime | None) -> str:
    """Return why the opening time of a survey cannot be changed to `opens`, or an empty string.

    Only the opening time of a published survey with tickets in two steps is limited, because its
    respondents rely on it.
    """
    if survey.is_draft or survey.tickets != TWO_STEPS or opens == survey.opens:
        return ""
    if not survey.is_early:
        return (
            "You can’t change the opening time any more. Answers are open, and people took their "
            "tickets on that promise."
        )
    if opens is None or opens < survey.opens:
        return (
            "The opening time can only move later. People were told they have until then to take "
            "a ticket."
        )
    return ""


def opening_blocker(survey: Survey) -> str:
    """Return why too few people have a ticket for the survey to open, or an empty string.

    Only tickets in two steps can be too few: at least LEAST_TICKETS people must have taken one.
    """
    if not survey.lacks_tickets:
        return ""
    return (
        "Move the opening time later: people can take tickets until then. Fewer than "
        f"{LEAST_TICKETS} people have one, too few to hide anyone among them."
    )
