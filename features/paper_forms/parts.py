"""A survey as a sheet of paper: why it cannot be one, and what stands on it in which order.

All sheets of a survey are alike: everyone is asked everything, so no sheet tells whose it is. Sensitive questions stand
first, after a frame that says how to answer them by chance; the others follow.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.modes import dice_needed, sections
from surveys.definition.instrument import QuestionDefinition, SurveyDefinition
from surveys.models import Question

Mode = Question.Mode
MOST_CHOICES = 20  # of a background question, each with a box
NO_CHANCE = (
    "“{}” can’t be asked on paper. Sensitive questions there are yes/no, answered with coins, a die, slips or a "
    "spinner."
)
TOO_LONG = f"“{{}}” can’t be asked on paper. Other questions there have at most {MOST_CHOICES} choices, or are numbers."
NOT_FOR_ALL = "“{}” is asked of some people only. On paper everyone is asked everything."
CERTAIN = (
    "With these chances one answer on paper would be certain. Give Yes and No a chance above 0."
)
COIN, DIE, SLIPS, SPINNER, SEVERAL, DIRECTLY = "coin", "die", "slips", "spinner", "several", ""
BY_SIDES = {2: COIN, 6: DIE, 10: SLIPS}


def sheet_problem(frozen: SurveyDefinition) -> str:
    """Return why a survey cannot be printed as a paper sheet, or an empty string."""
    wrong = (_wrong(item, is_drawn=frozen.is_drawn(item.key)) for item in frozen.items)
    return next(filter(None, wrong), "")


def _wrong(item: QuestionDefinition, *, is_drawn: bool) -> str:
    if item.mechanism and not is_by_chance(item):
        return NO_CHANCE.format(item.full_text)
    if not (item.mechanism or item.traits.is_number or item.size <= MOST_CHOICES):
        return TOO_LONG.format(item.full_text)
    if item.when or is_drawn:
        return NOT_FOR_ALL.format(item.full_text)
    chances = item.mechanism.probabilities() if item.mechanism else ()
    return CERTAIN if any(0 in row for row in chances) else ""


def is_by_chance(item: QuestionDefinition) -> bool:
    """Whether people answer it with coins, a die, slips or a spinner; answers randomized elsewhere have no mode."""
    return (
        item.mechanism is not None
        and item.mode != Mode.AUTOMATIC
        and item.mechanism.name in BY_PEOPLE
    )


BY_PEOPLE = {key for key, design in DESIGNS.items() if design.by_people}


@dataclass(frozen=True)
class SheetQuestion:
    """A question with its number on the sheet. is_first: of the rows of a grid, which share a heading."""

    number: int
    item: QuestionDefinition
    is_first: bool


@dataclass(frozen=True)
class Frame:
    """Questions that are answered in one way. The first stands for how; without a mechanism that is directly."""

    questions: tuple[SheetQuestion, ...]

    @property
    def how(self) -> QuestionDefinition:
        return self.questions[0].item


@dataclass(frozen=True)
class Part:
    """device: COIN, DIE, SLIPS, SPINNER, SEVERAL of these at once, or DIRECTLY."""

    device: str
    frames: tuple[Frame, ...]


def sheet_sections(frozen: SurveyDefinition, language: str = "") -> tuple[Part, ...]:
    """Return the sections of the printed sheet.

    language: that alone; unless given, all of them.
    """
    ways: dict[str, dict[object, list[QuestionDefinition]]] = {}
    for item in sorted(frozen.items, key=lambda item: item.mechanism is None):
        ways.setdefault(required_tool(item), {}).setdefault(_way(item), []).append(item)
    made, before = [], 0
    for name, frames in ways.items():
        own = []
        for items in frames.values():
            own.append(Frame(tuple(_numbered(items, before, language))))
            before += len(items)
        made.append(Part(name, tuple(own)))
    return tuple(made)


def in_order(frozen: SurveyDefinition) -> list[QuestionDefinition]:
    """The questions as the sheet numbers them."""
    return [
        question.item
        for part in sheet_sections(frozen)
        for frame in part.frames
        for question in frame.questions
    ]


def required_tool(item: QuestionDefinition) -> str:
    """Return what a respondent needs to answer the question on paper."""
    if item.mechanism is None:
        return DIRECTLY
    if item.mode == Mode.SPINNER:
        return SPINNER
    sides = set(dice_needed(sections(item.mechanism, by_hand=True)) or ())
    return BY_SIDES[sides.pop()] if len(sides) == 1 else SEVERAL


def _way(item: QuestionDefinition) -> object:
    """What is the same for all questions of a frame: its table, and the chances below it."""
    if item.mechanism is None:
        return None
    weights = sections(item.mechanism, by_hand=item.mode == Mode.BY_HAND)
    total = sum(part.weight for part in weights)
    table = tuple((part.act, Fraction(part.weight, total)) for part in weights)
    return (
        item.mode,
        table,
        item.mechanism.probabilities(),
        item.harmless,
        item.statement,
        item.opposite,
    )


def _numbered(
    items: Sequence[QuestionDefinition], before: int, language: str
) -> Iterable[SheetQuestion]:
    for place, item in enumerate(items):
        is_row = place and item.grid and item.grid == items[place - 1].grid and not item.section
        yield SheetQuestion(
            before + place + 1, item.in_language(language) if language else item, not is_row
        )
