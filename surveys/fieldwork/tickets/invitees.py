"""Invitees: who may fetch a ticket, whose code is replaced, and how many have fetched one.

Nobody can list who answered.
"""

import secrets
import uuid
from collections.abc import Sequence
from typing import NamedTuple

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Count, QuerySet, Sum

from surveys.accounts import history
from surveys.definition import ticket_key
from surveys.fieldwork.tickets import codes
from surveys.models import LEAST_TICKETS, Fetched, Invitee, Issuer, Survey
from surveys.site import clock
from surveys.site.errors import Invalid, Refused
from surveys.site.postgres_tables import note_rewriting
from surveys.site.removals import Kind, record_removal, record_removals

What = history.What
# People who are invited in one call.
MOST_AT_ONCE = 10_000
# Invited people of one survey.
MOST_INVITEES = 100_000
# Rows of one statement: PostgreSQL allows 65,535 parameters.
ROWS_PER_STATEMENT = 1_000


class Row(NamedTuple):
    """A person to invite.

    label: the name or number by which the team knows the person, or "".
    email: the email address, or "". Without both, the person's code is for a letter without a name.
    """

    label: str = ""
    email: str = ""


class Counts(NamedTuple):
    """The numbers of invited people and of tickets.

    invited: people, including those who were withdrawn from the list.
    fetched: people who have taken a ticket. Until the survey is over, this is their number at the
        last release, rounded down by `count_fetched`.
    tickets: tickets that they have taken. Until the survey is over, this is the largest possible
        number: one for each of these people, and one more for each code that was replaced.
    """

    invited: int
    fetched: int
    tickets: int

    @property
    def duplicates(self) -> int:
        """The largest possible number of responses from people who have answered already.

        A person whose code was replaced may have taken a second ticket, and answered with both.
        The tickets beyond the first one of each person are counted. Some of them may never have
        been sent with a response.
        """
        n_first_tickets = self.fetched
        return self.tickets - n_first_tickets


@transaction.atomic
def invite(
    survey: Survey, rows: Sequence[Row], by: AbstractBaseUser | None = None
) -> list[Invitee]:
    """Add people to the list of a survey, and return their invitees, in the order of the rows.

    Each row gets an invitee and a code of its own, also if the list has the same name or email
    address already. Nothing is sent.

    Raise site.errors.Refused if nobody can be added to this survey, and Invalid if there are too
    many people. The survey is locked.

    by: who invites the people, for the history.
    """
    survey = survey.locked()
    require_inviting(survey)
    if len(rows) > MOST_AT_ONCE:
        raise Invalid(
            {"rows": f"Add at most {MOST_AT_ONCE:,} people at once. These are {len(rows):,}."}
        )
    if survey.invitees.count() + len(rows) > MOST_INVITEES:
        raise Invalid({"rows": f"A survey can have at most {MOST_INVITEES:,} invited people."})

    # The first key is the current one. Older ones are only for codes that exist already.
    key = next(ticket_key.code_keys())
    invitees = [_create_invitee(survey, key, row) for row in rows]
    Invitee.objects.bulk_create(invitees, batch_size=ROWS_PER_STATEMENT)
    history.record(survey, by, What.ASKED, f"{len(invitees):,}")
    return invitees


def _create_invitee(survey: Survey, key: bytes, row: Row) -> Invitee:
    """Return a new unsaved invitee, with the digest of a code that is derived with `key`.

    key: the first of ticket_key.code_keys.
    row: the person.
    """
    pk = uuid.uuid4()
    code = codes.derive_code(key, pk, generation=0)
    digest = codes.digest(code)
    return Invitee(pk=pk, survey=survey, digest=digest, **row._asdict())


