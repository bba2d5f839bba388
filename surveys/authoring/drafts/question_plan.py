"""How a question is to be answered and randomized: checked whole, without storing anything."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import models

from mechanisms import Mechanism
from surveys.authoring.drafts.candidates import given_candidates
from surveys.authoring.drafts.text_checks import bounds, choice_labels, known_share, one_line, steps
from surveys.authoring.drafts.written_values import validate_values
from surveys.definition import protection as dial
from surveys.definition.designs.construction import build, unknown_design_message
from surveys.definition.designs.external import designs_for
from surveys.definition.designs.levels import AIMS, AUTOMATIC, EPSILONS, recommend_design
from surveys.definition.designs.modes import UNRELATED, is_statement, mode_problems
from surveys.definition.designs.parameters import parse_number
from surveys.definition.freezing import answer_labels, decline_label as added_answer
from surveys.definition.kinds import KINDS
from surveys.definition.values import AnswerValues, draft_values
from surveys.models import Question, Survey
from surveys.site.errors import Invalid

Kind = Question.Kind
NO_DECLINING = (
    "Remove “Prefer not to say”. The page tells people that they can write it in a text answer."
)


@dataclass(frozen=True)
class QuestionPlan:
    """How a question is answered and how its answers are randomized. No mechanism: sent as they are.

    design, parameters: of its own; none where the protection of the survey makes the mechanism.
    """

    kind: str
    decline: bool
    labels: tuple[str, ...]
    design: str
    parameters: dict[str, str]
    mechanism: Mechanism | None
    mode: str = Question.Mode.AUTOMATIC
    harmless: str = ""
    statement: str = ""
    opposite: str = ""
    language: str = Survey.Language.ENGLISH
    minimum: int | None = None
    maximum: int | None = None
    anchor: float | None = None
    step: int | None = None
    unit: str = ""
    aim: str = ""
    values: list[str] = field(default_factory=list)

    @property
    def answers(self) -> tuple[str, ...]:
        """Everything a respondent can choose."""
        return answer_labels(self.question, list(self.labels), self.language)

    @property
    def question(self) -> Question:
        """What makes the answers, as a question that is not stored."""
        numbers = {"minimum": self.minimum, "maximum": self.maximum, "step": self.step}
        own = {"decline": self.decline, "unit": self.unit, "values": self.values}
        return Question(kind=self.kind, **own, **numbers)

    @property
    def answer_values(self) -> AnswerValues:
        """What stands for the answers in files."""
        return draft_values(self.question, self.answers)


def plan_question(
    *,
    kind: str,
    decline: bool = False,
    choices: Sequence[str] = (),
    values: Sequence[str] = (),
    design: str = "",
    parameters: Mapping[str, str] | None = None,
    mode: str = Question.Mode.AUTOMATIC,
    harmless: str = "",
    statement: str = "",
    opposite: str = "",
    language: str = Survey.Language.ENGLISH,
    minimum: str = "",
    maximum: str = "",
    anchor: str = "",
    step: str = "",
    unit: str = "",
    aim: str = "",
    import_only: bool = False,
    protection: str = dial.NO_LEVEL,
) -> QuestionPlan:
    """Check how a question is to be answered. Choices of a yes/no question are ignored.

    values: what stands for each of the choices in files, or for No and Yes; nothing for the default values.

    design: one of the catalogue, or "automatic" with an epsilon among the parameters, which becomes the most precise
    design for the number of answers; where each question is set by itself, also one of the levels "strong", "balanced"
    and "light". Empty: as the survey's protection makes it.
    aim: of a number or a scale without a design of the catalogue: "mean" (usual) or "shares".
    anchor: the share of Yes in per cent where it is known, as for a question about birthdays; empty otherwise.
    import_only: the answers come from a file, so that designs with infinite epsilon are allowed. An automatic mode
    is one elsewhere then; with the others people draw on paper.
    protection: of the survey: surveys.definition.protection.
    """
    if kind not in Kind.values:
        raise Invalid({"kind": "Choose a question type."})
    traits = KINDS[kind]
    sensitive = traits.sensitive
    check = Checks()
    added = added_answer(language) if decline else ""
    is_listed = traits.choices == "author"
    labels = (
        check.collect("choices", choice_labels, choices, decline=added, most=traits.most)
        if is_listed
        else ()
    )
    if traits.is_written:
        labels = check.collect("choices", given_candidates, choices)
        check.errors |= {"decline": NO_DECLINING} if decline else {}
    written = []
    if traits.has_setting("values"):
        written = check.collect("values", validate_values, values, choices, traits)
    low, high, apart = _range(check, kind, minimum, maximum, step)
    unit = (
        (check.collect_line("unit", unit, Question, name="The unit") or "")
        if "unit" in traits.special_settings
        else ""
    )
    size = _size(kind, decline, labels, (low, high, apart), language)
    typed = {letter: str(value).strip() for letter, value in (parameters or {}).items()}
    is_derived = sensitive and protection != dial.NO_LEVEL and not design
    if is_derived:
        how = {"mode": mode, "aim": aim}
        design, numbers = check.collect(
            "design", _derived_method, protection, typed, size, kind, **how
        ) or (
            "",
            {},
        )
    elif sensitive:
        given = (design, typed, size, kind)
        design, numbers = check.collect(
            "design", _chosen_method, protection, given, import_only, aim
        ) or ("", {})
    else:
        design, numbers = "", {}
    aside = decline and traits.is_ordered
    mechanism = (
        check.collect(
            "design",
            build,
            design,
            size,
            numbers,
            traits.select,
            import_only=import_only,
            separate_decline=aside,
        )
        if design
        else None
    )
    mode = mode if sensitive else Question.Mode.AUTOMATIC
    harmless = (
        check.collect_line("harmless", harmless, Question, name="The harmless question") or ""
    )
    harmless = harmless if (mode, design) == (Question.Mode.BY_HAND, UNRELATED) else ""
    pair = _statements(check, statement, opposite) if is_statement(mode, mechanism) else ("", "")
    check.errors |= mode_problems(
        mode=mode, kind=kind, design=design, mechanism=mechanism, harmless=harmless
    )
    known = (
        check.collect("anchor", known_share, anchor)
        if "anchor" in traits.special_settings
        else None
    )
    check.raise_errors()
    own = ("", {}) if is_derived else (design, numbers)
    asked = (kind, decline, labels or (), *own, mechanism, mode, harmless, *pair, language)
    own_aim = aim if is_derived and traits.is_ordered else ""
    return QuestionPlan(*asked, low, high, known, apart, unit, own_aim, values=written)


def _range(
    check: "Checks", kind: str, minimum: str, maximum: str, step: str
) -> tuple[int | None, int | None, int | None]:
    """The smallest number, the largest, and the step of sensitive ones; None where there is none, or it is wrong."""
    traits = KINDS[kind]
    if "step" in traits.special_settings:
        return check.collect("minimum", steps, minimum, maximum, str(step)) or (None, None, None)
    given = check.collect("minimum", bounds, minimum, maximum) if traits.is_number else None
    return (*(given or (None, None)), None)


def _size(
    kind: str,
    declines: bool,
    labels: tuple[str, ...] | None,
    numbers: tuple[int | None, ...],
    language: str,
) -> int:
    """How many answers there are; two stand in for those that are wrong, so that the rest is checked all the same."""
    low, high, step = numbers
    traits = KINDS[kind]
    if traits.is_written:
        return 0
    if labels is None or (traits.is_number and low is None):
        return 2
    question = Question(kind=kind, decline=declines, minimum=low, maximum=high, step=step)
    return len(answer_labels(question, list(labels), language))


def _statements(check: "Checks", statement: str, opposite: str) -> tuple[str, str]:
    """Both or none, and not the same one twice."""
    first = check.collect_line("statement", statement, Question, name="The statement") or ""
    second = check.collect_line("opposite", opposite, Question, name="The opposite statement") or ""
    if bool(first) != bool(second):
        missing = "opposite" if first else "statement"
        check.errors.setdefault(missing, "Write both statements, or neither.")
    elif first and first == second:
        check.errors["opposite"] = (
            "Both statements are the same. Write what is true for people who would answer No."
        )
    return first, second


def _derived_method(
    protection: str, typed: Mapping[str, str], size: int, kind: str, **how: str
) -> dial.Method:
    """Return the method that the survey's protection gives."""
    if any(typed.values()):
        raise Invalid({"parameters": dial.ONE_CHOICE})
    _check_aim(how["aim"])
    return dial.derive_method(protection, size, kind, **how)


