"""A survey as its author reads it: each question with its design and privacy loss, and the loss of all together."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from mechanisms import Mechanism
from surveys.authoring.planning import expected
from surveys.authoring.planning.precision import EVERYBODY, Verdict, verdict, wanted
from surveys.authoring.planning.remedies import EVERYONE, Asking, Remedy, remedies
from surveys.authoring.planning.wording_advice import advise
from surveys.definition import grids, protection, protection_wording, question_subset
from surveys.definition.drafted import drafted
from surveys.definition.freezing import answers, freeze_question
from surveys.definition.instrument import FrozenQuestion, FrozenSurvey, part, spent
from surveys.definition.kinds import Kind, kind_of
from surveys.definition.odds import is_beyond
from surveys.definition.parsing import paper
from surveys.definition.response_format import Draw
from surveys.definition.routing.filters import Branching, branching
from surveys.definition.routing.paths import ALL_ASKED
from surveys.models import Question, Survey
from surveys.site.errors import Invalid

FIRST = 100  # answers of a question
SHORT = {  # for a chip; own: how many answers there are
    Kind.YES_NO: "Yes/no",
    Kind.CHOICE: "Single choice, {own:,}",
    Kind.ANY: "Multiple choice, {own}",
    Kind.QUANTITY: "Number, {first} to {last}",
    Kind.SCALE: "Rating scale, {own}",
    Kind.WRITTEN: "Short text",
    Kind.BACKGROUND: "Single choice, {own:,}",
    Kind.NUMBER: "Number, {first} to {last}",
}
NO_NUMBERS = "Number"


@dataclass(frozen=True)
class Protection:
    """What a mechanism does to the answers of one question. The words are those of the respondents' page."""

    design: str
    epsilon: float
    item: FrozenQuestion
    chances: str = ""  # of an import-only survey, whose answers were drawn elsewhere

    @property
    def proves(self) -> bool:
        """Whether a recorded answer can prove the truth."""
        return math.isinf(self.epsilon)

    @property
    def is_beyond(self) -> bool:
        """Whether a guess is right more often than may be published."""
        return is_beyond(self.epsilon)


@dataclass(frozen=True)
class Line:
    """A question of the overview. `problem` says why it cannot be published as it is."""

    key: str
    kind: str
    text: str
    help: str
    choices: tuple[str, ...]
    protection: Protection | None
    section: str = ""
    advice: tuple[str, ...] = ()
    problem: str = ""
    verdict: Verdict | None = None  # None for a number, and where there is a problem
    remedies: tuple[Remedy, ...] = ()  # of a draft
    declines: bool = False  # whether the last answer is "Prefer not to say"
    cut: bool = False  # whether the report makes groups by it
    drawn: bool = False  # whether it is among those of which each person is asked only some
    own_method: bool = False  # whether it has one, where the survey's protection makes the others
    grid: str = ""  # the heading of the grid in which it is a row
    when: str = ""  # whom it is asked, in words; empty: everybody
    short: str = ""  # of published questions
    accepted: str = ""  # of a draft: the margin that its author leaves as too uncertain

    @property
    def is_sensitive(self) -> bool:
        return kind_of(self).sensitive

    @property
    def shown(self) -> tuple[str, ...]:
        """The answers in the order of the respondent's page: Yes before No."""
        return tuple(kind_of(self).in_order(self.choices))

    @property
    def first(self) -> tuple[str, ...]:
        """As many of these as a page of the whole survey shows."""
        return self.shown[:FIRST]

    @property
    def warns(self) -> bool:
        """Whether it would show no number, and its author did not leave it so."""
        return bool(
            self.verdict
            and self.protection
            and self.verdict.shows_nothing
            and self.verdict.short != self.accepted
        )

    @property
    def kind_name(self) -> str:
        return Question.Kind(self.kind).label

    @property
    def kind_short(self) -> str:
        """For a chip: "Yes/no", "Multiple choice, 5"."""
        own = len(self.choices) - self.declines
        if own <= 0 and kind_of(self).is_number:
            return NO_NUMBERS
        first, last = (self.choices[0], self.choices[own - 1]) if own > 0 else ("", "")
        return SHORT[self.kind].format(own=own, first=first, last=last)


@dataclass(frozen=True)
class Overview:
    """draw: None where everybody is asked all questions, or where the lot of a draft is wrong. paths: what is left out
    on each path: surveys.definition.routing.paths.spared. questions: of a draft, as surveys.definition.drafted reads
    them, so that nothing of the same page reads them again.
    """

    lines: list[Line]
    draw: Draw | None = None
    paths: tuple[frozenset[str], ...] = ALL_ASKED
    questions: tuple[Question, ...] = ()

    @property
    def epsilon(self) -> float:
        """Total privacy loss per respondent, whichever questions are drawn."""
        return spent(self.losses, self.draw, self.paths)

    @property
    def protection(self) -> protection.Losses:
        return protection.losses(self.losses, self.epsilon)

    @property
    def losses(self) -> list[tuple[str, float]]:
        """Key and epsilon of each sensitive question."""
        return [(line.key, line.protection.epsilon) for line in self.lines if line.protection]

    @property
    def has_paths(self) -> bool:
        return any(line.when for line in self.lines)

    @property
    def summary(self) -> list[str]:
        """What an author reads of it in numbers; nothing where no question is sensitive."""
        if not self.losses:
            return []
        return [protection_wording.in_numbers(self.protection), *self.who_gets]

    @property
    def who_gets(self) -> list[str]:
        """Which questions each person gets, where that is not all of them."""
        if not self.draw:
            return []
        sensitive = [(line.key, line.text) for line in self.sensitive]
        conditional = [line.key for line in self.sensitive if line.when]
        return [protection_wording.who_gets(self.draw, sensitive, conditional)]

    @property
    def meaning(self) -> list[str]:
        """What the numbers of the summary mean."""
        return (
            []
            if self.proves or not self.losses
            else protection_wording.meaning(self.protection, bool(self.draw))
        )

    @property
    def proves(self) -> bool:
        return math.isinf(self.epsilon)

    @property
    def runs(self) -> list[list[Line]]:
        """The lines as pages show them: the rows of each grid together."""
        return grids.runs(self.lines)

    @property
    def has_problem(self) -> bool:
        return any(line.problem for line in self.lines)

    @property
    def has_background(self) -> bool:
        return any(not line.is_sensitive for line in self.lines)

    @property
    def background_sizes(self) -> list[int]:
        """The number of answers of each background question."""
        return [len(line.choices) for line in self.lines if not line.is_sensitive]

    @property
    def sensitive(self) -> list[Line]:
        return [line for line in self.lines if line.is_sensitive]


