"""What programs are told of the data quality, and its file."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from surveys.models import Instrument
from surveys.results.report import quality, tickets
from surveys.site.files.lines import write_csv
from surveys.site.shape import Result, of


@dataclass(frozen=True)
class CheckResult(Result):
    key: str = of()
    name: str = of()
    finding: str = of()
    p_value: float = of("how often, at most, an honest survey has answers as odd as these")
    verdict: quality.Verdict = of()
    advice: str = of()


@dataclass(frozen=True)
class Quality(Result):
    survey: str = of()
    instrument: str = of()
    verdict: quality.Verdict = of("of the worst check")
    summary: str = of()
    rates: str = of("how often honest surveys raise an alarm")
    checks: tuple[CheckResult, ...] = of()
    tickets: str | None = of("what tickets prevent and what not, if the survey has any")

    @classmethod
    def tell(cls, instrument: Instrument, checks: list[quality.Check]) -> Self:
        return cls(
            survey=instrument.survey.slug,
            instrument=instrument.sha256,
            verdict=quality.worst(checks),
            summary=quality.summary(checks),
            rates=quality.RATES,
            checks=tuple(map(CheckResult.like, checks)),
            tickets=tickets.QUALITY if instrument.survey.tickets else None,
        )


CHECK_COLUMNS = ("variable", "question", "check", "finding", "p_value", "verdict", "advice")


def checks_csv(checks: Iterable[quality.Check]) -> str:
    """Return data checks as CSV, with a row for each check."""
    return write_csv(CHECK_COLUMNS, [_csv_row(check) for check in checks])


def _csv_row(check: quality.Check) -> dict[str, object]:
    return {
        "variable": check.key,
        "question": check.text,
        "check": check.name,
        "finding": check.finding,
        "p_value": check.p_value,
        "verdict": check.verdict.value,
        "advice": check.advice,
    }
