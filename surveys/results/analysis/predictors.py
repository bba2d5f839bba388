"""Predictors of a model: questions as terms, each with its groups or as a number."""

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
# A number counts per so many more.
UNIT = 10
# The groups into which a number is cut.
QUARTERS = 4
# The ways in which a question explains.
CHOICES = "choices"
NUMBER = "number"
GROUPS = "groups"
TRUTH = "truth"


@dataclass(frozen=True)
class Term:
    """A question that explains.

    way: CHOICES for its answers as groups, NUMBER for a number as it is, GROUPS for a number in
        four groups, or TRUTH for the truth behind a scrambled answer.
    """

    part: SurveyVariable
    way: str = CHOICES

    @property
    def key(self) -> str:
        """The key of the question."""
        return self.part.item.key

    @property
    def text(self) -> str:
        """The text of the question."""
        return self.part.item.full_text

    @property
    def short(self) -> str:
        """The short name of the question, or its text."""
        return self.part.item.short or f"“{self.text}”"

    @property
    def name(self) -> str:
        """The name in addresses."""
        if self.way in (NUMBER, GROUPS):
            return f"{self.key}:{self.way}"
        return self.part.name


@dataclass(frozen=True)
class Level:
    """A group of a term; a number and a truth have one level without a group.

    kinds: the kinds of answers in the group, from the first to the last.
    is_reference: True for the group that the others are compared with.
    """

    term: Term
    label: str
    kinds: tuple[int, ...] = ()
    is_reference: bool = False

    @property
    def key(self) -> str:
        """The name of the group in results: "sex:1", "age:10-21", "age"."""
        if not self.kinds:
            return self.term.part.name
        first, last = self.kinds[0], self.kinds[-1]
        if first == last:
            return f"{self.term.key}:{first}"
        return f"{self.term.key}:{first}-{last}"

    def column(self, kinds: IntArray) -> FloatArray:
        """Return 1 for people in the group and 0 for others; of a number, its value in units."""
        if self.kinds:
            return np.isin(kinds, self.kinds).astype(np.float64)
        return (kinds + self.term.part.item.answer_values[0]) / UNIT


def explaining(seen: ReaderView) -> list[QuestionDefinition]:
    """Return the questions that may explain.

    They are background questions and, for readers with row access, scrambled ones.
    """
    questions = []
    for item in selection.questions(seen):
        if item.mechanism is None and item.size > 1:
            questions.append(item)
    if seen.has_rows:
        questions += selection.questions_with_shares(seen)
    return questions


def terms(seen: ReaderView, texts: Sequence[str], field: str = "explain") -> tuple[Term, ...]:
    """Return the terms that texts name: "sex", "age:number", "age:groups", "tax:1".

    Raises Invalid at `field`.
    """
    named_terms = [_term(seen, text, field) for text in texts if text.strip()]
    distinct_terms = tuple(dict.fromkeys(named_terms))
    if not distinct_terms:
        raise Invalid({field: "Choose at least one possible factor."})
    if len(distinct_terms) > MOST_TERMS:
        problem = f"{len(distinct_terms)} questions are too many: choose at most {MOST_TERMS}."
        raise Invalid({field: problem})
    keys = [term.key for term in distinct_terms]
    for key in keys:
        if keys.count(key) > 1:
            raise Invalid({field: f"“{key}” is chosen twice. Choose one of the two ways."})
    if sum(term.way == TRUTH for term in distinct_terms) > 1:
        raise Invalid({field: "At most one scrambled question can explain. Choose one of them."})
    return distinct_terms


def _term(seen: ReaderView, text: str, field: str) -> Term:
    """Return the term that a text names. Raises Invalid at `field`."""
    key, _, rest = text.strip().partition(":")
    item = selection.question(seen, key, field, explaining(seen))
    if item.mechanism is not None:
        return _truth_term(item, rest, field)
    ways = (CHOICES, "")
    if item.traits.is_background_number:
        ways = (NUMBER, GROUPS)
    way = rest or ways[0]
    if way not in ways:
        given = text.strip()[: selection.LONGEST]
        problem = f"“{given}” is not known. Choose {key} or {key}:{ways[0]}."
        raise Invalid({field: problem})
    return Term(SurveyVariable(item, as_number=way == NUMBER), way)


def _truth_term(item: QuestionDefinition, code: str, field: str) -> Term:
    """Return the term of the truth behind a scrambled answer. Raises Invalid at `field`."""
    if not code and item.traits.has_yes:
        code = "1"
    variable = SurveyVariable(item, selection.answer(item, code, field))
    if not variable.is_of_two:
        problem = (
            f"“{item.full_text}” is scrambled by a matrix, so its single answers can’t explain "
            "anything."
        )
        raise Invalid({field: problem})
    return Term(variable, TRUTH)


def levels(term: Term, cells: Cells) -> list[Level]:
    """Return the groups of a term that have people, of which the largest is the reference.

    A number and a truth have one level.
    """
    if term.way == NUMBER:
        return [Level(term, f"per {UNIT} more")]
    if term.way == TRUTH:
        answer = term.part.item.choices[term.part.choice]
        return [Level(term, f"{answer} (estimated from scrambled answers)")]
    people = np.bincount(cells.of(term.part), cells.counts, minlength=term.part.n_report_values)
    groups = [(kind,) for kind in np.flatnonzero(people).tolist()]
    if term.way == GROUPS:
        groups = _groups_of_number(people, term)
    largest = max(groups, key=lambda group: people[list(group)].sum(), default=())
    return [Level(term, _label(term, group), group, group == largest) for group in groups]


def _groups_of_number(people: FloatArray, term: Term) -> list[tuple[int, ...]]:
    """Return groups of neighbouring answers; people who declined are a group of their own."""
    declined = term.part.item.decline_code
    if declined is None:
        return _quarters(people)
    groups = _quarters(people[:declined])
    if people[declined]:
        groups.append((declined,))
    return groups


def _quarters(people: FloatArray) -> list[tuple[int, ...]]:
    """Return neighbouring answers with about a quarter of the people each.

    There are fewer groups where many people gave the same answer.
    """
    total = people.sum()
    if not total:
        return []
    # An answer belongs to the quarter in which the middle one of its people is.
    middles = (np.cumsum(people) - people / 2) / total
    quarters = np.minimum((middles * QUARTERS).astype(int), QUARTERS - 1)
    groups = []
    for quarter in range(QUARTERS):
        kinds = np.flatnonzero((quarters == quarter) & (people > 0))
        if kinds.size:
            groups.append(tuple(range(int(kinds[0]), int(kinds[-1]) + 1)))
    return groups


def _label(term: Term, group: tuple[int, ...]) -> str:
    """Return the label of a group: "Women", "18 to 25"."""
    choices = term.part.item.choices
    first, last = choices[group[0]], choices[group[-1]]
    return first if len(group) == 1 else f"{first} to {last}"
