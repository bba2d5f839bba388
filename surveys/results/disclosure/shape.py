"""What programs are told of the groups to which everybody is bound who has no right to rows."""

from dataclasses import dataclass
from datetime import date

from surveys.site.shape import Result, of


@dataclass(frozen=True)
class GroupOfTheCut(Result):
    label: str = of()
    codes: tuple[int, ...] = of("the answers in it, as in the instrument")


@dataclass(frozen=True)
class QuestionOfTheCut(Result):
    key: str = of()
    groups: tuple[GroupOfTheCut, ...] = of()


@dataclass(frozen=True)
class CutResult(Result):
    """The report groups, for readers without row access."""

    as_of: date | None = of("the day of closing they are from; null: none")
    note: str = of("what is shown and since when, or why not")
    questions: tuple[QuestionOfTheCut, ...] = of()
