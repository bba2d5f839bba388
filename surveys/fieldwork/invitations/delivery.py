"""Sending what waits, one mail after the other: it is made, given to the mail server, and its row is deleted.

Whoever is stopped in between leaves the rows that are not sent, and the next run goes on with them. Nothing is sent
twice but one mail at most: the one that the server had taken when the sender was killed, before its row was deleted.
Nothing is written to a log about whom a mail went to.
"""

import smtplib
import time
from collections import Counter

from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

from surveys.fieldwork.invitations import mails, sender_lock
from surveys.fieldwork.invitations.links import linked, require_links
from surveys.fieldwork.invitations.outbox import gives_out, has_server, with_ticket, without_ticket
from surveys.fieldwork.link import site as own_site
from surveys.models import Mail
from surveys.site import clock
from surveys.site.errors import Refused

LONGEST = 45.0  # seconds of a run; the timer starts the next one
SENT, DROPPED, NOT_TAKEN = "sent", "dropped", "refused"
Kind = Mail.Kind


class Unreachable(Exception):
    """The mail server does not answer, or takes nothing now. What waits goes on waiting."""


def send_waiting(site: str = "", longest: float = LONGEST) -> Counter[str]:
    """How many mails were sent, dropped because they would say what is not so any more, and refused for good.

    site: how links begin. Raises Unreachable. Does nothing while somebody else sends, without a mail server, or while
    the clock is not believed: whether a survey is over decides which mails are dropped.
    """
    done: Counter[str] = Counter()
    if not has_server() or not clock.is_believed() or not Mail.objects.filter(refused=False).exists():
        return done
    ends = time.monotonic() + longest
    with sender_lock.turn("mails") as held:
        if held is None:
            return done
        with _server() as server:
            while time.monotonic() < ends and held.keep() and (found := _next()):
                done[_send(found, site or own_site(), server)] += 1
    return done


def _next() -> Mail | None:
    found = Mail.objects.filter(refused=False).select_related("invitee__survey__instrument", "invitee__survey__issuer")
    return found.order_by("pk").first()


def _server() -> BaseEmailBackend:
    try:
        server = mail.get_connection(fail_silently=False)
        server.open()
    except (OSError, smtplib.SMTPException) as error:
        raise Unreachable(_said(error)) from None
    return server


def _send(waiting: Mail, site: str, server: BaseEmailBackend) -> str:
    """What came of it. Only the one who holds the turn comes here, so nobody else sends this row."""
    if not _is_due(waiting):
        waiting.delete()
        return DROPPED
    try:
        _message(waiting, site, server).send()
    except (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError, smtplib.SMTPSenderRefused) as error:
        if not _is_for_good(error):
            raise Unreachable(_said(error)) from None
        Mail.objects.filter(pk=waiting.pk).update(refused=True)
        return NOT_TAKEN
    except (OSError, smtplib.SMTPException) as error:
        raise Unreachable(_said(error)) from None
    waiting.delete()
    return SENT


def _message(waiting: Mail, site: str, server: BaseEmailBackend) -> EmailMessage:
    """Plain text without a picture, an attachment or a link but its own: nobody is told that it was opened."""
    survey = waiting.invitee.survey
    [to] = linked(site, [waiting.invitee], survey)
    made = mails.written(waiting.kind, survey, to, site)
    return EmailMessage(made.subject, made.text, to=[waiting.invitee.email], connection=server)


def _is_due(waiting: Mail) -> bool:
    """Whether what it says is still so."""
    invitee, survey = waiting.invitee, waiting.invitee.survey
    try:
        require_links(survey)
    except Refused:
        return False
    if survey.is_over or not invitee.email:
        return False
    if waiting.kind == Kind.GENERAL:
        return with_ticket(survey).filter(pk=invitee.pk).exists()
    if not gives_out(survey):
        return False
    return without_ticket(survey).filter(pk=invitee.pk).exists()


def _is_for_good(error: smtplib.SMTPException) -> bool:
    """A status of 5xx for the one recipient; what is refused about the sender is the site's to mend."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(500 <= status < 600 for status, _ in error.recipients.values())
    return isinstance(error, smtplib.SMTPDataError) and 500 <= error.smtp_code < 600


def _said(error: Exception) -> str:
    """Without an address, which may stand in what a server answers."""
    status = getattr(error, "smtp_code", None)
    return f"The mail server answered {status}." if status else f"The mail server: {type(error).__name__}."
