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


def problem(survey: Survey) -> str:
    """Why a draft cannot be published with its tickets; nothing where it can, or has none."""
    if not survey.tickets:
        return ""
    if survey.import_only:
        return "A survey that takes its responses from files has no tickets. Switch them off."
    if not settings.TICKET_KEY:
        return ticket_key.NO_KEY
    if survey.tickets == TWO and survey.opens is None:
        return (
            "In two steps people take their tickets until the survey opens, so it needs an opening time. Set one, or "
            "let people take a ticket and answer in one step."
        )
    if survey.tickets == TWO and survey.opens <= timezone.now():
        return (
            "In two steps people take their tickets until the survey opens, and its opening time is past. Choose a "
            "later one."
        )
    return ""


def wrong_opening(survey: Survey, opens: datetime | None) -> str:
    """Why a survey in two steps cannot open then; nothing where it can. Its respondents were promised the order."""
    if survey.is_draft or survey.tickets != TWO or opens == survey.opens:
        return ""
    if not survey.is_early:
        return "Answers are open, and people took their tickets on that promise. The opening time stays as it is."
    if opens is None or opens < survey.opens:
        return "In two steps the opening time can only move later, because people were told that they have until then."
    return ""


def waits(survey: Survey) -> str:
    """What keeps a survey in two steps from opening at its time, in a sentence; nothing where nothing does."""
    if not survey.lacks_tickets:
        return ""
    return (
        f"Fewer than {LEAST_FETCHED} people have taken a ticket, too few to hide anybody among them. Answers open once "
        "there are more: move the opening time later, and until then tickets are given out."
    )
