"""Ready instruments to start from: each a survey's file beside this one, in words of our own, after published studies.

catalogue.json lists them in the order in which they are shown, with what the file of a survey does not hold.
"""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.authoring import exchange
from surveys.authoring.overview import Overview, overview
from surveys.authoring.verdicts import Verdict
from surveys.models import Question, Survey
from surveys.publishing import blanks
from surveys.publishing.freezing import freeze
from surveys.publishing.instruments import Paper
from surveys.publishing.schedule import reschedule
from surveys.publishing.texts import thawed

FOLDER = Path(__file__).parent
MODES = {Question.Mode.SPINNER: "with a spinner", Question.Mode.BY_HAND: "by hand, in interviews"}


@dataclass(frozen=True)
class Ready:
    """sources: the studies after which subject and period are chosen. target: respondents that it is made for."""

    key: str
    about: str
    sources: tuple[str, ...]
    target: int

    @cached_property
    def file(self) -> dict[str, Any]:
        """The survey as surveys.authoring.exchange writes it."""
        return json.loads((FOLDER / f"{self.key}.json").read_text(encoding="utf-8"))

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(self.file["languages"])

    @property
    def title(self) -> str:
        return thawed(self.file["title"], self.languages)

    @property
    def questions(self) -> list[str]:
        return [thawed(question["text"], self.languages) for question in self.file["questions"]]


def _catalogue() -> dict[str, Ready]:
    listed = json.loads((FOLDER / "catalogue.json").read_text(encoding="utf-8"))
    return {each["key"]: Ready(**each | {"sources": tuple(each["sources"])}) for each in listed}


READY = _catalogue()


@transaction.atomic
def start(ready: Ready, owner: AbstractBaseUser) -> Survey:
    """A draft of one's own made from a ready instrument."""
    survey = exchange.read(ready.file, owner=owner)
    return reschedule(survey=survey, target=str(ready.target), by=owner)


@dataclass(frozen=True)
class Look:
    """A ready instrument as the draft that would come of it. to_fill: what only its author can write."""

    ready: Ready
    survey: Survey
    overview: Overview
    paper: Paper
    to_fill: str

    @property
    def widest(self) -> Verdict | None:
        """Of the shares the one that is known least precisely."""
        shown = [line.verdict for line in self.overview.sensitive if line.verdict and line.verdict.span is None]
        return max(shown, key=lambda verdict: verdict.margin, default=None)

    @property
    def traits(self) -> list[str]:
        """What sets it apart, in a few words each."""
        seen, modes = self.overview, {item.mode for item in self.paper.items}
        found = [f"{len(seen.lines)} questions"]
        found += [f"each person {seen.draw.count} of {len(seen.draw.of)}"] if seen.draw else []
        found += ["follow-up questions"] if seen.has_paths else []
        found += [words for mode, words in MODES.items() if mode in modes]
        return [*found, *(Survey.Language(code).label for code in self.survey.languages)]


_looks: dict[str, Look] = {}


def look(ready: Ready, reader: AbstractBaseUser) -> Look:
    """Made once in a process: the draft is written and taken back, so nothing of it is stored."""
    if ready.key not in _looks:
        with transaction.atomic():
            survey = start(ready, reader)
            seen = overview(survey)
            _looks[ready.key] = Look(ready, survey, seen, freeze(survey), blanks.problem(survey))
            transaction.set_rollback(True)
    return _looks[ready.key]
