"""Sending what waits, one mail after the other: it is made, given to the mail server, and its row is deleted.

Whoever is stopped in between leaves the rows that are not sent, and the next run goes on with them. Nothing is sent
twice but one mail at most: the one that the server had taken when the sender was killed, before its row was deleted.
What the server refuses for now is tried again after growing pauses, and given up after three days; the other mails do
not wait for it. Nothing is written to a log about whom a mail went to.
"""

import time
from collections import Counter
from datetime import datetime, timedelta

from django.core.mail import EmailMessage
from django.db.models import Q

from features.invitations import mails, sender_lock
from features.invitations.addresses import address_problem
from features.invitations.links import iter_links, require_links
from features.invitations.mail_server import ConnectionFull, MailServer, NotTaken, Unreachable
from features.invitations.outbox import SHOWN, gives_out, has_server, with_ticket, without_ticket
from features.invitations.restored_mails import set_aside_after_restore
from surveys.fieldwork.link import site_url as own_site
from surveys.models import Mail
from surveys.site import clock
from surveys.site.errors import Refused

LONGEST = 45.0  # seconds of a run; the timer starts the next one
SENT, DROPPED, NOT_TAKEN, LATER = "sent", "dropped", "refused", "later"
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
STEP = 5 * MINUTE  # in which due times are stored
# Between one attempt and the next, three days in all.
PAUSES = (5 * MINUTE, 25 * MINUTE, 90 * MINUTE, 4 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR)
Kind = Mail.Kind


def send_waiting(site: str = "", longest: float = LONGEST) -> Counter[str]:
    """Send what is due, and return how many mails were sent, dropped because they would say what is not so any more,
    refused for good, and refused for now.

    What waited in a backup that was restored is set aside first.

    site: how links begin. Raises Unreachable. Does nothing while somebody else sends, without a mail server, or while
    the clock is not believed: whether a survey is over decides which mails are dropped.
    """
    done: Counter[str] = Counter()
    set_aside_after_restore()
    if not has_server() or not clock.is_believed() or _next() is None:
        return done
    ends = time.monotonic() + longest
    with sender_lock.sender_lock("mails") as held, MailServer() as server:
        if held is None:
            return done
        while time.monotonic() < ends and held.renew() and (found := _next()):
            try:
                done[_send(found, site or own_site(), server)] += 1
            except ConnectionFull:
                continue
            except Unreachable:
                if done[
                    SENT
                ]:  # the server takes no more for now: the next run says so where it takes none at all
                    break
                raise
    return done


def _next() -> Mail | None:
    """Return the next mail that is due, or None."""
    is_due = Q(due=None) | clock.due_by(clock.clock_now(), max(PAUSES))
    found = Mail.objects.filter(is_due, refused=False, set_aside=False)
    return (
        found.select_related("invitee__survey__instrument", "invitee__survey__issuer")
        .order_by("pk")
        .first()
    )


def _send(waiting: Mail, site: str, server: MailServer) -> str:
    """Send or drop a mail, and return what came of it. Only the holder of the turn calls this, so no other sends it."""
    if not _is_possible(waiting):
        waiting.delete()
        return DROPPED
    if not _is_needed(waiting):
        if waiting.attempts and waiting.kind in SHOWN:
            # Were it dropped now, those that are given up in the end would be known to have no ticket.
            return _postpone(waiting)
        waiting.delete()
        return DROPPED
    if address_problem(waiting.invitee.email):  # added by an earlier version
        return _give_up(waiting)
    return _hand_over(waiting, site, server)


def _hand_over(waiting: Mail, site: str, server: MailServer) -> str:
    """Give a mail to the mail server, and return what came of it."""
    try:
        message = _message(waiting, site)
    except Refused:
        # The site lacks the key of this survey’s links. Its operator puts it back, as manage.py doctor says.
        Mail.objects.filter(pk=waiting.pk).update(due=_due_after(HOUR))
        return LATER
    try:
        server.send(message)
    except NotTaken as error:
        return _give_up(waiting) if error.for_good else _postpone(waiting)
    waiting.delete()
    return SENT


def _postpone(waiting: Mail) -> str:
    """Let a mail wait for its next attempt, or give it up after the last one."""
    if waiting.attempts >= len(PAUSES):
        return _give_up(waiting)
    due = _due_after(PAUSES[waiting.attempts])
    Mail.objects.filter(pk=waiting.pk).update(attempts=waiting.attempts + 1, due=due)
    return LATER


def _due_after(pause: timedelta) -> datetime:
    """Return the end of a pause that begins now, rounded up to five minutes: the database keeps no finer time."""
    end = clock.clock_now() + pause + STEP - timedelta.resolution
    minute = end.minute - end.minute % 5
    return end.replace(minute=minute, second=0, microsecond=0)


def _give_up(waiting: Mail) -> str:
    """Keep an invitation or a new link, so that its address is listed. A reminder is deleted: that somebody was to be
    reminded says whether that person has a ticket.
    """
    if waiting.kind in SHOWN:
        Mail.objects.filter(pk=waiting.pk).update(refused=True)
    else:
        waiting.delete()
    return NOT_TAKEN


def _message(waiting: Mail, site: str) -> EmailMessage:
    """Plain text without a picture, an attachment or a link but its own: nobody is told that it was opened."""
    survey = waiting.invitee.survey
    [to] = iter_links(site, [waiting.invitee], survey)
    made = mails.compose_mail(waiting.kind, survey, to, site)
    return EmailMessage(made.subject, made.text, to=[waiting.invitee.email])


def _is_possible(waiting: Mail) -> bool:
    """Return whether its survey still has links, and is not over."""
    survey = waiting.invitee.survey
    try:
        require_links(survey)
    except Refused:
        return False
    if survey.is_over or not waiting.invitee.email:
        return False
    return waiting.kind == Kind.GENERAL or gives_out(survey)


def _is_needed(waiting: Mail) -> bool:
    """Return whether its person still is one of those that it is for: with a ticket, or without."""
    survey = waiting.invitee.survey
    people = with_ticket(survey) if waiting.kind == Kind.GENERAL else without_ticket(survey)
    return people.filter(pk=waiting.invitee.pk).exists()
