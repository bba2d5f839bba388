"""A section of the page: what it asks for, what it finds, and the files of what was found."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.urls import reverse

from surveys.results.analysis.refusals import TooFew, TooMuch
from surveys.results.disclosure.access import NotOfTheCut, ReaderView
from surveys.results.disclosure.subgroups import Group, TooSmall
from surveys.site.errors import Invalid

FORMS = ("csv", "svg", "png", "txt")


@dataclass(frozen=True)
class Wanted:
    """What a section is asked: the reader's sight, the options of the report, and its own part of the query."""

    seen: ReaderView
    query: QueryDict
    group: Group
    confidence: float


@dataclass(frozen=True)
class Section:
    """name: as addresses have it. offer: whether the reader's survey has what it needs. form: of a sight and a query,
    None where nothing was asked. find: the result; it raises what a report raises, Invalid, TooFew and TooMuch.
    template: shows `form` and `found`. csv, svg: the files of what was found; about: whom it is about.
    """

    name: str
    title: str
    template: str
    offer: Callable[[ReaderView], bool]
    form: Callable[[ReaderView, QueryDict | None], forms.Form]
    find: Callable[[Wanted], Any]
    csv: Callable[..., str]
    svg: Callable[..., str]


@dataclass
class Shown:
    """A section as the page has it."""

    section: Section
    slug: str
    form: forms.Form
    found: Any = None
    refused: str = ""

    @property
    def files(self) -> dict[str, str]:
        """The addresses of the files of what was found, by their kind."""
        slug = {"slug": self.slug}
        return {form: reverse(f"workspace:report-{self.section.name}-{form}", kwargs=slug) for form in FORMS}


def show(section: Section, wanted: Wanted, *, asked: bool) -> Shown:
    """The section with its result, or with the reason why there is none at the field that it belongs to."""
    form = section.form(wanted.seen, wanted.query if asked else None)
    shown = Shown(section, wanted.seen.paper.survey, form)
    if not asked:
        return shown
    try:
        shown.found = section.find(wanted)
    except Invalid as wrong:
        form.full_clean()
        for name, message in wrong.errors.items():
            form.add_error(name if name in form.fields else None, message)
    except (TooSmall, TooFew, TooMuch, NotOfTheCut) as refusal:
        shown.refused = str(refusal)
    return shown
