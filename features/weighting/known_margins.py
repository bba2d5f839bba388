"""Known shares of the groups of background questions: what was given, checked, and summed to the groups in view."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from surveys.definition.instrument import QuestionDefinition
from surveys.results.analysis import selection
from surveys.results.disclosure.access import ReaderView
from surveys.results.report.groups import MOST_GROUPS, groupable_questions
from surveys.site.errors import Invalid
from surveys.site.number_format import format_level, join_with_and

MOST = 3  # questions
ROUNDING = 0.005  # by which given shares may miss 1
FIELD = "margins"


@dataclass(frozen=True)
class Margin:
    """item: with the groups that its reader sees. known: the share of each group, summing to 1."""

    item: QuestionDefinition
    known: tuple[float, ...]
    merged: tuple[str, ...] = ()  # the groups whose share is a sum of what was given

    @property
    def key(self) -> str:
        return self.item.key


def answers(seen: ReaderView, item: QuestionDefinition) -> tuple[str, ...]:
    """Whose shares are asked for: of a question with few answers all of them, else of the groups that are seen."""
    whole = _whole(seen, item)
    if not whole.traits.is_background_number and whole.size <= MOST_GROUPS:
        return whole.choices[: whole.decline_code]
    return tuple(item.choices[place] for place in _shown(seen, item))


def _whole(seen: ReaderView, item: QuestionDefinition) -> QuestionDefinition:
    """The question as it was asked."""
    return next(each for each in seen.paper.items if each.key == item.key)


def _shown(seen: ReaderView, item: QuestionDefinition) -> list[int]:
    """The groups of people who have answered."""
    unknown = seen.codes_without_answer(item.key)
    return [place for place in range(item.size) if place not in unknown]


def read(text: str) -> dict[str, list[float]]:
    """ "sex:0.49,0.51;region:0.2,0.3,0.5" -> question key -> shares. Raises Invalid."""
    shares_by_key: dict[str, list[float]] = {}
    for part in filter(None, text[:5000].split(";")):
        key, _, numbers = part.partition(":")
        try:
            shares_by_key[key.strip()] = [float(number) for number in numbers.split(",")]
        except ValueError:
            raise Invalid(
                {FIELD: f"Write shares like sex:0.49,0.51;region:0.2,0.3,0.5, not “{part[:40]}”."}
            ) from None
    return shares_by_key


def margins(seen: ReaderView, given: Mapping[str, Sequence[float]]) -> tuple[Margin, ...]:
    """Raises Invalid for an unknown question, none or too many, and shares that do not fit its answers or sum to 1;
    NotAReportGroup for a question of which this reader sees nothing.
    """
    if not 0 < len(given) <= MOST:
        raise Invalid({FIELD: f"Enter the known shares of one to {MOST} background questions."})
    allowed = groupable_questions(seen)
    items = [selection.question(seen, key, FIELD, allowed) for key in given]
    return tuple(_margin(seen, item, list(map(float, given[item.key]))) for item in items)


def _margin(seen: ReaderView, item: QuestionDefinition, shares: list[float]) -> Margin:
    total = sum(shares)
    if not all(0 <= share <= 1 for share in shares):
        raise Invalid(
            {FIELD: f"Each share of “{item.full_text}” must be from 0 to 1, which is 100%."}
        )
    if abs(total - 1) > ROUNDING:
        raise Invalid(
            {FIELD: f"The shares of “{item.full_text}” sum to {format_level(total)}, not to 100%."}
        )
    whole, shown = _whole(seen, item), _shown(seen, item)
    size = len(whole.choices[: whole.decline_code])  # whoever declines has no known share
    codes = [
        [code for code in seen.original_codes(item.key, [place]) if code < size] for place in shown
    ]
    if len(shares) == size:
        known = [sum(shares[code] for code in each) for each in codes]
        merged = [
            item.choices[place] for place, each in zip(shown, codes, strict=True) if len(each) > 1
        ]
    elif len(shares) == len(shown):
        known, merged = shares, []
    else:
        names = answers(seen, item)
        needed = (
            f"“{item.full_text}” needs {len(names)} shares, one for each of "
            f"{join_with_and([f'“{name}”' for name in names])}"
        )
        raise Invalid({FIELD: f"{needed}; there are {len(shares)}."})
    share_by_code = dict.fromkeys(range(item.size), 0.0) | dict(zip(shown, known, strict=True))
    return Margin(item, tuple(share / total for share in share_by_code.values()), tuple(merged))