def overview(survey: Survey) -> Overview:
    """From the questions of a draft; of a published survey from its instrument, which is what respondents get."""
    if survey.is_draft:
        questions, draw = drafted(survey), question_subset.draw(survey)
        whom = branching(questions)
        unlike = grids.unlike(questions, answers) | protection.misplaced(questions, whom.written)
        part_of = expected.of_draft(whom)
        lines = [
            _draft_line(each, survey, draw, whom, part_of.get(each.key, EVERYBODY))
            for each in questions
        ]
        lines = [replace(line, problem=line.problem or unlike.get(line.key, "")) for line in lines]
        return _with_remedies(
            Overview(lines, draw, whom.paths, questions=tuple(questions)),
            survey,
            questions,
            part_of,
        )
    return of_paper(paper(survey.instrument), survey)


def of_paper(frozen: FrozenSurvey, survey: Survey) -> Overview:
    part_of = expected.of_paper(frozen, survey)
    lines = [
        replace(
            line(item, survey, frozen.draw, part_of.get(item.key, EVERYBODY)),
            cut=item.key in frozen.cut,
        )
        for item in frozen.items
    ]
    return Overview(lines, frozen.draw, frozen.paths)


def line(
    item: FrozenQuestion, survey: Survey, draw: Draw | None, on_path: Fraction = EVERYBODY
) -> Line:
    """on_path: the part of the people who are expected on its path."""
    protection = protect(item, survey.import_only) if item.mechanism else None
    # How many answer a survey that was asked elsewhere is settled, and some of its designs have no single margin.
    asked = (wanted(survey), part(item.key, draw) * on_path)
    shows = (
        None
        if survey.import_only
        else verdict(item.kind, item.mechanism, *asked, step=item.step, unit=item.unit)
    )
    texts = (item.key, item.kind, item.text, item.help, item.choices)
    drawn = draw is not None and item.key in draw.of
    more = {
        "drawn": drawn,
        "grid": item.grid,
        "declines": item.aside,
        "when": item.whom,
        "short": item.short,
    }
    return Line(*texts, protection, item.section, verdict=shows, **more)


def protect(item: FrozenQuestion, import_only: bool = False) -> Protection:
    words = item.mechanism.in_words() if import_only else ""
    return Protection(named(item.mechanism), item.mechanism.epsilon, item, words)


def named(mechanism: Mechanism) -> str:
    """A mechanism by its title and the numbers it was made from."""
    values = ", ".join(f"{letter} = {value}" for letter, value in mechanism.letters.items())
    return f"{mechanism.title} ({values})" if values else mechanism.title


def _draft_line(
    question: Question, survey: Survey, draw: Draw | None, whom: Branching, on_path: Fraction
) -> Line:
    wrong = [f"Condition: {said}" for said in whom.problems.get(question.key, ())]
    more = {
        "when": whom.words(question.key),
        "own_method": bool(survey.protection and question.design),
    }
    try:
        written = line(freeze_question(question), survey, draw, on_path)
        more |= {"declines": question.decline, "cut": question.cut, "problem": " ".join(wrong)}
        more["accepted"] = question.accepted
        return replace(written, advice=tuple(advise(question.text, survey.language)), **more)
    except Invalid as error:
        texts = (question.key, question.kind, question.text, question.help)
        more |= {"problem": " ".join([str(error), *wrong]), "grid": question.grid}
        return Line(*texts, answers(question), None, question.section, **more)


def _with_remedies(
    seen: Overview, survey: Survey, questions: Sequence[Question], part_of: Mapping[str, Fraction]
) -> Overview:
    """Of those for whose answers people are asked by this site."""
    if survey.import_only:
        return seen
    sensitive = [question for question in questions if kind_of(question).sensitive]
    picked = sum(not question.everyone for question in sensitive)
    selection = Asking(protection.ASKED - (picked < len(sensitive)), picked)

    def of(question: Question, line: Line) -> Line:
        if line.protection is None or line.grid:  # the rows of a grid are changed together
            return line
        on_path = part_of.get(question.key, EVERYBODY)
        asking = EVERYONE if question.everyone else replace(selection, part=on_path)
        how = {"is_own": bool(question.design), "declines": line.declines}
        return replace(line, remedies=tuple(remedies(survey, line.protection.item, asking, **how)))

    return replace(seen, lines=[of(*each) for each in zip(questions, seen.lines, strict=True)])
