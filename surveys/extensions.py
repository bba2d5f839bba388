"""Everything that a feature can add to the core. docs/features.md shows an example of each extension point.

A feature is a Django app in features/ and a line in FEATURES of the settings. It adds itself in two ways:

* Its urls.py has the lists `workspace`, `api` and `site`, whose patterns are put below surveys/, api/v1/ and the root.
* Its extensions.py registers objects with the points below, and connects receivers to the signals in surveys.signals.
  It is imported when all apps are ready, as Django's admin imports admin.py.

The core never imports a feature. It reads a point when a function is called, never when a module is imported, because
features may register their items later. Items keep the order of FEATURES.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from django.conf import settings

from surveys.accounts.access import Right

if TYPE_CHECKING:
    from django import forms
    from django.contrib.auth.models import AbstractBaseUser
    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

    from surveys.export.format import File
    from surveys.models import Survey
    from surveys.results.analysis.analysis import Analysis
    from surveys.site.files.sizes import TableLimits
    from surveys.site.files.whole_table import Labels

DRAFT, RUNNING, OVER = "draft", "running", "over"  # the three phases of a survey


@dataclass(frozen=True)
class Tab:
    """A page in the row of tabs of a survey.

    url: the URL name of the page.
    right: the right that a person needs to see the tab.
    pages: the URL names of pages under the tab, for which it is the current one.
    phases: the phases of a survey in which the tab is shown.
    after: the URL name of the tab before it. Tabs of features need it.
    """

    name: str
    url: str
    right: Right = Right.SEE
    pages: tuple[str, ...] = ()
    phases: tuple[str, ...] = (DRAFT, RUNNING, OVER)
    after: str = ""


@dataclass(frozen=True)
class Action:
    """A button in the head of a page.

    url: the URL name to which the button leads, or "" if it prints the page.
    states: the states of the survey in which the button is shown.
    files: True if only surveys that import files have it, False if only all others have it, None for both.
    keeps_query: True if the button is about what the page shows, so that the query is handed on.
    page: the URL name of the page of the core behind whose buttons a feature puts this one, or "" if the button is on
        every page that has those of the survey's state. Only the point `actions` reads it.
    """

    name: str
    url: str
    states: tuple[str, ...]
    right: Right = Right.SEE
    is_main: bool = False
    is_post: bool = False
    files: bool | None = None
    keeps_query: bool = False
    page: str = ""


@dataclass(frozen=True)
class Page:
    """A page under one of the tabs of a survey.

    url: the URL name of the page.
    tab: the URL name of its tab.
    title: its name in the row of pages under Compare, or "" if it is not listed there.
    actions: the buttons in its head, in place of those of the survey's state. None keeps the latter.
    """

    url: str
    tab: str
    title: str = ""
    actions: tuple[Action, ...] | None = None


@dataclass(frozen=True)
class Section:
    """A part of a page of the core.

    slot: the place where a template of the core shows it: "settings", "files.documents", "files.responses",
        "files.survey", "import", "new.settings", "new.ways" (a link to another way to start), "starts" (such a way in
        an empty list of surveys) or "starts.file" (a sentence there about files).
    name: the id of the section, and the value of its button, which is called "part".
    context: returns what the template needs beyond the context of the page. There is no survey in the last five.
    save: handles the form of the section. It returns the response, or the form if something in it is wrong. The page
        then shows that form again, as "form" in the context of the section.
    """

    slot: str
    name: str
    template: str
    context: Callable[[HttpRequest, Survey | None], dict[str, Any]] | None = None
    save: Callable[[HttpRequest, Survey], HttpResponse | forms.Form] | None = None


@dataclass(frozen=True)
class Step:
    """A suggestion on the overview of a survey.

    url: the URL name of a page. part: the id of a section of that page.
    is_post: True if the button does it at once, which may take a moment.
    is_first: True if the step stands before those of the core.
    after: the URL name of the core's step before it. Without such a step it stands behind all of the core's.
    """

    title: str
    why: str
    button: str
    url: str
    part: str = ""
    is_post: bool = False
    is_first: bool = False
    after: str = ""


@dataclass(frozen=True)
class SurveyFormat:
    """A kind of file from which a draft is made, beside the survey file of the core.

    extensions: the ends of the names of such files, such as ".xlsx".
    is_content: returns True if the content of a file is in this format, whatever its name is.
    read: makes the draft and returns it with the messages about what could not be taken over. Raises Unreadable.
    largest: the number of bytes that a file may have.
    title: what such a file is called where it is one of the ways to start, such as "a workbook of another tool".
    file_title, text_title: the same at the fields for a file, and for its text.
    copying: what people do by hand with a survey of a tool whose files cannot be read, in half a sentence.
    """

    extensions: tuple[str, ...]
    is_content: Callable[[bytes], bool]
    read: Callable[[bytes, AbstractBaseUser, str], tuple[Survey, list[str]]]
    largest: int
    title: str
    file_title: str
    text_title: str
    copying: str


@dataclass(frozen=True)
class TableFormat:
    """A format of tables that are read as a whole, beside the text, workbooks and Parquet of the core.

    key: names the format where the encoding of a file is stated, such as "sav". title: the same for people.
    name: what a file is called, such as "an SPSS file". family: the files of which the limit is said, such as "An SPSS
    or Stata file".
    is_start: returns True if a file that starts with these bytes is in the format.
    read: returns the file as CSV in UTF-8, and its labels. Raises Broken.
    """

    key: str
    title: str
    name: str
    family: str
    is_start: Callable[[bytes], bool]
    read: Callable[[bytes, TableLimits], tuple[bytes, Labels]]


@dataclass(frozen=True)
class PeriodicTask:
    """Work that a timer does again and again.

    command: "deliver", which runs every minute, or "seal", which runs every few minutes.
    run: does the work, gets the options of the command as keywords, and returns lines for its output, or "". It may
        raise CommandError: the other tasks still run, and the command then ends with that message.
    """

    command: str
    run: Callable[..., str]


@dataclass(frozen=True)
class RemovalKind:
    """A kind of things that were removed, and may have returned with a backup.

    kind: one of surveys.site.removals.Kind, whose things a feature removes. The core has those of the core.
    remove: removes things again by their ids, as they stand in the journal of removals, and returns how many of them
        were there.
    """

    kind: str
    remove: Callable[[Sequence[str]], int]


Item = TypeVar("Item")


class ExtensionPoint(Generic[Item]):
    """A list to which features add items. Iterating over it gives the items in the order of their registration."""

    def __init__(self) -> None:
        self._items: list[Item] = []

    def register(self, item: Item) -> Item:
        """Add an item and return it, so that the method can decorate a function."""
        if item not in self._items:
            self._items.append(item)
        return item

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)


NextSteps = Callable[
    ["Survey", set[Right], int], list[Step]
]  # of a survey, a reader's rights, responses in the report
ReopeningNotes = Callable[["Survey"], list[str]]  # sentences about what reopening a survey changes
RestoreStep = Callable[
    [], str
]  # completes a restore, can be repeated, and returns a sentence about what it did

tabs: ExtensionPoint[Tab] = ExtensionPoint()
pages: ExtensionPoint[Page] = ExtensionPoint()
actions: ExtensionPoint[Action] = ExtensionPoint()
sections: ExtensionPoint[Section] = ExtensionPoint()
next_steps: ExtensionPoint[NextSteps] = ExtensionPoint()
reopening_notes: ExtensionPoint[ReopeningNotes] = ExtensionPoint()
analyses: ExtensionPoint[Analysis] = ExtensionPoint()
export_formats: ExtensionPoint[type[File]] = ExtensionPoint()
survey_formats: ExtensionPoint[SurveyFormat] = ExtensionPoint()
table_formats: ExtensionPoint[TableFormat] = ExtensionPoint()
periodic_tasks: ExtensionPoint[PeriodicTask] = ExtensionPoint()
removal_kinds: ExtensionPoint[RemovalKind] = ExtensionPoint()
restore_steps: ExtensionPoint[RestoreStep] = ExtensionPoint()


def load_features() -> None:
    """Import the extensions.py of each feature that has one."""
    for feature in settings.FEATURES:
        if find_spec(f"{feature}.extensions"):
            import_module(f"{feature}.extensions")


def feature_urls(area: str) -> list[URLPattern]:
    """Return the patterns that features add to an area, which is "workspace", "api" or "site"."""
    patterns: list[URLPattern] = []
    for feature in settings.FEATURES:
        if find_spec(f"{feature}.urls"):
            patterns += getattr(import_module(f"{feature}.urls"), area, ())
    return patterns
