"""The respondents' page of a survey: one document, made once per instrument, equal for everybody.

Templates are rendered without a request, so a page contains nothing about a visitor. Anyone who has
the repository and the public instrument can make the page again, and compare.
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

# The template, the program and the name of a page, by its state.
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
# The state of a page by the state of its survey. In all other states the page is "closed".
PAGE_STATES = {"scheduled": "early", "open": "open"}
# The opening and the closing time, which pages without times (NO_TIMES) do not show.
Times = tuple[datetime | None, datetime | None]
NO_TIMES: Times = (None, None)
# The largest compressed size of a page in several languages, in bytes, without its logo, program
# and style.
LARGEST_PAGE = 100_000
# The same for a page that has a long list, in any number of languages.
LARGEST_PAGE_WITH_LIST = 250_000
# The pages that this process has made, as long as their compressed forms have at most 16 MB.
PAGES: ByteCache["Page"] = ByteCache(16_000_000, lambda page: len(page.small))
# The indentation of templates. A text that somebody wrote has no such spaces: it is escaped.
BETWEEN_TAGS = re.compile(r">\s+<")


@dataclass(frozen=True)
class Page(Document):
    """The document that everybody gets while the survey is in one state.

    state: "early" (before the opening time), "open" or "closed" (also while paused); at the address
        where invited people take their tickets, "tickets" or "no-tickets".
    """

    state: str = ""

    @property
    def name(self) -> str:
        """The name of the state, as people read it where the hashes of all pages are published."""
        return NAMES[self.state]


@dataclass(frozen=True)
class PreviewLinks:
    """The addresses to which the links of a preview lead if they do not lead to a draft's pages.

    The preview of a survey template has its own addresses, for example.

    survey: the page about the survey.
    page: the respondents' page.
    help_lines: the page of its help lines.
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
    """Return the page of an instrument in one state, made now or taken from the cache.

    Raise Refused if the page is made now and the logo that the instrument names is missing.

    state: see Page.
    sha256, content: the hash and the canonical JSON of the instrument.
    times: opening and closing time in UTC, for a page that shows when answers open.
    preview: "sample" for the page of the demo's study, which sends nothing; otherwise "".
    logo: the PNG that the instrument names, if the site does not have it.
    """
    opens, closes = times

    def make_page() -> Page:
        """Return the page made now, for the cache."""
        document = render_page(
            TEMPLATES[state],
            parse(sha256, content),
            PROGRAMS[state],
            logo=logo,
            preview=preview,
            opens=opens,
            closes=closes,
            # Both "tickets" and "no-tickets" are states of the ticket page.
            is_ticket_page="tickets" in state,
            is_over=state == "no-tickets",
        )
        return Page(**vars(document), state=state)

    # Content and logo are not part of the key: the hash stands for the content, and the content has
    # the hash of the only logo that is accepted.
    return PAGES.get((state, sha256, times, preview), make_page)


def render_page(
    template: str,
    definition: SurveyDefinition,
    entry: str = "",
    *,
    logo: bytes | None = None,
    **variables: object,
) -> Document:
    """Return a page about a survey as one document, rendered without a request.

    The document includes program, logo, and style with the survey's colours. It comes with its
    content security policy and its hash. Raise Refused if the right logo is missing.

    template: the path of the template, which gets `definition` as "paper".
    entry: the module with which the page's program starts, or "" if it has no program.
    logo: the PNG of the sender's logo, if the site does not have it.
    variables: what the template needs besides the definition and the logo.
    """
    encoded_logo = _encode_logo(definition, logo)
    html = _render_html(template, {"paper": definition, "logo": encoded_logo} | variables)
    colours = ""
    if definition.colours:
        colours = accent.stylesheet(*definition.colours)
    return build_page(html, entry, colours)


def _render_html(template: str, variables: dict[str, object]) -> str:
    """Return the HTML of a template, without the indentation between its tags.

    Program, style and policy are not part of it.

    variables: the variables of the template, by name.
    """
    return BETWEEN_TAGS.sub(_shorten_space, render_to_string(template, variables))


def _shorten_space(match: re.Match[str]) -> str:
    """Return what replaces the white space between two tags, with ">" before and "<" after it.

    White space with a line break becomes one line break, without the indentation. Other white
    space stays: it separates words.

    match: a match of BETWEEN_TAGS.
    """
    if "\n" in match[0]:
        return ">\n<"
    return match[0]


