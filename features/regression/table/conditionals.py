"""The answers of one side of a table of two questions, and shares among people for programs."""

from dataclasses import dataclass
from typing import Self

from surveys.results.analysis.outcome import SurveyVariable
from surveys.site.number_format import finite_or_none
from surveys.site.shape import api_field
from surveys.statements.conditional_shares import ConditionalShare
from surveys.statements.results import StatementFields, statement_fields
from surveys.statements.statement import State

TOO_FEW_REASON = (
    "The share of people with the one answer is estimated as 0 or less, or no possible share "
    "agrees with the reports."
)


@dataclass(frozen=True, kw_only=True)
class OfThose(StatementFields):
    """A share among people with one answer to the other question."""

    share: float | None = api_field("null where the state is too_few")
    standard_error: float | None = api_field("null where the share is null")
    interval: tuple[float, float] | None = api_field(
        "of the group by itself where the other question is not scrambled, else of the score test; "
        "null where the share is null"
    )
    reason: str = api_field("why there is no interval; else empty")

    @classmethod
    def from_statement(cls, statement: ConditionalShare, standard_error: float) -> Self:
        """Return a statement for programs."""
        has_share = statement.state != State.TOO_FEW
        return cls(
            share=finite_or_none(statement.estimate),
            standard_error=finite_or_none(standard_error),
            interval=statement.interval if has_share else None,
            reason="" if has_share else TOO_FEW_REASON,
            **statement_fields(statement),
        )


def labels(variable: SurveyVariable) -> tuple[str, ...]:
    """Return the labels of all answers, or of one answer and all others."""
    if not variable.is_of_two:
        return variable.item.choices
    choices = variable.item.choices
    chosen = choices[variable.choice]
    others = [label for code, label in enumerate(choices) if code != variable.choice]
    other = others[0] if len(others) == 1 else f"not {chosen}"
    return (other, chosen)
