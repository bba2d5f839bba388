"""A survey as its author reads it: each question with its design and privacy loss, and the loss of all together."""

from dataclasses import dataclass

from mechanisms import Mechanism
from surveys.designs import Invalid
from surveys.instruments import Item
from surveys.models import Question, Survey
from surveys.publishing import answers, freeze_question, paper
from surveys.workspace.words import in_words


@dataclass(frozen=True)
class Protection:
    """What a mechanism does to the answers of one question, in words and numbers."""

    design: str
    epsilon: float
    sentences: list[str]


@dataclass(frozen=True)
class Line:
    """A question of the overview. `problem` says why it cannot be published as it is."""

    key: str
    kind: str
    text: str
    help: str
    choices: tuple[str, ...]
    protection: Protection | None
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
        return sum(line.protection.epsilon for line in self.lines if line.protection)

    @property
    def has_problem(self) -> bool:
        return any(line.problem for line in self.lines)

    @property
    def has_background(self) -> bool:
        return any(line.kind == Question.Kind.BACKGROUND for line in self.lines)


def overview(survey: Survey) -> Overview:
    """From the questions of a draft; of a published survey from its instrument, which is what respondents get."""
    if survey.is_draft:
        return Overview([_draft_line(question) for question in survey.questions.prefetch_related("choices")])
    return Overview([line(item) for item in paper(survey.instrument).items])


def line(item: Item) -> Line:
    protection = protect(item.mechanism, item.choices) if item.mechanism else None
    return Line(item.key, item.kind, item.text, item.help, item.choices, protection)


def protect(mechanism: Mechanism, choices: tuple[str, ...]) -> Protection:
    spec = mechanism.spec()
    letters = spec.get("parameters", {})
    if spec["kind"] == "unary":
        letters = {"p": str(mechanism.p), "q": str(mechanism.q)}
    values = ", ".join(f"{letter} = {value}" for letter, value in letters.items())
    return Protection(
        design=f"{mechanism.title} ({values})" if values else mechanism.title,
        epsilon=mechanism.epsilon,
        sentences=in_words(mechanism, choices),
    )


def _draft_line(question: Question) -> Line:
    try:
        return line(freeze_question(question))
    except Invalid as error:
        texts = (question.key, question.kind, question.text, question.help)
        return Line(*texts, answers(question), None, problem=str(error))