def _chosen_method(
    protection: str, given: tuple[str, Mapping[str, str], int, str], import_only: bool, aim: str
) -> Any:
    """Return the method that the author chose."""
    if protection != dial.NO_LEVEL and given[0] in EPSILONS:
        raise Invalid({"design": dial.ONE_CHOICE})
    return resolve_design(*given, import_only=import_only, aim=aim)


def _check_aim(aim: str) -> None:
    if aim and aim not in AIMS:
        raise Invalid({"aim": f"Choose what you want to know: {' or '.join(AIMS)}."})


def resolve_design(
    design: str,
    parameters: Mapping[str, str],
    size: int,
    kind: str,
    *,
    import_only: bool = False,
    aim: str = "",
) -> tuple[str, dict[str, str]]:
    """Return the catalogue's key for a design or level, with its own parameters. Raises Invalid."""
    of: str = KINDS[kind].select
    if of == "ordered" and aim:
        _check_aim(aim)
        of = AIMS[aim]
    epsilon = EPSILONS.get(design)
    _check_parameters(design, parameters, import_only)
    if design == AUTOMATIC:
        epsilon = _epsilon(parameters.get("epsilon", ""))
    if epsilon is not None:
        recommended = recommend_design(max(size, 2), epsilon, of)
        return recommended.design, dict(recommended.parameters)
    if design not in (designs := designs_for(import_only)):
        allowed = f" There are {', '.join((AUTOMATIC, *EPSILONS, *designs))}." if design else ""
        raise Invalid({"design": f"{unknown_design_message(design)}{allowed}"})
    return design, {letter: parameters.get(letter, "") for letter in designs[design].parameters}


