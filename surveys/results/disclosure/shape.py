"""What programs are told of the groups to which everybody is bound who has no right to rows."""

from dataclasses import dataclass
from datetime import date

from surveys.site.shape import ApiResult, api_field


@dataclass(frozen=True)
class GroupOfTheCut(ApiResult):
    label: str = api_field()
    codes: tuple[int, ...] = api_field("the answers in it, as in the instrument")


@dataclass(frozen=True)
class QuestionOfTheCut(ApiResult):
    key: str = api_field()
    groups: tuple[GroupOfTheCut, ...] = api_field()


@dataclass(frozen=True)
class CutResult(ApiResult):
    """The report groups, for readers without row access."""

    as_of: date | None = api_field("the day of closing they are from; null: none")
    note: str = api_field("what is shown and since when, or why not")
    questions: tuple[QuestionOfTheCut, ...] = api_field()
