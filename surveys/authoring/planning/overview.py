"""A survey as its author reads it: each question with its design and privacy loss, and the loss of all together."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from mechanisms import Mechanism
from surveys.authoring.planning import expected
from surveys.authoring.planning.precision import EVERYBODY, Verdict, target_or_default, verdict
from surveys.authoring.planning.remedies import EVERYONE, Asking, Remedy, remedies
from surveys.authoring.planning.wording_advice import advise
from surveys.definition import grids, protection, protection_wording, question_subset
from surveys.definition.drafted import load_questions
from surveys.definition.freezing import answer_labels, build_question_definition
from surveys.definition.instrument import (
    QuestionDefinition,
    SurveyDefinition,
    expected_share_asked,
    total_loss,
)
from surveys.definition.kinds import Kind, kind_of
from surveys.definition.odds import is_beyond
from surveys.definition.parsing import parse_instrument
from surveys.definition.response_format import QuestionSubset
from surveys.definition.routing.filters import Branching, build_branching
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
    item: QuestionDefinition
    chances: str = ""  # of an import-only survey, whose answers were drawn elsewhere

    @property
    def can_prove_answer(self) -> bool:
        """True if a report can prove the true answer."""
        return math.isinf(self.epsilon)

    @property
    def is_beyond(self) -> bool:
        """Whether a guess is right more often than may be published."""
        return is_beyond(self.epsilon)


@dataclass(frozen=True)
class QuestionSummary:
    """A question in the overview; `problem` says why it cannot be published."""

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
    def ordered_choices(self) -> tuple[str, ...]:
        """The answers in the order of the respondents' page."""
        return tuple(kind_of(self).in_order(self.choices))

    @property
    def first_choices(self) -> tuple[str, ...]:
        """The first answers, as many as a page shows."""
        return self.ordered_choices[:FIRST]

    @property
    def needs_warning(self) -> bool:
        """True if no number would be shown and the author has not accepted that."""
        return bool(
            self.verdict
            and self.protection
            and self.verdict.is_withheld
            and self.verdict.number != self.accepted
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
    on each path: surveys.definition.routing.paths.skipped_by_path. questions: of a draft, as
    surveys.definition.drafted reads
    them, so that nothing of the same page reads them again.
    """

    lines: list[QuestionSummary]
    draw: QuestionSubset | None = None
    paths: tuple[frozenset[str], ...] = ALL_ASKED
    questions: tuple[Question, ...] = ()

    @property
    def epsilon(self) -> float:
        """Total privacy loss per respondent, whichever questions are drawn."""
        return total_loss(self.losses, self.draw, self.paths)

    @property
    def protection(self) -> protection.Losses:
        return protection.summarize_losses(self.losses, self.epsilon)

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
        return [protection_wording.guess_rates_text(self.protection), *self.who_gets]

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
            else protection_wording.loss_explanation(self.protection, bool(self.draw))
        )

    @property
    def proves(self) -> bool:
        return math.isinf(self.epsilon)

    @property
    def runs(self) -> list[list[QuestionSummary]]:
        """The lines as pages show them: the rows of each grid together."""
        return grids.group_by_grid(self.lines)

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
    def sensitive(self) -> list[QuestionSummary]:
        return [line for line in self.lines if line.is_sensitive]


def survey_overview(survey: Survey) -> Overview:
    """Return the questions of a survey with designs, losses and problems."""
    if survey.is_draft:
        questions, draw = load_questions(survey), question_subset.question_subset(survey)
        whom = build_branching(questions)
        unlike = grids.grid_problems(questions, answer_labels) | protection.everyone_problems(
            questions, whom.written
        )
        part_of = expected.expected_shares_draft(whom)
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
    return of_paper(parse_instrument(survey.instrument), survey)


def of_paper(frozen: SurveyDefinition, survey: Survey) -> Overview:
    part_of = expected.expected_shares_published(frozen, survey)
    lines = [
        replace(
            line(item, survey, frozen.draw, part_of.get(item.key, EVERYBODY)),
            cut=item.key in frozen.cut,
        )
        for item in frozen.items
    ]
    return Overview(lines, frozen.draw, frozen.paths)


def line(
    item: QuestionDefinition,
    survey: Survey,
    draw: QuestionSubset | None,
    on_path: Fraction = EVERYBODY,
) -> QuestionSummary:
    """on_path: the part of the people who are expected on its path."""
    protection = question_protection(item, survey.import_only) if item.mechanism else None
    # How many answer a survey that was asked elsewhere is settled, and some of its designs have no single margin.
    asked = (target_or_default(survey), expected_share_asked(item.key, draw) * on_path)
    shows = (
        None
        if survey.import_only
        else verdict(
            item.kind, item.mechanism, *asked, step=item.answer_values.step, unit=item.unit
        )
    )
    texts = (item.key, item.kind, item.text, item.help, item.choices)
    drawn = draw is not None and item.key in draw.of
    more = {
        "drawn": drawn,
        "grid": item.grid,
        "declines": item.aside,
        "when": item.condition_text,
        "short": item.short,
    }
    return QuestionSummary(*texts, protection, item.section, verdict=shows, **more)


def question_protection(item: QuestionDefinition, import_only: bool = False) -> Protection:
    """Return how an item is protected."""
    words = item.mechanism.in_words() if import_only else ""
    return Protection(mechanism_name(item.mechanism), item.mechanism.epsilon, item, words)


def mechanism_name(mechanism: Mechanism) -> str:
    """Return the title of a mechanism with its parameters."""
    values = ", ".join(f"{letter} = {value}" for letter, value in mechanism.parameter_texts.items())
    return f"{mechanism.title} ({values})" if values else mechanism.title


def _draft_line(
    question: Question,
    survey: Survey,
    draw: QuestionSubset | None,
    whom: Branching,
    on_path: Fraction,
) -> QuestionSummary:
    wrong = [f"Condition: {said}" for said in whom.problems.get(question.key, ())]
    more = {
        "when": whom.condition_text(question.key),
        "own_method": bool(survey.protection and question.design),
    }
    try:
        written = line(build_question_definition(question), survey, draw, on_path)
        more |= {"declines": question.decline, "cut": question.cut, "problem": " ".join(wrong)}
        more["accepted"] = question.accepted
        return replace(written, advice=tuple(advise(question.text, survey.language)), **more)
    except Invalid as error:
        texts = (question.key, question.kind, question.text, question.help)
        more |= {"problem": " ".join([str(error), *wrong]), "grid": question.grid}
        return QuestionSummary(*texts, answer_labels(question), None, question.section, **more)


def _with_remedies(
    seen: Overview, survey: Survey, questions: Sequence[Question], part_of: Mapping[str, Fraction]
) -> Overview:
    """Of those for whose answers people are asked by this site."""
    if survey.import_only:
        return seen
    sensitive = [question for question in questions if kind_of(question).sensitive]
    picked = sum(not question.everyone for question in sensitive)
    selection = Asking(protection.MOST_ASKED - (picked < len(sensitive)), picked)

    def of(question: Question, line: QuestionSummary) -> QuestionSummary:
        if line.protection is None or line.grid:  # the rows of a grid are changed together
            return line
        on_path = part_of.get(question.key, EVERYBODY)
        asking = EVERYONE if question.everyone else replace(selection, part=on_path)
        how = {"is_own": bool(question.design), "declines": line.declines}
        return replace(line, remedies=tuple(remedies(survey, line.protection.item, asking, **how)))

    return replace(seen, lines=[of(*each) for each in zip(questions, seen.lines, strict=True)])
