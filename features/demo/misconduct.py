"""A study of misconduct at a university. University, people and truths are invented; what happens to the truths is not:
they are randomized, released and corrected as respondents' answers are.

What is asked is in misconduct.json, a survey as it is exported and read, and the same published in instrument.json.
Many answers depend on each other, as in life: people who work long hours copy more, faculties differ, and invented data
are too rare to be found.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from features.demo import answers
from features.demo.answers import NOT_ASKED
from surveys.authoring.files import survey_file
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.parsing import Unhashed, parse, parse_instrument
from surveys.fieldwork.lifecycle import publish
from surveys.fieldwork.responses.release import add_to_report
from surveys.models import Survey

TITLE = "Student misconduct 2026"
SLUG = "misconduct"  # of the study alone: all other surveys have an address that no one finds by trying
PEOPLE = 14_436
SEED = 2135
HERE = Path(__file__).parent
FACULTIES = (54, 3_036, 1_764, 1_926, 3_312, 3_678, 666)  # people; the last do not say
COPIED = (0.20, 0.13, 0.22, 0.07, 0.20, 0.28, 0.20)  # of those who do not work beside their studies
MORE = 0.01  # for each hour of work a week
# Of the kinds of misconduct, of those who copied in an exam and of the others.
KINDS = (
    (0.05, 0.27, 0.21, 0.32, 0.08, 0.03, 0.01, 0.03),
    (0.46, 0.29, 0.12, 0.01, 0.07, 0.03, 0.005, 0.015),
)
AI = 1  # among the kinds
SILENT = 0.03  # do not give their hours or their opinion


@transaction.atomic
def load(owner: AbstractBaseUser) -> Survey:
    """The study with all its answers, open for more."""
    survey = survey_file.read(document(), owner=owner)
    survey.slug = SLUG
    survey.save(update_fields=["slug"])
    made = publish(survey, reason="The people and all their answers are invented.")
    add_to_report(made, records(parse_instrument(made)))
    return made.survey


def document() -> dict[str, Any]:
    """The study as it is exported."""
    found: dict[str, Any] = json.loads((HERE / "misconduct.json").read_text())
    return found


def published() -> SurveyDefinition:
    """The study as it is published, for what has no database with it."""
    content = (HERE / "instrument.json").read_text()
    names, nones, values = {}, {}, {}
    for question in document()["questions"]:
        if "short" in question:
            names[question["key"]] = question["short"]
        if "none" in question:
            labels = [choice["en"] for choice in question["choices"]]
            nones[question["key"]] = labels.index(question["none"])
        if question.get("decline"):
            values[question["key"]] = []
    unhashed = Unhashed(names=names, nones=nones, values=values)
    return parse(hashlib.sha256(content.encode()).hexdigest(), content, unhashed)


def records(frozen: SurveyDefinition) -> bytes:
    """What the invented people's devices sent. frozen: the study as it is published."""
    return answers.records(frozen, truths(), SEED)


def truths() -> dict[str, np.ndarray]:
    """Question key -> code of the true answer of each of the PEOPLE, NOT_ASKED where that is so; of `help`, which takes
    several, 0 and 1, shape (PEOPLE, 5)."""
    rng = np.random.default_rng(SEED)
    faculty = rng.permutation(np.repeat(np.arange(len(FACULTIES)), FACULTIES))
    year = rng.choice(4, PEOPLE, p=(0.29, 0.25, 0.24, 0.22))
    work = _hours(rng)
    copied = rng.random(PEOPLE) < np.array(COPIED)[faculty] + MORE * work
    kind = np.where(copied, *(rng.choice(8, PEOPLE, p=shares) for shares in KINDS))
    is_late = year >= 2
    return {
        "copied": copied.astype(int),
        "kind": kind,
        "help": _help(rng, copied, kind),
        "days": np.minimum(rng.gamma(1.9, 1.9 + work / 14).astype(int), 20),
        "faculty": faculty,
        "year": year,
        "work": _or_silent(rng, work, 41),
        "invented": np.where(is_late, rng.random(PEOPLE) < 0.004, NOT_ASKED),
        "pressure": np.where(is_late, NOT_ASKED, _points(rng, 0.9 + work / 20 + 0.5 * copied)),
        "rules_clear": _or_silent(rng, _points(rng, 2.7 + 0.3 * is_late), 5),
        "exams_watched": _or_silent(rng, _points(rng, 1.6 - 0.5 * copied), 5),
        "treated_fairly": _or_silent(rng, _points(rng, np.full(PEOPLE, 2.2)), 5),
    }


def _hours(rng: np.random.Generator) -> np.ndarray:
    """Of paid work a week; two in five do none."""
    return np.where(
        rng.random(PEOPLE) < 0.4, 0, np.clip(rng.gamma(4.5, 2.6, PEOPLE).round(), 1, 40)
    ).astype(int)


def _help(rng: np.random.Generator, copied: np.ndarray, kind: np.ndarray) -> np.ndarray:
    shares = (
        np.where(kind == AI, 0.85, 0.25),
        np.where(copied, 0.6, 0.24),
        np.where(copied, 0.35, 0.03),
        np.full(PEOPLE, 0.07),
        np.full(PEOPLE, 0.02),
    )
    return (rng.random((PEOPLE, len(shares))) < np.stack(shares, axis=1)).astype(np.uint8)


def _points(rng: np.random.Generator, centre: np.ndarray) -> np.ndarray:
    """Codes of a scale of five, around a centre of each person's own."""
    return np.clip(rng.normal(centre, 1.0).round(), 0, 4).astype(int)


def _or_silent(rng: np.random.Generator, truth: np.ndarray, code: int) -> np.ndarray:
    """The same, where some do not say it. code: of “Prefer not to say”."""
    return np.where(rng.random(PEOPLE) < SILENT, code, truth)
