"""Invitees: who may fetch a ticket, whose code is replaced, and how many have fetched one.

Nobody can list who answered.
"""

import secrets
import uuid
from collections.abc import Sequence
from typing import NamedTuple

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Count, Sum

from surveys.accounts import history
from surveys.definition import ticket_key
from surveys.fieldwork.tickets import codes
from surveys.models import LEAST_TICKETS, Fetched, Invitee, Issuer, Survey
from surveys.site import clock
from surveys.site.errors import Invalid, Refused
from surveys.site.postgres_tables import note_rewriting

What = history.What
# People who are invited in one call.
MOST_AT_ONCE = 10_000
# Invited people of one survey.
MOST_INVITEES = 100_000
# Rows of one statement: PostgreSQL allows 65,535 parameters.
ROWS_PER_STATEMENT = 1_000


class Row(NamedTuple):
    """A person to invite. If both fields are empty, the code is for a letter without a name."""

    label: str = ""
    email: str = ""


class Counts(NamedTuple):
    """The numbers of invited people and of tickets.

    invited: people, including those who were withdrawn from the list.
    fetched: people who have taken a ticket; until the survey is over, as of the last release, and
        as `count_fetched` rounds this number down.
    tickets: tickets that they have taken; until the survey is over, the largest number that is
        possible for `fetched`: each replaced code may have given one ticket more.
    """

    invited: int
    fetched: int
    tickets: int

    @property
    def duplicates(self) -> int:
        """The largest number of people who answered twice, after a lost ticket was replaced.

        It is the number of tickets besides the first one of each person. Some of them may never
        have been sent with a response.
        """
        return self.tickets - self.fetched


@transaction.atomic
def invite(
    survey: Survey, rows: Sequence[Row], by: AbstractBaseUser | None = None
) -> list[Invitee]:
    """Add people to the list of a survey, and return their invitees, in the order of the rows.

    Each row gets an invitee and a code of its own, also if the list has the same name or email
    address already. Nothing is sent.

    Raise site.errors.Refused if nobody can be added, or no longer, and Invalid if there are too
    many people. The survey is locked.

    by: who invites them, for the history.
    """
    survey = survey.locked()
    require_inviting(survey)
    if len(rows) > MOST_AT_ONCE:
        raise Invalid(
            {"rows": f"Add at most {MOST_AT_ONCE:,} people at once. These are {len(rows):,}."}
        )
    if survey.invitees.count() + len(rows) > MOST_INVITEES:
        raise Invalid({"rows": f"A survey can have at most {MOST_INVITEES:,} invited people."})
    # The first key is the current one.
    key = next(ticket_key.code_keys())
    invitees = [_create_invitee(survey, key, row) for row in rows]
    Invitee.objects.bulk_create(invitees, batch_size=ROWS_PER_STATEMENT)
    history.record(survey, by, What.ASKED, f"{len(invitees):,}")
    return invitees


def _create_invitee(survey: Survey, key: bytes, row: Row) -> Invitee:
    """Return a new unsaved invitee, with the digest of a code that is derived with `key`."""
    pk = uuid.uuid4()
    digest = codes.digest(codes.derive_code(key, pk, generation=0))
    return Invitee(pk=pk, survey=survey, digest=digest, **row._asdict())


def require_inviting(survey: Survey) -> None:
    """Raise surveys.site.errors.Refused, with the reason, if nobody can be added to the list."""
    if not survey.tickets:
        raise Refused("This survey has no tickets. Anyone with the link can answer.")
    if survey.is_over:
        raise Refused("This survey is closed. You can’t invite people any more.")
    if survey.tickets == Survey.Tickets.TWO and not survey.is_draft and not survey.is_early:
        raise Refused(
            "Answers are open, so you can’t invite people any more. The time at which someone "
            "takes a ticket now could identify them. To ask more people, make a new version."
        )