def _encode_logo(definition: SurveyDefinition, png: bytes | None = None) -> str:
    """Return the sender's logo in base64, or "" if the survey has none.

    The definition has the hash of the logo. Raise Refused if `png` has another hash, or if it is
    not passed and this site does not have the logo.

    png: the logo, if the caller has it.
    """
    if definition.logo is None:
        return ""
    sha256 = definition.logo.sha256
    if not png:
        png = Logo.objects.filter(sha256=sha256).values_list("png", flat=True).first()
    if png is None or hashlib.sha256(png).hexdigest() != sha256:
        raise Refused(f"Add the sender’s logo: the PNG with the SHA-256 {sha256}.")
    return base64.b64encode(png).decode()


def all_pages(
    sha256: str, content: str, times: Times = NO_TIMES, logo: bytes | None = None
) -> list[Page]:
    """Return a page of an instrument for each state that the survey had, has or will have.

    The hashes of these pages are published and compared with what the site sends.

    sha256, content: the hash and the canonical JSON of the instrument.
    times: opening and closing time in UTC. There is no page "early" without an opening time.
    logo: the PNG of the sender's logo, if the site does not have it.
    """
    opens, _ = times
    times_by_state = {}
    if opens:
        times_by_state["early"] = times
    times_by_state["open"] = NO_TIMES
    times_by_state["closed"] = NO_TIMES
    times_by_state |= _ticket_page_times(parse(sha256, content), opens)

    pages = []
    for state, page_times in times_by_state.items():
        pages.append(page(state, sha256, content, page_times, logo=logo))
    return pages


def _ticket_page_times(definition: SurveyDefinition, opens: datetime | None) -> dict[str, Times]:
    """Return the times that each page about tickets shows, by its state.

    In a survey in two steps, all tickets are taken before answers open. Its page "tickets" says
    until when, so the page exists only with an opening time. In a survey in one step, these pages
    show no times. The result is empty if the survey has no tickets.

    opens: the opening time in UTC, or None for none.
    """
    if definition.tickets is None:
        return {}
    if definition.tickets.steps == "one":
        return {"tickets": NO_TIMES, "no-tickets": NO_TIMES}
    times_by_state = {}
    if opens:
        times_by_state["tickets"] = (opens, None)
    times_by_state["no-tickets"] = NO_TIMES
    return times_by_state


def all_pages_of(survey: Survey) -> list[Page]:
    """Return the result of `all_pages` for a published survey with its present times.

    The hashes of the pages are published, so that anyone can compare what the site sends.
    """
    instrument = survey.instrument
    return all_pages(instrument.sha256, instrument.content, (survey.opens, survey.closes))


def current_page(survey: Survey) -> Page:
    """Return the page that respondents of a published survey get now.

    A paused survey has the page "closed".
    """
    state = PAGE_STATES.get(survey.state, "closed")
    # Only the page before the opening shows times.
    times = NO_TIMES
    if state == "early":
        times = (survey.opens, survey.closes)
    return page(state, survey.instrument.sha256, survey.instrument.content, times)


def current_ticket_page(survey: Survey) -> Page:
    """Return the page that invited people get now at the address where they take their tickets.

    This is the page "no-tickets" if the survey gives out none now.
    """
    state = "tickets" if survey.gives_tickets else "no-tickets"
    # In a survey in two steps, the page says until when tickets can be taken.
    times = NO_TIMES
    if state == "tickets" and survey.tickets == Survey.Tickets.TWO:
        times = (survey.opens, None)
    return page(state, survey.instrument.sha256, survey.instrument.content, times)


def check_page_size(definition: SurveyDefinition) -> None:
    """Raise Refused if the page of an open survey is larger than a phone should have to load.

    The limit is LARGEST_PAGE_WITH_LIST if a question is a list, otherwise LARGEST_PAGE. Only
    further languages and long lists can make a page too large, so other pages are not rendered.
    """
    # A list is not long if the whole definition is short.
    has_list = any(item.is_list for item in definition.items)
    has_long_list = has_list and len(definition.content) > LARGEST_PAGE
    if not definition.further and not has_long_list:
        return

    # The page is measured without its logo, which does not depend on the languages and lists.
    html = _render_html(TEMPLATES["open"], {"paper": definition})
    size = len(gzip.compress(html.encode()))
    if has_list and size > LARGEST_PAGE_WITH_LIST:
        raise Refused(
            "Shorten the choices, or remove some. With these lists the respondents’ page would be "
            f"{size / 1000:.0f} kB, more than {LARGEST_PAGE_WITH_LIST // 1000}."
        )
    if not has_list and size > LARGEST_PAGE:
        raise Refused(
            "Remove a language, or ask fewer questions. "
            f"With {len(definition.languages)} languages the respondents’ page "
            f"would be {size / 1000:.0f} kB, more than {LARGEST_PAGE // 1000}."
        )
