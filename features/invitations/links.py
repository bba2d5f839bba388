"""The link of each invited person, its code, and the sheets that hold them."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.db.models import QuerySet

from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.tickets import codes
from surveys.models import Invitee, Survey
from surveys.site.errors import Refused
from surveys.site.files.lines import write_csv

MANY = 1_000  # letters on one page for print
HEX = 16  # digits of the instrument's hash that a letter shows
COLUMNS = ("label", "email", "code", "link")
NOT_YET = "Publish the survey first. A draft has no links yet."
FINISHED = (
    "The tickets of this survey are finished. Its codes are deleted, and its links no longer work."
)


class Linked(NamedTuple):
    """code: as people type it. link: with the code behind the #, which no server is sent."""

    invitee: Invitee
    code: str
    link: str


def require_links(survey: Survey) -> None:
    """Raises surveys.site.errors.Refused where the survey has none (yet, or any more)."""
    if not survey.tickets:
        raise Refused("This survey has no tickets. Anyone with the link can answer.")
    if survey.is_draft:
        raise Refused(NOT_YET)
    if survey.issuer.private is None:
        raise Refused(FINISHED)


def page(site: str, survey: Survey) -> str:
    """Where tickets are taken. site: as https://survey.example.org."""
    return f"{site.rstrip('/')}/i/{survey.slug}/"


def iter_links(site: str, invitees: Iterable[Invitee], survey: Survey) -> Iterator[Linked]:
    """Yield each invited person with code and link.

    Raises surveys.site.errors.Refused if the site no longer has the key from which the codes are
    made.
    """
    address = page(site, survey)
    for invitee in invitees:
        code = codes.format_code(codes.code_of(invitee))
        yield Linked(invitee, code, f"{address}#{code}")


def invited_people(survey: Survey) -> QuerySet[Invitee]:
    """Return the invited people in the order of the page."""
    return survey.invitees.filter(withdrawn=False).order_by("label", "email", "pk")


def as_csv(site: str, survey: Survey) -> str:
    """Return the links as CSV, with a row for each person."""
    require_links(survey)
    return write_csv(
        COLUMNS, [_csv_row(each) for each in iter_links(site, invited_people(survey), survey)]
    )


def _csv_row(each: Linked) -> dict[str, object]:
    return {
        "label": each.invitee.label,
        "email": each.invitee.email,
        "code": each.code,
        "link": each.link,
    }


def hash_in_short(survey: Survey) -> str:
    """The first digits of the instrument's hash, in fours: other ones than a colleague’s mean another page."""
    digits = parse_instrument(survey.instrument).sha256[:HEX]
    return "-".join(digits[at : at + 4] for at in range(0, HEX, 4))
