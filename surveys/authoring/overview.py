"""A survey as its author reads it: each question with its design and privacy loss, and the loss of all together."""

from dataclasses import dataclass, replace

from mechanisms import Mechanism
from mechanisms.privacy import total_epsilon
from surveys.authoring.advice import advise
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
    def shares(self) -> list[tuple[Line, float]]:
        """Each sensitive question with its share of the total."""
        return [(line, line.protection.epsilon / self.epsilon) for line in self.lines if line.protection]

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
        return Overview([_draft_line(question, survey.language) for question in questions])
    return Overview([line(item) for item in paper(survey.instrument).items])


def line(item: Item) -> Line:
    protection = protect(item) if item.mechanism else None
    return Line(item.key, item.kind, item.text, item.help, item.choices, protection, item.section)


def protect(item: Item) -> Protection:
    return Protection(named(item.mechanism), item.mechanism.epsilon, item)


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


def _draft_line(question: Question, language: str) -> Line:
    try:
        return replace(line(freeze_question(question)), advice=tuple(advise(question.text, language)))
    except Invalid as error:
        texts = (question.key, question.kind, question.text, question.help)
        return Line(*texts, answers(question), None, question.section, problem=str(error))