@transaction.atomic
def replace(invitee: Invitee, by: AbstractBaseUser | None = None) -> Invitee:
    """Give an invitee who lost the ticket or the code a new code, and return the invitee.

    The old code takes no ticket any more; the new one takes one more ticket. The history of the
    survey records this without a name. The survey and the invitee are locked.

    Raise surveys.site.errors.Refused if nobody can be invited to the survey any more.

    by: who replaces the code, for the history.
    """
    survey = invitee.survey.locked()
    require_inviting(survey)
    invitee = Invitee.objects.select_for_update(no_key=True).get(pk=invitee.pk)
    invitee.generation += 1
    invitee.allowed = invitee.fetched.count() + 1
    key = next(ticket_key.code_keys())
    invitee.digest = codes.digest(codes.derive_code(key, invitee.pk, invitee.generation))
    invitee.save(update_fields=["generation", "allowed", "digest"])
    history.record(survey, by, What.REPLACED)
    return invitee


@transaction.atomic
def withdraw(invitee: Invitee) -> None:
    """Remove the name, email address, mails and code of an invitee. The invitee is locked.

    An invitee of a draft is deleted. In a published survey an empty row stays for every invitee
    alike; otherwise it would show who had taken a ticket. A ticket that was taken stays valid,
    since nobody can tell which one it is.
    """
    invitee = Invitee.objects.select_for_update(no_key=True).get(pk=invitee.pk)
    if invitee.survey.is_draft:
        invitee.delete()
        note_rewriting(Invitee)
        return
    invitee.mails.all().delete()
    invitee.label = ""
    invitee.email = ""
    # No code has this digest.
    invitee.digest = secrets.token_hex(32)
    invitee.withdrawn = True
    invitee.save(update_fields=["label", "email", "digest", "withdrawn"])
    note_rewriting(Invitee)


def counts(survey: Survey) -> Counts:
    """Return how many people are invited, and how many of them have taken tickets.

    If the tickets are finished, the counts are those that were stored then. If the survey is over,
    they are exact. Otherwise they change only at a release, in multiples of LEAST_TICKETS, and with
    the list and its replaced codes, so they do not show who has just taken a ticket.
    """
    issuer = Issuer.objects.filter(survey=survey).first()
    if issuer is not None and issuer.finished:
        return Counts(**issuer.finished)
    invited = survey.invitees.count()
    if survey.is_over_at(clock.now()):
        fetched, tickets = _count_people_and_tickets(survey)
        return Counts(invited=invited, fetched=fetched, tickets=tickets)
    # Without an issuer nobody has taken a ticket: the survey is a draft or has no tickets.
    fetched = issuer.counted if issuer is not None else 0
    # Each replaced code may have given a second ticket to the same person.
    n_replaced = survey.invitees.aggregate(sum=Sum("generation"))["sum"]
    if n_replaced is None:
        n_replaced = 0
    return Counts(invited=invited, fetched=fetched, tickets=fetched + n_replaced)


@transaction.atomic
def count_fetched(survey: Survey) -> None:
    """Store how many people have fetched a ticket, at a release. The issuer is locked.

    The stored number grows by multiples of LEAST_TICKETS, and is exact after the closing. Do
    nothing if the survey has no tickets, or they are finished.
    """
    issuer = Issuer.objects.select_for_update(no_key=True).filter(survey=survey).first()
    if issuer is None or issuer.is_finished:
        return
    n_people, _ = _count_people_and_tickets(survey)
    n_new = n_people - issuer.counted
    if not survey.is_over_at(clock.now()):
        n_new -= n_new % LEAST_TICKETS
    issuer.counted += n_new
    issuer.save(update_fields=["counted"])


def _count_people_and_tickets(survey: Survey) -> tuple[int, int]:
    """Return how many people have fetched a ticket, and how many tickets they have fetched."""
    fetched = Fetched.objects.filter(invitee__survey=survey)
    totals = fetched.aggregate(people=Count("invitee", distinct=True), tickets=Count("pk"))
    return totals["people"], totals["tickets"]
