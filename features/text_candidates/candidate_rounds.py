"""Written answers in the report: candidates that a researcher gives, in rounds, and what the reports say of them.

Each round of a question is read at a level of its own, half of the one before, so that all rounds together hold with
95%, however many follow. Earlier rounds keep theirs. A round is counted over whole reports, which can take a while;
its sums are stored with the number of responses they are of.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import cast

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from mechanisms import Candidates
from mechanisms.designs.texts import TextMechanism, distinct_candidates
from mechanisms.estimation.candidates import Counted
from surveys.accounts import history
from surveys.authoring.drafts.candidates import given_candidates
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.definition.parsing import parse_instrument
from surveys.fieldwork.responses.records import present_reports
from surveys.fieldwork.responses.released import RESPONSES_DELETED, iter_batches, read_released
from surveys.models import Instrument, Round, Survey
from surveys.results.disclosure.subgroups import MINIMUM
from surveys.site.errors import Invalid, Refused

LEVEL = 0.05  # of all rounds together
MOST_ROUNDS = 12  # by then a round is read at 0.0012%
AT_ONCE = (
    4 * 10**8
)  # reports times candidates that a page counts itself, about a second; more is left to the timer
PATIENCE = 60  # seconds of one run of the timer after which no further round is begun
SEARCHED = (
    "Choose the texts before you look at the rows: from what you know, from the literature, from another survey. "
    "Texts found by searching the rows are those that chance has raised, and every interval here becomes invalid."
)
HIDES_NOTHING = (
    "The hash of a text hides nothing, because anyone can hash a guess. Only the noise protects."
)
MANY = f"A question can have at most {MOST_ROUNDS} counts. Each further one is stricter."
NO_CANDIDATE = "Write at least one text, one per line."
NOT_FOUND = "“{text}” cannot be told apart from texts that are not on the list."


@dataclass(frozen=True)
class RoundResult:
    """number: 1, 2, ... level: the chance, at most, that any interval of this round misses its share.

    found: None until it is counted. is_behind: whether responses were released since. texts: as they were typed.
    points: what their hashes are, where the design has such.
    """

    number: int
    level: float
    texts: tuple[str, ...]
    found: Candidates | None = None
    is_behind: bool = False
    points: tuple[int, ...] = ()
    refused: str = (
        ""  # why nothing can be said, where these responses do not tell these candidates apart
    )

    @property
    def n(self) -> int:
        return self.found.n if self.found else 0

    @property
    def rows(self) -> list["Row"]:
        """The candidates: those that are found come first, then the largest share."""
        counted = self.found
        if counted is None:
            return []
        is_found = counted.is_found
        rows = []
        for index, text in enumerate(self.texts):
            low, high = counted.intervals[index]
            row = Row(
                text=text,
                count=int(counted.counts[index]),
                share=float(counted.shares[index]),
                standard_error=float(counted.standard_errors[index]),
                interval=(float(low), float(high)),
                is_found=bool(is_found[index]),
                significance=float(counted.significance[index]),
                possible=None if counted.possible is None else float(counted.possible[index]),
                point=self.points[index] if self.points else None,
            )
            rows.append(row)
        return sorted(rows, key=lambda row: (not row.is_found, -row.share))

    @property
    def told(self) -> list["Row"]:
        """The candidates that are found."""
        return [row for row in self.rows if row.is_found]

    @property
    def collisions(self) -> list[list[str]]:
        """Candidates that no report can tell apart: their shares are one."""
        groups = self.found.collisions if self.found else ()
        return [[self.texts[place] for place in group] for group in groups]


@dataclass(frozen=True)
class Row:
    """A candidate. Its numbers are fractions of all who answered.

    interval: simultaneous over its round. is_found, significance: as `Candidates` has them. If the
    candidate is not found, pages show neither share nor interval, but `sentence`. possible: the
    share among possible ones, or None if candidates are counted one by one.
    """

    text: str
    count: int
    share: float
    standard_error: float
    interval: tuple[float, float]
    is_found: bool
    significance: float
    possible: float | None
    point: int | None = None

    @property
    def sentence(self) -> str:
        """What the page says about a candidate that is not found."""
        return NOT_FOUND.format(text=self.text)


def level_of(number: int) -> float:
    return float(LEVEL / 2**number)


def written_item(frozen: SurveyDefinition, key: str) -> QuestionDefinition | None:
    return next((item for item in frozen.items if item.key == key and item.is_written), None)


def round_results(instrument: Instrument, key: str) -> list[RoundResult]:
    """Return the last counts of all rounds of a text question."""
    item = written_item(parse_instrument(instrument), key)
    if item is None:
        return []
    n = count_answers(instrument, key)
    rounds = list(Round.objects.filter(instrument=instrument, key=key))
    for each in rounds:
        if _is_behind(each, n) and n * len(each.texts) <= AT_ONCE and not instrument.deleted_on:
            count_round(each)
    return [_result(item, each, n) for each in rounds]


def count_answers(instrument: Instrument, key: str) -> int:
    """Return the number of released reports to a question."""
    tally = read_released(instrument).tally
    n: int = tally.get("answered", {}).get(key, tally["n"])
    return n


def _is_behind(each: Round, n: int) -> bool:
    return each.counted.get("n", 0) != n


def _result(item: QuestionDefinition, each: Round, n: int) -> RoundResult:
    """Nothing is estimated from fewer than MINIMUM where background answers decided whom it was asked."""
    level, texts = level_of(each.number), tuple(each.texts)
    counted = each.counted.get("n", 0)
    if not counted or (item.when and counted < MINIMUM):
        return RoundResult(each.number, level, texts, is_behind=bool(n))
    sums = Counted.from_json(each.counted)
    mechanism, wanted = _mechanism(item), distinct_candidates(each.texts)
    points = mechanism.numbers(wanted)
    try:
        decoded = mechanism.estimate_candidates(sums, wanted, level)
    except ValueError as wrong:
        return RoundResult(each.number, level, texts, refused=f"{str(wrong).partition(';')[0]}.")
    return RoundResult(each.number, level, texts, decoded, counted != n, points)


def _mechanism(item: QuestionDefinition) -> TextMechanism:
    return cast(TextMechanism, item.mechanism)  # is_written says so


def create_round(
    instrument: Instrument, key: str, lines: Sequence[str], by: AbstractBaseUser | None = None
) -> Round:
    """Create another round of candidates. Raises Invalid or Refused."""
    item = written_item(parse_instrument(instrument), key)
    if item is None:
        raise Refused("Choose a text question. This one has no texts to count.")
    if instrument.deleted_on:
        raise Refused(RESPONSES_DELETED.format(day=instrument.deleted_on))
    try:
        texts = given_candidates(lines)
        _mechanism(item).check_candidates(distinct_candidates(texts) if texts else ())
    except ValueError as wrong:
        raise Invalid({"candidates": str(wrong)}) from wrong
    if not texts:
        raise Invalid({"candidates": NO_CANDIDATE})
    made = _add(instrument, key, texts, by)
    if count_answers(instrument, key) * len(texts) <= AT_ONCE:
        count_round(made)
    return made


@transaction.atomic
def _add(
    instrument: Instrument, key: str, texts: Sequence[str], by: AbstractBaseUser | None
) -> Round:
    survey = Survey.objects.get(pk=instrument.survey_id).locked()
    number = Round.objects.filter(instrument=instrument, key=key).count() + 1
    if number > MOST_ROUNDS:
        raise Refused(MANY)
    detail = f"round {number} of {key}: {len(texts):,} read at {100 * level_of(number):.4g}%"
    history.record(survey, by, history.What.CANDIDATES, detail)
    return Round.objects.create(instrument=instrument, key=key, number=number, texts=list(texts))


def count_round(each: Round) -> None:
    """Count a round's candidates in the responses released so far; stores nothing if more arrive
    meanwhile.
    """
    instrument = Instrument.objects.select_related("survey").get(pk=each.instrument_id)
    item = written_item(parse_instrument(instrument), each.key)
    n = count_answers(instrument, each.key)
    if item is None or not n:
        return
    mechanism, wanted, total = _mechanism(item), distinct_candidates(each.texts), None
    for slice_ in iter_batches(instrument):
        part = mechanism.count_candidates(
            present_reports(parse_instrument(instrument), slice_, each.key), wanted
        )
        total = part if total is None else total + part
    if total is None or total.n != n:
        return  # more were released meanwhile
    each.counted = total.as_json()
    Round.objects.filter(pk=each.pk).update(counted=each.counted)


def count_due() -> None:
    """Of all surveys, what is behind, as far as time allows; the timer does it."""
    started = monotonic()
    waiting = Round.objects.filter(instrument__deleted_on=None).select_related("instrument")
    for each in waiting.defer("instrument__content"):
        if monotonic() - started > PATIENCE:
            return
        if _is_behind(each, count_answers(each.instrument, each.key)):
            count_round(each)


def detectable_candidate_share(
    item: QuestionDefinition, n: int, candidates: int, number: int
) -> float | None:
    """Return the smallest share of a candidate that can be detected, or None."""
    share = (
        _mechanism(item).smallest_detectable_share(n, candidates, level_of(number))
        if n
        else math.nan
    )
    return None if math.isnan(share) else share
