"""Inviting: who may fetch a ticket, whose code is replaced, and how many have fetched. Nobody can list who answered."""

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
from surveys.models import LEAST_FETCHED as GROUP, Fetched, Invitee, Issuer, Survey
from surveys.site import clock
from surveys.site.errors import Invalid, Refused
from surveys.site.postgres_tables import note_rewriting

What = history.What
MOST_AT_ONCE = 10_000
MOST = 100_000  # of a survey
MANY = 1_000  # rows in one statement: PostgreSQL takes 65,535 parameters


class Row(NamedTuple):
    """Somebody to invite. Both may be empty: then a code is made for a letter."""

    label: str = ""
    email: str = ""


class Counts(NamedTuple):
    """invited: people, with those who were taken off the list. fetched: those of them who have taken a ticket, as of
    the last release run and in whole groups until the survey is closed. tickets: that they have taken, at most until
    then.
    """

    invited: int
    fetched: int
    tickets: int

    @property
    def duplicates(self) -> int:
        """How many of the answers may be a second one, after a lost ticket was replaced."""
        return self.tickets - self.fetched


@transaction.atomic
def invite(
    survey: Survey, rows: Sequence[Row], by: AbstractBaseUser | None = None
) -> list[Invitee]:
    """Add people, in the order of the rows. Raises site.errors.Refused where nobody can be added (any more), and
    Invalid where they are too many.
    """
    survey = survey.locked()
    require_inviting(survey)
    if len(rows) > MOST_AT_ONCE:
        raise Invalid(
            {"rows": f"Add at most {MOST_AT_ONCE:,} people at once. These are {len(rows):,}."}
        )
    if survey.invitees.count() + len(rows) > MOST:
        raise Invalid({"rows": f"A survey can have at most {MOST:,} invited people."})
    key = next(ticket_key.code_keys())
    made = [_invitee(survey, key, row) for row in rows]
    Invitee.objects.bulk_create(made, batch_size=MANY)
    history.record(survey, by, What.ASKED, f"{len(made):,}")
    return made


def _invitee(survey: Survey, key: bytes, row: Row) -> Invitee:
    pk = uuid.uuid4()
    return Invitee(
        pk=pk, survey=survey, digest=codes.digest(codes.derive_code(key, pk, 0)), **row._asdict()
    )


def require_inviting(survey: Survey) -> None:
    """Raises surveys.site.errors.Refused where nobody can be added, with the reason."""
    if not survey.tickets:
        raise Refused("This survey has no tickets. Anyone with the link can answer.")
    if survey.is_over:
        raise Refused("This survey is closed. You can’t invite people any more.")
    if survey.tickets == Survey.Tickets.TWO and not survey.is_draft and not survey.is_early:
        raise Refused(
            "Answers are open, so you can’t invite people any more. The time at which someone takes a ticket now "
            "could identify them. To ask more people, make a new version."
        )


@transaction.atomic
def replace(invitee: Invitee, by: AbstractBaseUser | None = None) -> Invitee:
    """A new code for who lost the ticket or the code; the old code takes no ticket any more. The survey's history
    tells of it without a name. Raises surveys.site.errors.Refused.
    """
    survey = invitee.survey.locked()
    require_inviting(survey)
    invitee = Invitee.objects.select_for_update(no_key=True).get(pk=invitee.pk)
    invitee.generation += 1
    invitee.allowed = invitee.fetched.count() + 1
    invitee.digest = codes.digest(
        codes.derive_code(next(ticket_key.code_keys()), invitee.pk, invitee.generation)
    )
    invitee.save(update_fields=["generation", "allowed", "digest"])
    history.record(survey, by, What.REPLACED)
    return invitee


@transaction.atomic
def withdraw(invitee: Invitee) -> None:
    """Take somebody off the list: name, address and code go. Alike for all, or it would tell who took a ticket; one
    that was taken stays good, since nobody can tell which it is.
    """
    invitee = Invitee.objects.select_for_update(no_key=True).get(pk=invitee.pk)
    if invitee.survey.is_draft:
        invitee.delete()
        note_rewriting(Invitee)
        return
    invitee.mails.all().delete()
    invitee.label, invitee.email, invitee.digest, invitee.withdrawn = (
        "",
        "",
        secrets.token_hex(32),
        True,
    )
    invitee.save(update_fields=["label", "email", "digest", "withdrawn"])
    note_rewriting(Invitee)


def counts(survey: Survey) -> Counts:
    """Of a finished survey as of then. While tickets can be taken nobody sees who has just taken one."""
    issuer = Issuer.objects.filter(survey=survey).first()
    if issuer is not None and issuer.finished:
        return Counts(**issuer.finished)
    invited = survey.invitees.count()
    if survey.is_over_at(clock.now()):
        return Counts(invited, *_taken(survey))
    fetched = issuer.counted if issuer is not None else 0
    replaced = survey.invitees.aggregate(sum=Sum("generation"))["sum"] or 0
    return Counts(invited, fetched, fetched + replaced)


@transaction.atomic
def count_fetched(survey: Survey) -> None:
    """For a release run: note how many have a ticket, a whole group more at a time, and exactly after the closing."""
    issuer = Issuer.objects.select_for_update(no_key=True).filter(survey=survey).first()
    if issuer is None or issuer.is_finished:
        return
    more = _taken(survey)[0] - issuer.counted
    issuer.counted += more if survey.is_over_at(clock.now()) else more - more % GROUP
    issuer.save(update_fields=["counted"])


def _taken(survey: Survey) -> tuple[int, int]:
    """(people, tickets)."""
    taken = Fetched.objects.filter(invitee__survey=survey)
    totals = taken.aggregate(people=Count("invitee", distinct=True), tickets=Count("pk"))
    return totals["people"], totals["tickets"]
