"""Tickets in one step or in two: what has to be so before publishing, and when a survey in two steps may open.

In two steps everybody takes a ticket before anybody answers, so that no time of taking one leads to a response. That
holds only as long as the opening cannot come nearer, and no ticket is given out once answers are open.
"""

from datetime import datetime

from django.conf import settings
from django.utils import timezone

from surveys.definition import ticket_key
from surveys.models import LEAST_FETCHED, Survey

TWO = Survey.Tickets.TWO


def ticket_problem(survey: Survey) -> str:
    """Return why the ticket settings keep a draft from being published, or an empty string."""
    if not survey.tickets:
        return ""
    if survey.import_only:
        return "Switch tickets off. An import-only survey can’t have them."
    if not settings.TICKET_KEY:
        return ticket_key.NO_KEY
    if survey.tickets == TWO and survey.opens is None:
        return "Set an opening time: people take their tickets until the survey opens. Or choose “answer right away”."
    if survey.tickets == TWO and survey.opens <= timezone.now():
        return "Choose a later opening time. People take their tickets until the survey opens, and that time is past."
    return ""


def wrong_opening(survey: Survey, opens: datetime | None) -> str:
    """Why a survey in two steps cannot open then; nothing where it can. Its respondents were promised the order."""
    if survey.is_draft or survey.tickets != TWO or opens == survey.opens:
        return ""
    if not survey.is_early:
        return (
            "You can’t change the opening time any more. Answers are open, and people took their tickets on that "
            "promise."
        )
    if opens is None or opens < survey.opens:
        return "The opening time can only move later. People were told they have until then to take a ticket."
    return ""


def opening_blocker(survey: Survey) -> str:
    """Return what keeps a survey with tickets from opening, or an empty string."""
    if not survey.lacks_tickets:
        return ""
    return (
        f"Move the opening time later: people can take tickets until then. Fewer than {LEAST_FETCHED} people have "
        "one, too few to hide anyone among them."
    )
