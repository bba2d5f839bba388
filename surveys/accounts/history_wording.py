"""The history of a survey in words, as its page shows it. The stored events do not change."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from surveys.accounts.access import User, surveys_of
from surveys.accounts.history import What
from surveys.models import Event, Survey

# The stored detail of a change to a draft, as a regular expression, and its wording on the page.
# \1, \2 and \3 stand for the groups of the expression. The first expression that matches counts.
WORDING_OF_CHANGES = (
    (r"question (\w+): added", r"added question \1"),
    (r"question (\w+): nothing", r"saved question \1 without a change"),
    (r"question (\w+): (.+)", r"changed question \1: \2"),
    (r"question (\w+) deleted", r"deleted question \1"),
    (r"question (\w+) (moved|duplicated) (.+)", r"\2 question \1 \3"),
    (r"protection of question (\w+): (.+)", r"changed the protection of question \1: \2"),
    (r"budget shared equally: (.+)", r"shared the budget equally: \1"),
    (r"reason for publishing: (.+)", r"gave the reason for publishing: \1"),
    (r"nothing", "saved the texts without a change"),
    (r"(.+)", r"changed the draft: \1"),
)
# The stored detail of the event of a survey that was created as a new version of another survey.
# The group is the slug of that previous version.
VERSION = re.compile(r"a new version of (\w+)")


@dataclass(frozen=True)
class HistoryLine:
    """One event in the history of a survey, in words.

    The page shows the name, the words, and then the detail or a link to the previous version.

    when: the time of the event.
    name: the user name of the person who did this, or "the site".
    words: what was done, such as "published it", or "published it:" before a detail.
    detail: further words, or "". It is the slug of the previous version if the reader gets no link.
    previous_version: the survey of which this survey is a new version, for the link. None for other
        events, if the reader may not see that survey, or if it does not exist any more.
    """

    when: datetime
    name: str
    words: str
    detail: str = ""
    previous_version: Survey | None = None


def history_lines(events: Iterable[Event], reader: User) -> list[HistoryLine]:
    """Return the events of a survey in words, in their order, for its history page.

    A reader who may not see the previous version of the survey gets no link to it, but only its
    slug. All else is the same for all readers.
    """
    events = list(events)
    slugs = set()
    for event in events:
        slug = _previous_slug(event)
        if slug:
            slugs.add(slug)

    # One query reads all previous versions that the reader may see.
    visible_surveys = {}
    if slugs:
        for survey in surveys_of(reader).filter(slug__in=slugs):
            visible_surveys[survey.slug] = survey
    return [_history_line(event, visible_surveys) for event in events]


def _previous_slug(event: Event) -> str:
    """Return the slug of the previous version, if the event created a survey as a new version.

    Returns "" for all other events, also for a survey that was created without a previous version.
    """
    if event.what != What.CREATED:
        return ""
    match = VERSION.fullmatch(event.detail)
    if match is None:
        return ""
    return match[1]


def _history_line(event: Event, visible_surveys: dict[str, Survey]) -> HistoryLine:
    """Return one event in words.

    visible_surveys: the previous versions to which the reader gets a link, by slug.
    """
    # The words of a change are made of its detail, so no detail follows them.
    if event.what == What.CHANGED:
        return HistoryLine(event.when, event.name, _words_of_change(event.detail))

    slug = _previous_slug(event)
    if slug:
        previous_version = visible_surveys.get(slug)
        return HistoryLine(
            when=event.when,
            name=event.name,
            words="wrote the draft as a new version of",
            detail="" if previous_version else slug,
            previous_version=previous_version,
        )

    # All other kinds of events have fixed words, such as "published it".
    words = event.get_what_display()
    if event.detail:
        words += ":"
    return HistoryLine(event.when, event.name, words, event.detail)


def _words_of_change(detail: str) -> str:
    """Return the words for a change to a draft, made of the stored detail of its event.

    For example, the detail "question q1 deleted" becomes "deleted question q1".

    detail: the detail of an event with What.CHANGED.
    """
    for pattern, wording in WORDING_OF_CHANGES:
        if match := re.fullmatch(pattern, detail):
            # The groups of the pattern replace \1, \2 and \3 in the wording.
            return match.expand(wording)
    # The last pattern matches all details but an empty one, and one with a line break.
    return What.CHANGED.label
