"""A survey as its author reads it: each question with its design and privacy loss, and the loss of all together."""

import math
from dataclasses import dataclass, replace

from mechanisms import Mechanism
from mechanisms.planning.privacy import total_epsilon
from surveys.authoring.advice import advise
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

    @property
    def shown(self) -> tuple[str, ...]:
        """The answers in the order of the respondent's page: Yes before No."""
        if self.kind == Question.Kind.YES_NO:
            return (*reversed(self.choices[:2]), *self.choices[2:])
        return self.choices

    @property
    def kind_name(self) -> str:
        return Question.Kind(self.kind).label


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
        return Overview([_draft_line(question, survey) for question in questions])
    frozen = paper(survey.instrument)
    return Overview([line(item, frozen.import_only) for item in frozen.items])


def line(item: Item, import_only: bool = False) -> Line:
    protection = protect(item, import_only) if item.mechanism else None
    return Line(item.key, item.kind, item.text, item.help, item.choices, protection, item.section)


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
        written = line(freeze_question(question), survey.import_only)
        return replace(written, advice=tuple(advise(question.text, survey.language)))
    except Invalid as error:
        texts = (question.key, question.kind, question.text, question.help)
        return Line(*texts, answers(question), None, question.section, problem=str(error))
