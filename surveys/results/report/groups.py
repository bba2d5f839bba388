"""Groups side by side: the report of each group that one background question makes, within the rules of the filters.

Every group shown is one that a filter would show: at least MINIMUM responses in it, and outside of it none or as many.
Whoever adds up the groups and compares them with the whole gets the rest, so the rest too is nobody, or MINIMUM
people or more: small groups are put together, and where that is not enough another one stays out.
"""

from dataclasses import dataclass, field, replace

from surveys.definition.instrument import FrozenQuestion
from surveys.fieldwork.responses.records import add_up
from surveys.results.disclosure.access import ReaderView
from surveys.results.disclosure.subgroups import MINIMUM, NEARLY_ALL, Group, TooSmall
from surveys.results.estimates import intervals
from surveys.results.estimates.report import EVERYBODY, YES, ChoiceReport, QuestionReport, SurveyReport, summarize
from surveys.results.figures.axes import numbers_axis
from surveys.results.figures.dot_plot import Figure, Row, figure_of, row
from surveys.results.report.numeric_results import mean_row
from surveys.site.errors import Invalid
from surveys.site.number_format import count, listed

MOST_GROUPS = 12
MOST_OF_A_LIST = 5  # choices of a long list that a group has a say in
TOO_FEW = (
    f"These groups cannot be compared: at least two of {MINIMUM} responses or more are needed, and nobody may be left "
    f"over, or {MINIMUM} people or more."
)


@dataclass(frozen=True)
class Part:
    """One group: the labels of its choices, more than one where small groups were put together, its report, and the
    tally that this is of.
    """

    labels: tuple[str, ...]
    result: SurveyReport
    tally: dict = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        return listed(list(self.labels))


@dataclass(frozen=True)
class SideBySide:
    """left_out: people in no group that is shown; left_out_labels: the choices of theirs."""

    by: FrozenQuestion
    parts: tuple[Part, ...]
    left_out: int
    left_out_labels: tuple[str, ...]
    seen: str = ""  # what its reader may see of background answers

    @property
    def note(self) -> str:
        """Why there are fewer groups than answers; empty where there are not."""
        together = [part.name for part in self.parts if len(part.labels) > 1]
        why = f"a group alone, or what is left over, would be fewer than {MINIMUM} people"
        said = [f"{name} are put together: {why}." for name in together]
        if self.left_out:
            who = f" ({listed(list(self.left_out_labels))})" if self.left_out_labels else ""
            said.append(f"{count(self.left_out)} people are in no group that is shown{who}.")
        return " ".join([*said, self.seen]).strip()

    @property
    def questions(self) -> list[tuple[QuestionReport, list[tuple[str, Figure]]]]:
        """Each scrambled question with its figures, one for each answer: (answer, the groups in rows)."""
        first = self.parts[0].result.questions
        return [(question, self._figures(place)) for place, question in enumerate(first) if question.design]

    def figure(self, key: str) -> Figure:
        """All answers to one question as one figure. KeyError for a question that is not scrambled."""
        for place, question in enumerate(self.parts[0].result.questions):
            if question.key == key and question.design:
                return self._whole(place)
        raise KeyError(key)

    def _whole(self, place: int) -> Figure:
        if not self._question(place).choices:
            return self._means(place)
        rows: list[Row] = []
        answers = self._answers(place)
        for choice in answers:
            rows += [Row(self._label(place, choice), is_heading=True)] if len(answers) > 1 else []
            rows += self._rows(place, choice)
        return figure_of(rows, ranges=f"{self._question(place).level_name} range")

    def _figures(self, place: int) -> list[tuple[str, Figure]]:
        """On one scale, so that they can be compared."""
        whole = self._whole(place)
        if not self._question(place).choices:
            return [("Mean", whole)]
        return [
            (self._label(place, choice), replace(whole, rows=tuple(self._rows(place, choice))))
            for choice in self._answers(place)
        ]

    def _means(self, place: int) -> Figure:
        """Of a question that was made for the mean: one row for each group."""
        questions = self._large_enough(place)
        rows = [
            mean_row(question.average, part.name, f"n = {count(question.n)}")
            for part, question in questions
            if question.average
        ]
        numbers = next((question.average.numbers for _, question in questions if question.average), range(2))
        axis = numbers_axis(float(numbers[0]), float(numbers[-1]))
        return Figure(tuple(rows), axis, values="mean", ranges=f"{self._question(place).level_name} range")

    def _question(self, place: int) -> QuestionReport:
        return self.parts[0].result.questions[place]

    def _label(self, place: int, choice: int) -> str:
        return self._question(place).choices[choice].label

    def _answers(self, place: int) -> list[int]:
        """Yes alone says all of a question with two answers; otherwise every answer, as asked."""
        question = self._question(place)
        only_yes = question.is_yes_no and len(question.choices) == 2
        return [YES] if only_yes else self._found(place) if question.is_list else [v for v, _ in question.ordered()]

    def _found(self, place: int) -> list[int]:
        """Of a list the choices that are found in some group, the first few of each."""
        parts = [part.result.questions[place] for part in self.parts]
        return sorted({v for question in parts for v, _ in question.drawn_choices()[:MOST_OF_A_LIST]})

    def _rows(self, place: int, choice: int) -> list[Row]:
        return [_row(part, question, question.choices[choice]) for part, question in self._large_enough(place)]

    def _large_enough(self, place: int) -> list[tuple[Part, QuestionReport]]:
        """The groups of which enough were asked a question. The size of the others is nowhere."""
        questions = [(part, part.result.questions[place]) for part in self.parts]
        return [(part, question) for part, question in questions if question.basis and question.n >= MINIMUM]


