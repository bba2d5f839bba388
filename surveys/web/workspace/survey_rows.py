"""The list of surveys as one of their people reads it: how each stands, what it shows so far, versions together.

Responses are those in the report, and no word of others. Days are those of releases and of what researchers did.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from uuid import UUID

from django.db.models import (
    BooleanField,
    Count,
    ExpressionWrapper,
    OuterRef,
    QuerySet,
    Subquery,
    Value,
)
from django.utils import timezone

from surveys.accounts.access import User, surveys_of
from surveys.accounts.history import EDIT_EVENTS
from surveys.authoring.planning.precision import widest_margins
from surveys.definition import fields
from surveys.definition.parsing import parse_instrument
from surveys.definition.protection import definition_losses
from surveys.definition.search import matches_text
from surveys.fieldwork.responses.released import released_from
from surveys.models import Event, Instrument, Membership, Question, Role, Survey

ALL, OPEN, DRAFTS, CLOSED, ARCHIVE = SHELVES = ("all", "open", "drafts", "closed", "archive")
ORDER = ("draft", "scheduled", "open", "filling", "paused", "closed")  # of a survey's life
OWNER = "Owner"
BESIDE = ("short_names", "nones", "values")  # of an instrument, which its parsed form needs


@dataclass(frozen=True)
class Row:
    """One survey. now, at_target: the widest margin among its sensitive questions, as fractions; None where there is
    none to tell. changed: the day of its last release or edit."""

    survey: Survey
    role: str
    questions: int
    released: int = 0
    changed: date | None = None
    version: int = 1
    versions: int = 1
    now: float | None = None
    at_target: float | None = None
    colour: str = ""  # of its protection, of what is published to people
    older: list["Row"] = field(default_factory=list)  # of the same series, the newest first

    @property
    def shelf(self) -> str:
        if self.survey.archived:
            return ARCHIVE
        return {"draft": DRAFTS, "closed": CLOSED}.get(self.survey.state, OPEN)

    @property
    def progress(self) -> float:
        """How much of the target is released, in percent; never beyond 100."""
        return min(100.0, 100 * self.released / self.survey.target) if self.survey.target else 0.0


SORTS = {
    "title": lambda row: row.survey.title.casefold(),
    "state": lambda row: ORDER.index(row.survey.state),
    "responses": lambda row: row.released,
    "changed": lambda row: (row.changed or date.min, row.survey.created),
    "role": lambda row: row.role,
}


@dataclass(frozen=True)
class Listing:
    """counts: how many there are on each shelf. rows: those of the shelf, older versions under the newest."""

    counts: Mapping[str, int]
    rows: list[Row]


def listing(user: User, *, text: str = "", shelf: str = ALL, sort: str = "-changed") -> Listing:
    """What a person may see. text: in the title or a question; shelf: one of SHELVES; sort: one of SORTS, or reversed
    with "-" before it."""
    visible = list(_visible(user, text))
    numbers = _numbered(visible)
    rows = [_row(survey, *numbers[survey.pk]) for survey in visible if survey.is_found]
    shelves = Counter(row.shelf for row in rows)
    counts = {name: shelves[name] for name in SHELVES} | {ALL: len(rows) - shelves[ARCHIVE]}
    shown = [row for row in rows if row.shelf == shelf or (shelf == ALL and row.shelf != ARCHIVE)]
    shown.sort(key=SORTS[sort.removeprefix("-")], reverse=sort.startswith("-"))
    return Listing(counts, _folded(shown, {pk: family for pk, (family, *_) in numbers.items()}))


def with_margins(rows: list[Row]) -> list[Row]:
    """The same with what the responses show: for one page of them, since the questions have to be read."""
    asked = [row for row in rows if not row.survey.is_draft and not row.survey.import_only]
    keys = [row.survey.instrument.pk for row in asked]
    read = Instrument.objects.only("sha256", "content", *BESIDE).filter(pk__in=keys)
    papers = {each.pk: parse_instrument(each) for each in read}
    frozen = [papers[key] for key in keys]
    now = widest_margins(zip(frozen, (row.released for row in asked), strict=True))
    wanted = widest_margins(zip(frozen, (row.survey.target or 0 for row in asked), strict=True))
    found = {
        row.survey.pk: {"now": a, "at_target": b}
        for row, a, b in zip(asked, now, wanted, strict=True)
    }
    for row, each in zip(asked, frozen, strict=True):
        found[row.survey.pk]["colour"] = definition_losses(each).grade_colour
    return [replace(row, **found.get(row.survey.pk, {})) for row in rows]


def _visible(user: User, text: str) -> QuerySet[Survey]:
    """All of them, with everything that a row needs but its questions, and whether it has the text: one statement."""
    of_it = {"survey": OuterRef("pk")}
    edited = Event.objects.filter(**of_it, what__in=EDIT_EVENTS).order_by("-pk").values("when")[:1]
    role = Membership.objects.filter(**of_it, user=user.pk).values("role")[:1]
    asked = (
        Question.objects.filter(**of_it)
        .order_by()
        .values("survey")
        .annotate(n=Count("pk"))
        .values("n")
    )
    is_found = ExpressionWrapper(matches_text(text), BooleanField()) if text else Value(True)
    visible = surveys_of(user).select_related("instrument").order_by("created")
    unread = (f"instrument__{name}" for name in ("content", "likeliest", *BESIDE))
    visible = visible.defer(*fields.texts(Survey)[1:], *unread)
    return visible.annotate(
        is_found=is_found, edited=Subquery(edited), role=Subquery(role), asked=Subquery(asked)
    )


def _row(survey: Survey, family: UUID, version: int, versions: int) -> Row:
    role = Role(survey.role).label if survey.role else OWNER
    days = [timezone.localtime(survey.edited).date()] if survey.edited else []
    if survey.is_draft:
        return Row(survey, role, survey.asked or 0, 0, max(days, default=None), version, versions)
    tally, _ = released_from(survey.instrument)
    days += filter(None, [survey.instrument.released_on])
    return Row(
        survey, role, survey.asked or 0, tally["n"], max(days, default=None), version, versions
    )


def _numbered(oldest_first: Iterable[Survey]) -> dict[UUID, tuple[UUID, int, int]]:
    """pk -> (what its versions have in common, its number, how many there are)."""
    families: dict[UUID, list[UUID]] = {}
    family: dict[UUID, UUID] = {}
    for survey in oldest_first:
        pk = survey.pk
        family[pk] = family.get(
            survey.predecessor_id, pk
        )  # where that is gone, or not theirs to see, it is the first
        families.setdefault(family[pk], []).append(pk)
    return {
        pk: (first, families[first].index(pk) + 1, len(families[first]))
        for pk, first in family.items()
    }


def _folded(rows: list[Row], family: Mapping[UUID, UUID]) -> list[Row]:
    """Of each family the newest, where it stands, with the others in it."""
    together: dict[UUID, list[Row]] = {}
    for row in rows:
        together.setdefault(family[row.survey.pk], []).append(row)
    for members in together.values():
        members.sort(key=lambda row: row.version, reverse=True)
    newest = {members[0].survey.pk: members[1:] for members in together.values()}
    return [replace(row, older=newest[row.survey.pk]) for row in rows if row.survey.pk in newest]
