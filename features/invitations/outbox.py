"""Which mails wait to be sent: written down at once, sent by the timer. Nobody is reminded of what nobody can know."""

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Count, F, QuerySet

from features.invitations.links import require_links
from features.invitations.restored_mails import SHOWN, set_aside_after_restore
from surveys.accounts import history
from surveys.models import Invitee, Mail, Survey
from surveys.site import clock
from surveys.site.errors import Refused

MANY = 1_000  # rows in one statement
Kind = Mail.Kind
GENERAL = "all who have a ticket"  # how the history says it
NO_SERVER = (
    "Download the links and send them yourself, or ask the site’s operator. This site sends no mail: EMAIL_URL is not "
    "set."
)
ONCE = (
    "The general reminder has been sent. You can send it only once: no one can see who has answered, so everyone with "
    "a ticket gets it."
)


def has_server() -> bool:
    """Whether the site was told where mails go."""
    return bool(settings.EMAIL_URL)


def unmailed_invitees(survey: Survey) -> QuerySet[Invitee]:
    """Those with an address who were not written to. Who has a ticket without that is left out when mails are sent:
    their number would tell.
    """
    return survey.invitees.filter(mailed=False).exclude(email="")


def without_ticket(survey: Survey) -> QuerySet[Invitee]:
    """Those whose code was not used yet; after a replacement, the new one. Only for whom mails go to: never counted."""
    return survey.invitees.annotate(taken=Count("fetched")).filter(taken__lt=F("allowed"))


def with_ticket(survey: Survey) -> QuerySet[Invitee]:
    """As above."""
    return survey.invitees.annotate(taken=Count("fetched")).filter(taken__gte=F("allowed"))


@transaction.atomic
def invite(survey: Survey, by: AbstractBaseUser | None = None) -> int:
    """Let an invitation wait for everybody with an address who has had none; how many. Raises Refused."""
    survey = _lock_for_inviting(survey)
    _require_giving(survey)
    made = _queue(unmailed_invitees(survey), Kind.INVITATION)
    survey.invitees.filter(mails__kind=Kind.INVITATION).update(mailed=True)
    if made:
        history.record(survey, by, history.What.MAILED, f"{made:,} invitations")
    return made


@transaction.atomic
def remind(survey: Survey, kind: str, by: AbstractBaseUser | None = None) -> None:
    """Let a reminder wait: for those without a ticket as often as wanted, for the rest once. Raises Refused.

    How many they are is told to nobody: it would be the number of those who have a ticket, to the second.
    kind: "reminder" or "general".
    """
    survey = _lock_for_inviting(survey)
    if kind == Kind.GENERAL:
        if survey.state != Survey.Status.OPEN:
            raise Refused("Wait until answers are open. No one can answer now.")
        if _has_general_reminder(survey):
            raise Refused(ONCE)
        people = with_ticket(survey)
    else:
        _require_giving(survey)
        people = without_ticket(survey).filter(mailed=True)
    _queue(people.exclude(email=""), kind)
    said = GENERAL if kind == Kind.GENERAL else "all who have no ticket yet"
    history.record(survey, by, history.What.REMINDED, said)


@transaction.atomic
def send_replacement(invitee: Invitee) -> bool:
    """Let the new link wait for who lost the old one; whether it does: not without an address or a mail server."""
    if not invitee.email or not has_server() or invitee.survey.is_draft:
        return False
    set_aside_after_restore()
    Mail.objects.filter(invitee=invitee).delete()  # all of them would bring the same new link
    Mail.objects.create(invitee=invitee, kind=Kind.REPLACEMENT)
    Invitee.objects.filter(pk=invitee.pk).update(mailed=True)
    return True


@transaction.atomic
def try_again(survey: Survey) -> int:
    """Those that the mail server did not take wait once more; how many."""
    return refused_mails(survey).update(refused=False, attempts=0, due=None)


def count_queued(survey: Survey) -> int:
    """Return how many invitations and new links are queued. Reminders are not counted."""
    return _waiting_mails(survey).count()


def delayed(survey: Survey) -> int:
    """Return how many of those that wait the mail server has refused for now."""
    return _waiting_mails(survey).filter(attempts__gt=0).count()


def _waiting_mails(survey: Survey) -> QuerySet[Mail]:
    return Mail.objects.filter(
        invitee__survey=survey, refused=False, set_aside=False, kind__in=SHOWN
    )


def refused_mails(survey: Survey) -> QuerySet[Mail]:
    """Return the mails that the mail server refused."""
    return Mail.objects.filter(invitee__survey=survey, refused=True, kind__in=SHOWN)


def set_aside(survey: Survey) -> int:
    """Return how many invitations and new links wait for a decision, because the site was restored."""
    return _set_aside_mails(survey).count()


@transaction.atomic
def send_set_aside(survey: Survey) -> int:
    """Let the mails that were set aside wait to be sent. Return how many they are."""
    return _set_aside_mails(survey).update(set_aside=False, attempts=0, due=None)


@transaction.atomic
def discard_set_aside(survey: Survey) -> None:
    """Delete the mails that were set aside. Their people count as written to, and can be reminded."""
    _set_aside_mails(survey).delete()


def _set_aside_mails(survey: Survey) -> QuerySet[Mail]:
    return Mail.objects.filter(invitee__survey=survey, set_aside=True)


def has_unsent_after_restore(survey: Survey) -> bool:
    """Return whether the site was restored since the last mails of this survey were asked for."""
    kinds = (history.What.MAILED, history.What.REMINDED, history.What.RESTORED)
    last = survey.events.filter(what__in=kinds).order_by("pk").last()
    return last is not None and last.what == history.What.RESTORED


def _has_general_reminder(survey: Survey) -> bool:
    """Return whether it was sent. One from before a restore may have been deleted instead."""
    reminders = survey.events.filter(what=history.What.REMINDED, detail__startswith=GENERAL)
    restore = survey.events.filter(what=history.What.RESTORED).order_by("pk").last()
    if restore is not None:
        reminders = reminders.filter(pk__gt=restore.pk)
    return reminders.exists()


def require_server() -> None:
    if not has_server():
        raise Refused(NO_SERVER)


def _lock_for_inviting(survey: Survey) -> Survey:
    """Lock and return the survey. Raises Refused if nobody can be invited."""
    require_server()
    survey = survey.locked()
    require_links(survey)
    if survey.is_over:
        raise Refused("This survey is closed. You can’t invite or remind people any more.")
    return survey


def gives_out(survey: Survey) -> bool:
    """Whether tickets can be taken now, but for a pause. In two steps not once the opening time has come."""
    if survey.is_draft or survey.is_over or not survey.tickets:
        return False
    return survey.tickets == Survey.Tickets.ONE or survey.opens > clock.clock_now()


def _require_giving(survey: Survey) -> None:
    if not gives_out(survey):
        raise Refused(
            "No one can take a ticket any more, so we send no invitations or reminders for it."
        )


def _queue(chosen: QuerySet[Invitee], kind: str) -> int:
    """One of a kind for each: whoever waits for one already gets no second."""
    set_aside_after_restore()  # only what waited before it, not what comes now
    already = Mail.objects.filter(kind=kind).values("invitee")
    keys = list(chosen.exclude(pk__in=already).values_list("pk", flat=True))
    Mail.objects.bulk_create((Mail(invitee_id=key, kind=kind) for key in keys), batch_size=MANY)
    return len(keys)
