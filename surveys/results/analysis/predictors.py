"""What may go with an answer: questions as terms of a model, each with its groups or as a number."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mechanisms.checks import FloatArray, IntArray
from surveys.definition.instrument import QuestionDefinition
from surveys.results.analysis import selection
from surveys.results.analysis.cells import Cells
from surveys.results.analysis.outcome import SurveyVariable
from surveys.results.disclosure.access import ReaderView
from surveys.site.errors import Invalid

MOST_TERMS = 8
UNIT = 10  # of a number
QUARTERS = 4  # groups that a number is cut into
CHOICES, NUMBER, GROUPS, TRUTH = "choices", "number", "groups", "truth"


@dataclass(frozen=True)
class Term:
    """A question that explains. way: its answers as groups, a number as it is or in four groups, or the truth behind a
    scrambled answer.
    """

    part: SurveyVariable
    way: str = CHOICES

    @property
    def key(self) -> str:
        return self.part.item.key

    @property
    def text(self) -> str:
        return self.part.item.full_text

    @property
    def short(self) -> str:
        """Its short name, without one its words."""
        return self.part.item.short or f"“{self.text}”"

    @property
    def name(self) -> str:
        """As an address names it."""
        return f"{self.key}:{self.way}" if self.way in (NUMBER, GROUPS) else self.part.name


@dataclass(frozen=True)
class Level:
    """A group of a term: its kinds of answers, first to last; none of a number, which is per `UNIT`, and of a truth."""

    term: Term
    label: str
    kinds: tuple[int, ...] = ()
    is_reference: bool = False

    @property
    def key(self) -> str:
        """ "sex:1", "age:10-21", "age"."""
        if not self.kinds:
            return self.term.part.name
        ends = f"{self.kinds[0]}-{self.kinds[-1]}" if len(self.kinds) > 1 else f"{self.kinds[0]}"
        return f"{self.term.key}:{ends}"

    def column(self, kinds: IntArray) -> FloatArray:
        """1 for who is in the group and 0 for who is not; of a number its value in units."""
        if self.kinds:
            return np.isin(kinds, self.kinds).astype(np.float64)
        return (kinds + self.term.part.item.answer_values[0]) / UNIT


def explaining(seen: ReaderView) -> list[QuestionDefinition]:
    """The questions that may explain: background questions, and of whoever has the right to rows scrambled ones."""
    own = [item for item in selection.questions(seen) if item.mechanism is None and item.size > 1]
    return own + [item for item in selection.questions_with_shares(seen) if seen.has_rows]


def terms(seen: ReaderView, texts: Sequence[str], field: str = "explain") -> tuple[Term, ...]:
    """ "sex", "age:number", "age:groups", "tax:1" -> terms. Invalid at `field`."""
    chosen_terms = tuple(dict.fromkeys(_term(seen, text, field) for text in texts if text.strip()))
    if not chosen_terms:
        raise Invalid({field: "Choose at least one possible factor."})
    if len(chosen_terms) > MOST_TERMS:
        raise Invalid(
            {field: f"{len(chosen_terms)} questions are too many: choose at most {MOST_TERMS}."}
        )
    keys = [term.key for term in chosen_terms]
    if twice := next((key for key in keys if keys.count(key) > 1), None):
        raise Invalid({field: f"“{twice}” is chosen twice. Choose one of the two ways."})
    if sum(term.way == TRUTH for term in chosen_terms) > 1:
        raise Invalid({field: "At most one scrambled question can explain. Choose one of them."})
    return chosen_terms


def _term(seen: ReaderView, text: str, field: str) -> Term:
    key, _, rest = text.strip().partition(":")
    item = selection.question(seen, key, field, explaining(seen))
    if item.mechanism is not None:
        return _truth(item, rest, field)
    ways = (NUMBER, GROUPS) if item.traits.is_background_number else (CHOICES, "")
    if rest and rest not in ways:
        raise Invalid(
            {
                field: f"“{text.strip()[: selection.LONGEST]}” is not known. Choose {key} or {key}:{ways[0]}."
            }
        )
    return Term(SurveyVariable(item, as_number=(rest or ways[0]) == NUMBER), rest or ways[0])


def _truth(item: QuestionDefinition, code: str, field: str) -> Term:
    truth = SurveyVariable(
        item, selection.answer(item, code or ("1" if item.traits.has_yes else ""), field)
    )
    if not truth.is_of_two:
        raise Invalid(
            {
                field: (
                    f"“{item.full_text}” is scrambled by a matrix, so its single answers can’t explain anything."
                )
            }
        )
    return Term(truth, TRUTH)


def levels(term: Term, cells: Cells) -> list[Level]:
    """The groups of a term with somebody in them, the largest the reference; numbers and truths have one level."""
    if term.way == NUMBER:
        return [Level(term, f"per {UNIT} more")]
    if term.way == TRUTH:
        return [
            Level(
                term,
                f"{term.part.item.choices[term.part.choice]} (estimated from scrambled answers)",
            )
        ]
    people = np.bincount(cells.of(term.part), cells.counts, minlength=term.part.n_report_values)
    groups = (
        _quarters(people, term)
        if term.way == GROUPS
        else [(kind,) for kind in np.flatnonzero(people).tolist()]
    )
    largest = max(groups, key=lambda group: people[list(group)].sum(), default=())
    return [Level(term, _label(term, group), group, group == largest) for group in groups]


def _quarters(people: FloatArray, term: Term) -> list[tuple[int, ...]]:
    """Neighbouring answers of about a quarter of the people each; fewer groups where many gave the same.

    Whoever declined is a group apart.
    """
    declined = term.part.item.decline_code
    if declined is not None:
        return [*_neighbours(people[:declined]), *([(declined,)] if people[declined] else [])]
    return _neighbours(people)


def _neighbours(people: FloatArray) -> list[tuple[int, ...]]:
    if not people.sum():
        return []
    along = (np.cumsum(people) - people / 2) / people.sum()
    quarter = np.minimum((along * QUARTERS).astype(int), QUARTERS - 1)
    there = [np.flatnonzero((quarter == number) & (people > 0)) for number in range(QUARTERS)]
    return [tuple(range(int(each[0]), int(each[-1]) + 1)) for each in there if each.size]


def _label(term: Term, group: tuple[int, ...]) -> str:
    choices = term.part.item.choices
    return choices[group[0]] if len(group) == 1 else f"{choices[group[0]]} to {choices[group[-1]]}"
