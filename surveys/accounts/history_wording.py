"""The history of a survey in words, as its page shows it. The stored events do not change."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from surveys.accounts.access import User, surveys_of
from surveys.accounts.history import What
from surveys.models import Event, Survey

# The stored detail of a change, as a regular expression, and its wording. \1, \2 and \3 stand for
# the groups of the expression. The first match counts.
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
# The stored detail of a new version of a survey, with the slug of the previous version.
VERSION = re.compile(r"a new version of (\w+)")


@dataclass(frozen=True)
class HistoryLine:
    """One event of a survey in words.

    when: the time of the event.
    name: the user name of the person who did this, or "the site".
    words: what was done, such as "published it:", after the name.
    detail: what the page shows after the words, or "". It is the slug of the previous version if
        the reader may not see that survey, or if it does not exist any more.
    previous_version: the survey of which this survey is a new version, or None if there is none
        or the reader may not see it. The page shows a link to it after the words.
    """

    when: datetime
    name: str
    words: str
    detail: str = ""
    previous_version: Survey | None = None


def history_lines(events: Iterable[Event], reader: User) -> list[HistoryLine]:
    """Return the events in words, in their order, as this reader may see them."""
    events = list(events)
    slugs = set()
    for event in events:
        slug = _previous_slug(event)
        if slug:
            slugs.add(slug)

    visible_surveys = {}
    if slugs:
        for survey in surveys_of(reader).filter(slug__in=slugs):
            visible_surveys[survey.slug] = survey
    return [_history_line(event, visible_surveys) for event in events]


def _previous_slug(event: Event) -> str:
    """Return the slug of the survey whose new version was created, or "" for other events."""
    if event.what != What.CREATED:
        return ""
    match = VERSION.fullmatch(event.detail)
    return match[1] if match else ""


def _history_line(event: Event, visible_surveys: dict[str, Survey]) -> HistoryLine:
    """Return an event in words.

    visible_surveys: previous versions that the reader may see, by slug.
    """
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

    words = event.get_what_display()
    if event.detail:
        words += ":"
    return HistoryLine(event.when, event.name, words, event.detail)


def _words_of_change(detail: str) -> str:
    """Return the wording of a change, from the stored detail of its event.

    For example, the detail "question q1 deleted" becomes "deleted question q1".

    detail: the detail of an event with What.CHANGED.
    """
    for pattern, wording in WORDING_OF_CHANGES:
        if match := re.fullmatch(pattern, detail):
            return match.expand(wording)
    # The last pattern fits every detail that is not empty and has no line break.
    return What.CHANGED.label
