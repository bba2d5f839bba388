"""A survey as its author reads it: each question with its design and privacy loss, and the loss of all together."""

import math
from dataclasses import dataclass, replace

from mechanisms import Mechanism
from mechanisms.planning.privacy import total_epsilon
from surveys.authoring.advice import advise
from surveys.authoring.budgets import goal
from surveys.authoring.verdicts import Remedy, Verdict, remedies, verdict, wanted
from surveys.designs.words import chances
from surveys.errors import Invalid
from surveys.models import Question, Survey
from surveys.publishing.freezing import answers, freeze_question
from surveys.publishing.instruments import Item, paper


@dataclass(frozen=True)
class Protection:
    """What a mechanism does to the answers of one question. The words are those of the respondents' page."""

    design: str
    epsilon: float
    item: Item
    chances: str = ""  # of an import-only survey, whose answers were drawn elsewhere

    @property
    def proves(self) -> bool:
        """Whether a recorded answer can prove the truth."""
        return math.isinf(self.epsilon)


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

    @property
    def shown(self) -> tuple[str, ...]:
        """The answers in the order of the respondent's page: Yes before No."""
        if self.kind == Question.Kind.YES_NO:
            return (*reversed(self.choices[:2]), *self.choices[2:])
        return self.choices

    @property
    def kind_name(self) -> str:
        return Question.Kind(self.kind).label

    @property
    def kind_short(self) -> str:
        """For a chip: "Yes or no", "Any of 5"."""
        own = len(self.choices) - self.declines
        if self.kind == Question.Kind.NUMBER:
            return f"Number, {self.choices[0]} to {self.choices[-1]}" if self.choices else "Number"
        named = {Question.Kind.CHOICE: f"One of {own}", Question.Kind.ANY: f"Any of {own}"}
        return named.get(self.kind, "Yes or no" if self.kind == Question.Kind.YES_NO else f"One of {own}")


@dataclass(frozen=True)
class Overview:
    lines: list[Line]

    @property
    def epsilon(self) -> float:
        """Total privacy loss per respondent."""
        return total_epsilon(line.protection.epsilon for line in self.lines if line.protection)

    @property
    def shares(self) -> list[tuple[Line, float | None]]:
        """Each sensitive question with its share of the total; None of an infinite one."""
        total = None if self.proves else self.epsilon
        return [(line, total and line.protection.epsilon / total) for line in self.lines if line.protection]

    @property
    def proves(self) -> bool:
        return math.isinf(self.epsilon)

    @property
    def has_problem(self) -> bool:
        return any(line.problem for line in self.lines)

    @property
    def has_background(self) -> bool:
        return any(not Question(kind=line.kind).is_sensitive for line in self.lines)


def overview(survey: Survey) -> Overview:
    """From the questions of a draft; of a published survey from its instrument, which is what respondents get."""
    if survey.is_draft:
        questions = survey.questions.prefetch_related("choices")
        return _with_remedies(Overview([_draft_line(question, survey) for question in questions]), survey)
    frozen = paper(survey.instrument)
    return Overview([line(item, survey) for item in frozen.items])


def line(item: Item, survey: Survey) -> Line:
    protection = protect(item, survey.import_only) if item.mechanism else None
    # How many answer a survey that was asked elsewhere is settled, and some of its designs have no single margin.
    shows = None if survey.import_only else verdict(item.kind, item.mechanism, wanted(survey))
    return Line(item.key, item.kind, item.text, item.help, item.choices, protection, item.section, verdict=shows)


def protect(item: Item, import_only: bool = False) -> Protection:
    words = chances(item.mechanism) if import_only else ""
    return Protection(named(item.mechanism), item.mechanism.epsilon, item, words)


def named(mechanism: Mechanism) -> str:
    """A mechanism by its title and the numbers it was made from."""
    spec = mechanism.spec()
    letters = spec.get("parameters", {})
    if spec["kind"] == "subset":
        letters = {"size of the group": str(spec["width"])}
    if spec["kind"] == "unary":
        letters = {"p": str(mechanism.p), "q": str(mechanism.q)}
    values = ", ".join(f"{letter} = {value}" for letter, value in letters.items())
    return f"{mechanism.title} ({values})" if values else mechanism.title


def _draft_line(question: Question, survey: Survey) -> Line:
    try:
        written = line(freeze_question(question), survey)
        return replace(written, advice=tuple(advise(question.text, survey.language)), declines=question.decline)
    except Invalid as error:
        texts = (question.key, question.kind, question.text, question.help)
        return Line(*texts, answers(question), None, question.section, problem=str(error))


def _with_remedies(seen: Overview, survey: Survey) -> Overview:
    """What a question may cost depends on all others, so this comes last."""
    if survey.import_only:
        return seen  # was drawn elsewhere
    room = goal(survey) - seen.epsilon
    return Overview([_mendable(line, wanted(survey), room) for line in seen.lines])


def _mendable(line: Line, n: int, room: float) -> Line:
    if line.protection is None:
        return line
    left = room + line.protection.epsilon
    return replace(line, remedies=tuple(remedies(line.protection.item, n, left, declines=line.declines)))
