"""A rehearsal: people with assumed answers, randomized and counted as real responses are. Nothing is stored."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from surveys.ballots.records import record_dtype, tally
from surveys.errors import Invalid
from surveys.models import Question
from surveys.publishing.instruments import Item, Paper
from surveys.reporting.report import SurveyReport, summarize

MOST = 100_000  # people
USUAL = 1_000
WITHIN = 0.005  # by which shares may miss 1, as thirds do


def rehearse(frozen: Paper, shares: Mapping[str, Sequence[float]], n: int, seed: int | None = None) -> SurveyReport:
    """The report that n respondents would give if the true shares were these.

    shares: question key -> one share for each answer, as fractions. They sum to 1, but for choose-all-that-apply,
    where each is by itself. Records, tally and report are those of real responses.
    """
    rng = np.random.default_rng(seed)
    rows = np.zeros(n, record_dtype(frozen))
    for item in frozen.items:
        rows[item.key] = _column(item, shares[item.key], n, rng)
    return summarize(frozen, tally(frozen, rows))


def _column(item: Item, shares: Sequence[float], n: int, rng: np.random.Generator) -> np.ndarray:
    """The reports to one question as records hold them."""
    if item.kind == Question.Kind.ANY:
        truths = (rng.random((n, item.size)) < np.array(shares)).astype(np.uint8)
    else:
        truths = rng.choice(item.size, n, p=shares)
    if item.mechanism is None:
        return truths
    return item.mechanism.randomize_packed(truths, rng) if item.is_string else item.mechanism.randomize(truths, rng)


def asked(item: Item) -> list[int]:
    """The answers whose share is asked for, as people read them: Yes before No, and Yes alone where No is the rest."""
    if item.kind != Question.Kind.YES_NO:
        return list(range(item.size))
    return [1] if item.size == 2 else [1, 0, *range(2, item.size)]


def place(item: Item, answer: int) -> str:
    """The name of an answer's share, in forms and messages."""
    return f"{item.key}-{answer}"


def usual(item: Item) -> dict[str, str]:
    """What is assumed where nobody says otherwise: place -> per cent as an author would type it."""
    assumed = {Question.Kind.YES_NO: "20", Question.Kind.ANY: "30"}.get(item.kind, "")
    return {
        place(item, answer): assumed if item.size == 2 or item.kind == Question.Kind.ANY else ""
        for answer in asked(item)
    }


def parse_shares(item: Item, typed: Mapping[str, str]) -> list[float]:
    """Per cent as typed, by place -> one fraction for each answer. Raises Invalid at the places.

    Empty ones share what is left of 100; of choose-all-that-apply they mean nobody.
    """
    shares, errors = [None] * item.size, {}
    for answer in asked(item):
        at = place(item, answer)
        try:
            shares[answer] = _per_cent(typed.get(at, ""))
        except ValueError as wrong:
            errors[at] = str(wrong)
    if errors:
        raise Invalid(errors)
    if item.kind == Question.Kind.ANY:
        return [share or 0.0 for share in shares]
    return _filled(item, shares)


def _filled(item: Item, shares: list[float | None]) -> list[float]:
    given = sum(share for share in shares if share is not None)
    empty = shares.count(None)
    if given > 1 + WITHIN or (not empty and given < 1 - WITHIN):
        raise Invalid({place(item, asked(item)[0]): f"These numbers must sum to 100, not to {100 * given:g}."})
    rest = max(1 - given, 0.0) / (empty or 1)
    filled = [rest if share is None else share for share in shares]
    return [share / sum(filled) for share in filled]


def _per_cent(text: str) -> float | None:
    text = text.strip().removesuffix("%").strip().replace(",", ".")
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,3}([.][0-9]{0,6})?", text) or float(text) > 100:
        raise ValueError("Write a number from 0 to 100, or leave it empty.")
    return float(text) / 100
