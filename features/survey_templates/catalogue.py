"""Ready instruments to start from: each a survey's file beside this one, in words of our own, after published studies.

catalogue.json lists them in the order in which they are shown, with what the file of a survey does not hold.
"""

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from surveys.authoring.drafts.question_plan import plan_question
from surveys.authoring.files import survey_file
from surveys.authoring.planning.overview import Overview, survey_overview
from surveys.authoring.planning.precision import EVERYBODY, Verdict, verdict
from surveys.definition import placeholders
from surveys.definition.freezing import build_definition
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.kinds import KINDS
from surveys.definition.protection import MOST_ASKED
from surveys.definition.texts import text_from_instrument
from surveys.models import Question, Survey

FOLDER = Path(__file__).parent
PLANNED = ("kind", "decline", "mode")
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
        """The survey as surveys.authoring.files.survey_file writes it."""
        return json.loads((FOLDER / f"{self.key}.json").read_text(encoding="utf-8")) | {
            "target": self.target
        }

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(self.file["languages"])

    @property
    def title(self) -> str:
        return text_from_instrument(self.file["title"], self.languages)

    @property
    def questions(self) -> list[str]:
        return [
            text_from_instrument(question["text"], self.languages)
            for question in self.file["questions"]
        ]

    @property
    def traits(self) -> list[str]:
        """What sets it apart, in a few words each."""
        asked, sensitive = self.file["questions"], len(self._sensitive)
        found = [f"{len(asked)} questions"]
        found += [f"each person {MOST_ASKED} of {sensitive}"] if sensitive > MOST_ASKED else []
        found += ["follow-up questions"] if any("when" in question for question in asked) else []
        found += [
            words
            for mode, words in MODES.items()
            if any(question["mode"] == mode for question in asked)
        ]
        return [*found, *(Survey.Language(code).label for code in self.languages)]

    @property
    def _sensitive(self) -> list[dict[str, Any]]:
        return [
            question for question in self.file["questions"] if KINDS[question["kind"]].sensitive
        ]

    @cached_property
    def widest(self) -> Verdict:
        """Of the shares that everybody may be asked about the one that its target shows least precisely."""
        asked = [question for question in self._sensitive if "when" not in question]
        shown = [self._verdict(question) for question in asked]
        return max((each for each in shown if each.span is None), key=lambda each: each.margin)

    def _verdict(self, question: dict[str, Any]) -> Verdict:
        part = min(EVERYBODY, Fraction(MOST_ASKED, len(self._sensitive)))
        choices = [text_from_instrument(label, self.languages) for label in question["choices"]]
        given = {name: question[name] for name in PLANNED} | {
            "choices": choices,
            "protection": self.file["protection"],
        }
        given |= {
            name: str(question[name]) for name in ("minimum", "maximum", "step") if name in question
        }
        return verdict(question["kind"], plan_question(**given).mechanism, self.target, part)


def _catalogue() -> dict[str, Ready]:
    listed = json.loads((FOLDER / "catalogue.json").read_text(encoding="utf-8"))
    return {each["key"]: Ready(**each | {"sources": tuple(each["sources"])}) for each in listed}


READY = _catalogue()


def start(ready: Ready, owner: AbstractBaseUser) -> Survey:
    """A draft of one's own made from a ready instrument."""
    return survey_file.read(ready.file, owner=owner)


@dataclass(frozen=True)
class Look:
    """A ready instrument as the draft that would come of it. to_fill: what only its author can write."""

    ready: Ready
    survey: Survey
    overview: Overview
    paper: SurveyDefinition
    to_fill: str


_looks: dict[str, Look] = {}


def look(ready: Ready, reader: AbstractBaseUser) -> Look:
    """Made once in a process: the draft is written and taken back, so nothing of it is stored."""
    if ready.key not in _looks:
        with transaction.atomic():
            survey = start(ready, reader)
            seen = survey_overview(survey)
            _looks[ready.key] = Look(
                ready,
                survey,
                seen,
                build_definition(survey),
                placeholders.placeholder_problem(survey),
            )
            transaction.set_rollback(True)
    return _looks[ready.key]
