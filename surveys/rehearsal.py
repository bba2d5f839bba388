"""A rehearsal: people with assumed answers, randomized and counted as real responses are. Nothing is stored."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from surveys.ballots.records import decode, encode, tally
from surveys.errors import Invalid
from surveys.models import Question
from surveys.publishing.instruments import Item, Paper
from surveys.reporting.report import SurveyReport, summarize

MOST = 100_000  # people
USUAL = 1_000


def rehearse(frozen: Paper, shares: Mapping[str, Sequence[float]], n: int, seed: int | None = None) -> SurveyReport:
    """The report that n respondents would give if the true shares were these.

    shares: question key -> one share for each answer, as fractions. They sum to 1, but for choose-all-that-apply,
    where each is by itself. Records, tally and report are those of real responses.
    """
    rng = np.random.default_rng(seed)
    columns = {item.key: _reports(item, shares[item.key], n, rng) for item in frozen.items}
    people = zip(*columns.values(), strict=True)
    records = b"".join(encode(frozen, dict(zip(columns, person, strict=True))) for person in people)
    return summarize(frozen, tally(frozen, decode(frozen, records)))


def _reports(item: Item, shares: Sequence[float], n: int, rng: np.random.Generator) -> list[int] | list[str]:
    """Reports as they travel: integers, or strings of 0 and 1."""
    if item.kind == Question.Kind.ANY:
        truths = (rng.random((n, item.size)) < np.array(shares)).astype(np.uint8)
    else:
        truths = rng.choice(item.size, n, p=shares)
    if item.mechanism is None:
        return truths.tolist()
    reports = item.mechanism.randomize(truths, rng)
    if not item.is_string:
        return reports.tolist()
    return (np.asarray(reports, np.uint8) + ord("0")).view(f"S{item.size}").ravel().astype(str).tolist()


def usual_shares(item: Item) -> str:
    """What to assume where nobody says otherwise, in per cent as an author would type it."""
    if item.kind == Question.Kind.YES_NO and item.size == 2:
        return "20"
    if item.kind == Question.Kind.ANY:
        return " ".join(["30"] * item.size)
    return ""


def parse_shares(item: Item, text: str) -> list[float]:
    """Per cent as typed -> one fraction for each answer. Empty means equal shares. Raises Invalid at the key."""
    numbers = [_per_cent(item, part) for part in re.split(r"[\s;]+", text.strip()) if part]
    if not numbers:
        return [1 / item.size] * item.size
    if item.kind == Question.Kind.YES_NO and item.size == 2 and len(numbers) == 1:
        return [1 - numbers[0], numbers[0]]
    if len(numbers) != item.size:
        raise Invalid({item.key: f"These are {len(numbers)} numbers; the question has {item.size} answers."})
    if item.kind == Question.Kind.YES_NO:  # people read Yes before No
        numbers[:2] = reversed(numbers[:2])
    if item.kind == Question.Kind.ANY:
        return numbers
    if abs(sum(numbers) - 1) > 0.005:
        raise Invalid({item.key: f"The numbers must sum to 100, not to {100 * sum(numbers):g}."})
    return [number / sum(numbers) for number in numbers]


def _per_cent(item: Item, text: str) -> float:
    text = text.removesuffix("%").removesuffix(",")
    if not re.fullmatch(r"[0-9]{1,3}([.][0-9]{1,6})?", text) or float(text) > 100:
        raise Invalid({item.key: "Write numbers of per cent from 0 to 100, with spaces between them: 20 30 50."})
    return float(text) / 100
