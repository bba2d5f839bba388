"""Links under which anyone reads the report of a closed survey, until a day, and sees what public results show.

Only the hash of a link's secret is kept. Opening the survey again ends all: receivers.py.
"""

import secrets
from collections.abc import Sequence
from datetime import date, timedelta

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import QuerySet

from features.shared_reports.publication import require_results
from surveys.accounts import history
from surveys.accounts.tokens import digest, today
from surveys.models import ReportLink, Survey
from surveys.operation.repeated_removals import existing
from surveys.site import clock
from surveys.site.errors import Invalid, Refused
from surveys.site.removals import Kind, record_removals

DAYS, MOST_DAYS = 14, 90  # that a link works, unless its maker says otherwise, and at most
MOST_LINKS = 20  # of one survey at a time
NOTE_LENGTH = 80
NOT_OVER = "Close the survey first. Then you can make links."
ENDED = "This link has already ended."


def default_until() -> date:
    return today() + timedelta(days=DAYS)


def active_links(survey: Survey) -> QuerySet[ReportLink]:
    """Return the links that work today, ordered by their last day."""
    return survey.report_links.filter(until__gte=today()).select_related("by")


@transaction.atomic
def create(
    *, survey: Survey, by: AbstractBaseUser, until: str = "", note: str = ""
) -> tuple[ReportLink, str]:
    """A new link with its secret, which can be read this one time.

    until: the last day on which it works, in UTC, as 2026-12-09; empty for DAYS days from now. note: for the team.
    Raises surveys.site.errors.Invalid; Refused until the closing has released all that it will, or if that is nothing.
    """
    survey = survey.locked()
    if not survey.is_over:
        raise Invalid({"survey": NOT_OVER})
    require_results(survey)
    delete_links(survey.report_links.filter(until__lt=clock.now().date()))
    note, errors = " ".join(note.split()), {}
    try:
        day = _day(until)
    except ValueError as error:
        errors["until"] = str(error)
    if len(note) > NOTE_LENGTH or not note.isprintable():
        errors["note"] = f"Write at most {NOTE_LENGTH} characters."
    if survey.report_links.count() >= MOST_LINKS:
        errors["survey"] = (
            f"Switch a link off first. A survey can have at most {MOST_LINKS} at a time."
        )
    if errors:
        raise Invalid(errors)
    return _create(survey, by, day, note)


def _day(text: str) -> date:
    """Raises ValueError with what is wrong."""
    if not text.strip():
        return default_until()
    last = today() + timedelta(days=MOST_DAYS)
    try:
        day = date.fromisoformat(text.strip())
    except ValueError:
        raise ValueError("Write the last day like 2030-12-31.") from None
    if not today() <= day <= last:
        raise ValueError(
            f"Choose a day from today to {last}: a link works for at most {MOST_DAYS} days."
        )
    return day


def _create(survey: Survey, by: AbstractBaseUser, until: date, note: str) -> tuple[ReportLink, str]:
    secret = secrets.token_urlsafe(16)
    about = {"note": note, "until": until, "by": by, "created": today()}
    link = ReportLink.objects.create(survey=survey, sha256=digest(secret), **about)
    history.record(
        survey, by, history.What.LINKED, f"{note}, until {until}" if note else f"until {until}"
    )
    return link, secret


@transaction.atomic
def switch_off(*, link: ReportLink, by: AbstractBaseUser) -> None:
    """Raises surveys.site.errors.Refused where it has ended meanwhile."""
    end_report_link(_locked(link), by)


@transaction.atomic
def renew(*, link: ReportLink, by: AbstractBaseUser) -> tuple[ReportLink, str]:
    """A new link with the same note and last day, and its secret; this one ends. Raises as switch_off."""
    link = _locked(link)
    end_report_link(link, by)
    return _create(link.survey, by, link.until, link.note)


def end_report_link(link: ReportLink, by: AbstractBaseUser | None) -> None:
    """Delete a link and write it into the history, in a transaction that holds the survey."""
    delete_links(ReportLink.objects.filter(pk=link.pk))
    history.record(link.survey, by, history.What.UNLINKED, link.note)


@transaction.atomic
def delete_links(links: QuerySet[ReportLink]) -> int:
    """Delete links, so that they do not return with a backup either, and return how many."""
    keys = list(links.values_list("pk", flat=True))
    record_removals(Kind.REPORT_LINK, keys)
    total, _ = ReportLink.objects.filter(pk__in=keys).delete()
    return total


def delete_links_again(ids: Sequence[str]) -> int:
    """Delete links that have returned with a backup, and return how many.

    ids: their ids in the journal of removals.
    """
    return sum(delete_links(rows) for rows in existing(ReportLink, ids))


def _locked(link: ReportLink) -> ReportLink:
    working = active_links(link.survey.locked()).filter(pk=link.pk).first()
    if working is None:
        raise Refused(ENDED)
    return working


def find_link(secret: str) -> ReportLink | None:
    """Return the link with this secret if it works, or None."""
    links = ReportLink.objects.select_related("survey__instrument").filter(until__gte=today())
    link = links.filter(sha256=digest(secret)).first()
    return link if link and link.survey.is_over else None
