"""The respondent's page of a survey as one document: made once for each instrument, and the same for everybody.

Templates are rendered without a request, so that nothing of a visitor can get in. So anybody who has the repository and
the public instrument can make the page again, and compare.
"""

import base64
import gzip
import hashlib
import re
from dataclasses import dataclass
from datetime import datetime

from django.template.loader import render_to_string

from surveys.definition import accent
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.parsing import parse
from surveys.models import Logo, Survey
from surveys.site.byte_cache import ByteCache
from surveys.site.errors import Refused
from surveys.site.page_program import EARLY, PAGE, TICKETS, Document, build_page

TEMPLATES = {
    "early": "respondent/early.html",
    "open": "respondent/survey.html",
    "closed": "respondent/closed.html",
    "tickets": "respondent/tickets.html",
    "no-tickets": "respondent/tickets.html",
}
PROGRAMS = {"early": EARLY, "open": PAGE, "closed": PAGE, "tickets": TICKETS, "no-tickets": TICKETS}
NAMES = {
    "early": "Not open yet",
    "open": "Open",
    "closed": "Closed or paused",
    "tickets": "People can take tickets",
    "no-tickets": "No more tickets",
}
STATES = {
    "scheduled": "early",
    "open": "open",
}  # of a survey -> of its page; all others take no answers
Times = tuple[datetime | None, datetime | None]
NO_TIMES: Times = (None, None)
LARGEST = (
    100_000  # bytes, compressed, of a page in several languages, without logo, program and style
)
LARGEST_WITH_LIST = 250_000  # the same where a question has a long list, in whatever languages
PAGES: ByteCache["Page"] = ByteCache(16_000_000, lambda page: len(page.small))  # of one process
BETWEEN_TAGS = re.compile(
    r">\s+<"
)  # the indentation of templates, never a text that somebody wrote


@dataclass(frozen=True)
class Page(Document):
    """What is handed out to everybody while the survey is in this state: "early", "open" or "closed".

    Or, at the address where invited people take their tickets, "tickets" or "no-tickets".
    """

    state: str = ""

    @property
    def name(self) -> str:
        """The state, as it is called where its hash is stated."""
        return NAMES[self.state]


@dataclass(frozen=True)
class PreviewLinks:
    """The addresses to which the links of a preview lead, if what it shows is no draft of this site.

    survey: the page about the survey. page: the respondents' page. help_lines: the page of its help lines.
    """

    survey: str
    page: str
    help_lines: str


def page(
    state: str,
    sha256: str,
    content: str,
    times: Times = NO_TIMES,
    *,
    preview: str = "",
    logo: bytes | None = None,
) -> Page:
    """times: of opening and closing, in UTC, for the page of a survey that is not open yet. preview: "sample" for the
    page of the demo's study that sends nothing. logo: the PNG that the instrument names, where the site lacks it.
    """

    opens, closes = times
    shown = {"preview": preview, "opens": opens, "closes": closes}
    shown |= {"is_ticket_page": "tickets" in state, "is_over": state == "no-tickets"}

    def made() -> Page:
        frozen = parse(sha256, content)
        whole = render_page(TEMPLATES[state], frozen, PROGRAMS[state], logo=logo, **shown)
        return Page(**vars(whole), state=state)

    return PAGES.get((state, sha256, times, preview), made)


def render_page(
    template: str,
    frozen: SurveyDefinition,
    entry: str = "",
    *,
    logo: bytes | None = None,
    **shown: object,
) -> Document:
    """Return a page about a survey, made without a request."""
    html = _html(template, {"paper": frozen, "logo": _encoded_logo(frozen, logo)} | shown)
    return build_page(html, entry, accent.stylesheet(*frozen.colours) if frozen.colours else "")


def _html(template: str, shown: dict[str, object]) -> str:
    """A page but for its program, its style and what they allow."""
    return BETWEEN_TAGS.sub(_without_indentation, render_to_string(template, shown))


def _without_indentation(match: re.Match[str]) -> str:
    """Return what stands between two tags with one line break where it has any."""
    return ">\n<" if "\n" in match[0] else match[0]


def _encoded_logo(frozen: SurveyDefinition, png: bytes | None = None) -> str:
    """The sender's logo as a page holds it, or nothing. Raises Refused where it is neither given nor on this site."""
    if frozen.logo is None:
        return ""
    png = (
        png or Logo.objects.filter(sha256=frozen.logo.sha256).values_list("png", flat=True).first()
    )
    if png is None or hashlib.sha256(png).hexdigest() != frozen.logo.sha256:
        raise Refused(f"Add the sender’s logo: the PNG with the SHA-256 {frozen.logo.sha256}.")
    return base64.b64encode(png).decode()


def all_pages(
    sha256: str, content: str, times: Times = NO_TIMES, logo: bytes | None = None
) -> list[Page]:
    """Return one page for each state that the survey has been in or comes into."""
    stated = ({"early": times} if times[0] else {}) | {"open": NO_TIMES, "closed": NO_TIMES}
    stated |= _of_tickets(parse(sha256, content), times)
    return [page(state, sha256, content, at, logo=logo) for state, at in stated.items()]


def _of_tickets(frozen: SurveyDefinition, times: Times) -> dict[str, Times]:
    """Of the pages that give out tickets. In two steps the first of them says until when."""
    if frozen.tickets is None:
        return {}
    if frozen.tickets.steps == "one":
        return {"tickets": NO_TIMES, "no-tickets": NO_TIMES}
    return ({"tickets": (times[0], None)} if times[0] else {}) | {"no-tickets": NO_TIMES}


def all_pages_of(survey: Survey) -> list[Page]:
    """Return all pages of a published survey."""
    return all_pages(
        survey.instrument.sha256, survey.instrument.content, (survey.opens, survey.closes)
    )


def current_page(survey: Survey) -> Page:
    """Return the page that a published survey shows now."""
    state = STATES.get(survey.state, "closed")
    times = (survey.opens, survey.closes) if state == "early" else NO_TIMES
    return page(state, survey.instrument.sha256, survey.instrument.content, times)


def current_ticket_page(survey: Survey) -> Page:
    """Return the page on which the survey gives out tickets."""
    state = "tickets" if survey.gives_tickets else "no-tickets"
    two = survey.tickets == Survey.Tickets.TWO
    times = (survey.opens, None) if two and state == "tickets" else NO_TIMES
    return page(state, survey.instrument.sha256, survey.instrument.content, times)


def within_size(frozen: SurveyDefinition) -> None:
    """Raises Refused where all languages, or a long list, are more than a telephone should have to load."""
    has_list = any(item.is_list for item in frozen.items)
    if not frozen.further and not (
        has_list and len(frozen.content) > LARGEST
    ):  # nothing that could be too much
        return
    size = len(gzip.compress(_html(TEMPLATES["open"], {"paper": frozen}).encode()))
    if has_list and size > LARGEST_WITH_LIST:
        raise Refused(
            f"Shorten the choices, or remove some. With these lists the respondents’ page would be "
            f"{size / 1000:.0f} kB, more than {LARGEST_WITH_LIST // 1000}."
        )
    if not has_list and size > LARGEST:
        raise Refused(
            f"Remove a language, or ask fewer questions. With {len(frozen.languages)} languages the respondents’ page "
            f"would be {size / 1000:.0f} kB, more than {LARGEST // 1000}."
        )