def _check_parameters(design: str, given: Mapping[str, str], import_only: bool) -> None:
    """What is given must be the design's; an unknown design is told by itself."""
    designs = designs_for(import_only)
    if design not in (AUTOMATIC, *EPSILONS, *designs):
        return
    own = (
        designs[design].parameters
        if design in designs
        else ("epsilon",)
        if design == AUTOMATIC
        else ()
    )
    has = f"It has {', '.join(own)}." if own else "It has none."
    foreign = [letter for letter, value in given.items() if value and letter not in own]
    if foreign:
        raise Invalid(dict.fromkeys(foreign, f"“{design}” does not have this parameter. {has}"))


def _epsilon(text: str) -> str:
    try:
        number = parse_number("epsilon", text)
    except ValueError as wrong:
        raise Invalid({"epsilon": str(wrong)}) from wrong
    return str(float(number))


class Checks:
    """Runs every check, so that an author sees at once all that is wrong."""

    def __init__(self) -> None:
        self.errors: dict[str, str] = {}

    def collect(
        self, field: str, check: Callable[..., Any], *args: object, **options: object
    ) -> Any:
        """Return what a check returns; store the message of an error under its field.

        Returns None if the check raises an error.
        """
        try:
            return check(*args, **options)
        except Invalid as wrong:
            self.errors |= wrong.errors
        except ValueError as wrong:
            self.errors[field] = str(wrong)

    def collect_line(
        self, field: str, text: str, model: type[models.Model], **options: object
    ) -> Any:
        """Check a text of one line."""
        limit = model._meta.get_field(field).max_length
        return self.collect(field, one_line, text, limit=limit, **options)

    def raise_errors(self) -> None:
        """Raise Invalid if any check has failed."""
        if self.errors:
            raise Invalid(self.errors)
