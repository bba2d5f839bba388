"""The fields that every number of the API has beside its unrounded value."""

from dataclasses import dataclass
from typing import Any

from surveys.site.shape import ApiResult, api_field
from surveys.statements.family import Family
from surveys.statements.statement import Printed, Statement


@dataclass(frozen=True)
class FamilyResult(ApiResult):
    """The statements that are decided together, with one confidence level for all of them."""

    size: int = api_field("number of statements")
    confidence: float = api_field("of all of them together")

    @classmethod
    def from_family(cls, family: Family) -> "FamilyResult":
        """Return a family for programs."""
        return cls.from_object(family)


@dataclass(frozen=True, kw_only=True)
class StatementFields(ApiResult):
    """Base class of results that are made from a statement.

    The fields are null if there is no statement, for example because no one was asked.
    """

    state: str | None = api_field("whether the page shows a number, a bound, or neither")
    method: str | None = api_field("how the interval was computed")
    family: FamilyResult | None = api_field("the statements that are decided together")
    printed: Printed | None = api_field("the number and its range with the digits of the page")


def statement_fields(statement: Statement | None) -> dict[str, Any]:
    """Return the values of `StatementFields` for a statement."""
    if statement is None:
        return dict.fromkeys(("state", "method", "family", "printed"))
    return {
        "state": str(statement.state),
        "method": statement.method,
        "family": FamilyResult.from_family(statement.family),
        "printed": statement.printed,
    }
