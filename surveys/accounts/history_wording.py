"""The history of a survey in words, as the page shows it; what was stored stays as it is."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from surveys.accounts.access import User, surveys_of
from surveys.accounts.history import What
from surveys.models import Event, Survey

# What details of a change say, and how people say it. The first that fits counts.
SAID = (
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
VERSION = re.compile(r"a new version of (\w+)")


@dataclass(frozen=True)
class HistoryLine:
    """before: the survey of which this one is a new version, where it may be seen."""

    when: datetime
    name: str
    words: str
    detail: str = ""
    previous_version: Survey | None = None


def history_lines(events: Iterable[Event], reader: User) -> list[HistoryLine]:
    """In the same order."""
    events = list(events)
    slugs = {found[1] for event in events if (found := _version(event))}
    visible = (
        {survey.slug: survey for survey in surveys_of(reader).filter(slug__in=slugs)}
        if slugs
        else {}
    )
    return [_line(event, visible) for event in events]


def _version(event: Event) -> re.Match[str] | None:
    return VERSION.fullmatch(event.detail) if event.what == What.CREATED else None


def _line(event: Event, visible: dict[str, Survey]) -> HistoryLine:
    about = (event.when, event.name)
    if event.what == What.CHANGED:
        return HistoryLine(*about, _changed(event.detail))
    if found := _version(event):
        before = visible.get(found[1])
        return HistoryLine(
            *about, "wrote the draft as a new version of", "" if before else found[1], before
        )
    return HistoryLine(
        *about, event.get_what_display() + (":" if event.detail else ""), event.detail
    )


def _changed(detail: str) -> str:
    for pattern, words in SAID:
        if found := re.fullmatch(pattern, detail):
            return found.expand(words)
    return What.CHANGED.label