def _row(part: Part, question: QuestionReport, choice: ChoiceReport) -> Row:
    note = f"n = {count(choice.n if question.picks else question.n)}"
    return row(choice, label=part.name, note=note, recorded=False)


def comparable(seen: ReaderView) -> list[FrozenQuestion]:
    """The background questions whose answers, as their reader sees them, make few enough groups."""
    return [item for item in seen.filterable if not item.traits.is_background_number and item.size <= MOST_GROUPS]


def side_by_side(
    seen: ReaderView,
    by: str,
    *,
    asked: intervals.Asked | None = None,
    group: Group = EVERYBODY,
) -> SideBySide:
    """The groups that a background question makes of everybody, or of a group.

    Invalid for a question that is not comparable, or a kind of interval that a design does not have; TooSmall where
    fewer than two groups may be shown.
    """
    frozen, asked = seen.frozen, asked or intervals.Asked()
    items = {item.key: item for item in comparable(seen)}
    if by not in items:
        allowed = ", ".join(items) or "there is none in this survey"
        why = f"Choose a background question with at most {MOST_GROUPS} answers: {allowed}. {seen.note}"
        raise Invalid({"by": why.strip()})
    everybody, inside, tallies = seen.tallies_by(group, by)
    if 0 < everybody - inside < MINIMUM:
        raise TooSmall(NEARLY_ALL)  # the groups add up to the filter, which is refused
    kept = _enough(tallies, everybody, inside)
    if len(kept) < 2:
        raise TooSmall(TOO_FEW)
    labels, shown = items[by].choices, [v for choices, _ in kept for v in choices]
    options = {"confidence": asked.confidence, "interval": asked.kind, "simultaneous": asked.simultaneous}
    options |= {"sampling": asked.sampling}
    return SideBySide(
        by=items[by],
        parts=tuple(
            Part(tuple(labels[v] for v in choices), summarize(frozen, tally, **options), tally)
            for choices, tally in kept
        ),
        left_out=inside - sum(tally["n"] for _, tally in kept),
        left_out_labels=tuple(labels[v] for v, tally in enumerate(tallies) if tally.get("n") and v not in shown),
        seen=seen.note,
    )


def _enough(tallies: list[dict], everybody: int, inside: int) -> list[tuple[tuple[int, ...], dict]]:
    """(choices, tally) of the groups that may be shown, in the order of the choices, what was put together last."""
    there = [((v,), tally) for v, tally in enumerate(tallies) if tally and tally["n"]]
    small = [part for part in there if part[1]["n"] < MINIMUM]
    kept = [part for part in there if part[1]["n"] >= MINIMUM]
    while small and kept and sum(tally["n"] for _, tally in small) < MINIMUM:
        small.append(kept.pop(_smallest(kept)))
    if small and sum(tally["n"] for _, tally in small) >= MINIMUM:
        kept.append(_together(small))
    while kept and 0 < inside - sum(tally["n"] for _, tally in kept) < MINIMUM:
        kept.pop(_smallest(kept))
    return [part for part in kept if not 0 < everybody - part[1]["n"] < MINIMUM]


def _smallest(parts: list[tuple[tuple[int, ...], dict]]) -> int:
    return min(range(len(parts)), key=lambda place: parts[place][1]["n"])


def _together(parts: list[tuple[tuple[int, ...], dict]]) -> tuple[tuple[int, ...], dict]:
    total: dict = {}
    for _, tally in parts:
        total = add_up(total, tally)
    return tuple(sorted(v for choices, _ in parts for v in choices)), total