def require_inviting(survey: Survey) -> None:
    """Raise surveys.site.errors.Refused, with the reason, if nobody can be added to the list.

    People can be added to a draft and to an open or paused survey with tickets. A survey in which
    all tickets are taken before anybody answers takes no more people once answers are open.
    """
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

    The old code takes no ticket any more; the new one takes one, also if the invitee has taken one
    already. The history of the survey records this without a name. The survey and the invitee are
    locked.

    Raise surveys.site.errors.Refused if nobody can be invited to the survey any more.

    by: who replaces the code, for the history.
    """
    survey = invitee.survey.locked()
    require_inviting(survey)
    invitee = Invitee.objects.select_for_update(no_key=True).get(pk=invitee.pk)
    # A code depends on its generation, so a higher one gives another code.
    invitee.generation += 1
    invitee.allowed = invitee.fetched.count() + 1
    # The first key is the current one.
    key = next(ticket_key.code_keys())
    code = codes.derive_code(key, invitee.pk, invitee.generation)
    invitee.digest = codes.digest(code)
    invitee.save(update_fields=["generation", "allowed", "digest"])
    history.record(survey, by, What.REPLACED)
    return invitee


@transaction.atomic
def withdraw(invitee: Invitee) -> None:
    """Remove the name, email address, mails and code of an invitee. The invitee is locked.

    An invitee of a draft is deleted. In a published survey the row stays without these, whether or
    not the invitee has taken a ticket, so it does not show who has taken one. A ticket that was
    taken stays valid, since nobody can tell which one it is.
    """
    invitee = Invitee.objects.select_for_update(no_key=True).get(pk=invitee.pk)
    if invitee.survey.is_draft:
        delete_invitees(Invitee.objects.filter(pk=invitee.pk))
        return

    record_removal(Kind.INVITEE, invitee.pk)
    invitee.mails.all().delete()
    invitee.label = ""
    invitee.email = ""
    # A random digest belongs to no code. It is not empty because digests are unique.
    invitee.digest = secrets.token_hex(32)
    invitee.withdrawn = True
    invitee.save(update_fields=["label", "email", "digest", "withdrawn"])
    note_rewriting(Invitee)


@transaction.atomic
def delete_invitees(invitees: QuerySet[Invitee]) -> int:
    """Delete invitees of drafts, so that they do not return with a backup, and return how many.

    Nobody may publish the drafts meanwhile.
    """
    keys = list(invitees.values_list("pk", flat=True))
    record_removals(Kind.INVITEE, keys)
    invitees.delete()
    note_rewriting(Invitee)
    return len(keys)


def counts(survey: Survey) -> Counts:
    """Return how many people are invited, how many of them took a ticket, and how many tickets.

    Once the survey is over, the counts are exact. Until then the number of people with a ticket is
    that of `count_fetched`, which grows only at a release and in multiples of LEAST_TICKETS. So
    nobody can see who has just taken a ticket.
    """
    issuer = Issuer.objects.filter(survey=survey).first()
    # Once the tickets are finished, the people are deleted, and only these stored counts are left.
    if issuer is not None and issuer.finished:
        return Counts(**issuer.finished)

    invited = survey.invitees.count()
    if survey.is_over_at(clock.now()):
        fetched, tickets = _count_people_and_tickets(survey)
        return Counts(invited=invited, fetched=fetched, tickets=tickets)

    # Without an issuer nobody has taken a ticket: the survey is a draft or has no tickets.
    fetched = issuer.counted if issuer is not None else 0
    # The generation of an invitee is how often the code was replaced. Each time the person may have
    # taken one more ticket.
    n_replaced = survey.invitees.aggregate(sum=Sum("generation"))["sum"]
    if n_replaced is None:
        n_replaced = 0
    return Counts(invited=invited, fetched=fetched, tickets=fetched + n_replaced)


@transaction.atomic
def count_fetched(survey: Survey) -> None:
    """Bring the stored number of people who fetched a ticket up to date. The issuer is locked.

    Each release calls this. The stored number grows by multiples of LEAST_TICKETS, and is exact
    once the survey is over. Do nothing if the survey has no tickets, or they are finished.
    """
    issuer = Issuer.objects.select_for_update(no_key=True).filter(survey=survey).first()
    if issuer is None or issuer.is_finished:
        return
    n_people, _ = _count_people_and_tickets(survey)
    n_new = n_people - issuer.counted
    # While the survey is running, a smaller increase would show who has just taken a ticket.
    if not survey.is_over_at(clock.now()):
        n_new -= n_new % LEAST_TICKETS
    issuer.counted += n_new
    issuer.save(update_fields=["counted"])


def _count_people_and_tickets(survey: Survey) -> tuple[int, int]:
    """Return how many people have fetched a ticket, and how many tickets they have fetched.

    A person whose code was replaced may have fetched several.
    """
    fetched = Fetched.objects.filter(invitee__survey=survey)
    totals = fetched.aggregate(people=Count("invitee", distinct=True), tickets=Count("pk"))
    return totals["people"], totals["tickets"]
