"""What programs are told of the data quality, and its file."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from surveys.models import Instrument
from surveys.results.report import quality, tickets
from surveys.site.files.lines import write_csv
from surveys.site.shape import ApiResult, api_field


@dataclass(frozen=True)
class CheckResult(ApiResult):
    key: str = api_field()
    name: str = api_field()
    finding: str = api_field()
    p_value: float = api_field("how often, at most, an honest survey has answers as odd as these")
    verdict: quality.Verdict = api_field()
    advice: str = api_field()


@dataclass(frozen=True)
class Quality(ApiResult):
    survey: str = api_field()
    instrument: str = api_field()
    verdict: quality.Verdict = api_field("of the worst check")
    summary: str = api_field()
    rates: str = api_field("how often honest surveys raise an alarm")
    checks: tuple[CheckResult, ...] = api_field()
    tickets: str | None = api_field("what tickets prevent and what not, if the survey has any")

    @classmethod
    def tell(cls, instrument: Instrument, checks: list[quality.Check]) -> Self:
        return cls(
            survey=instrument.survey.slug,
            instrument=instrument.sha256,
            verdict=quality.worst(checks),
            summary=quality.summary(checks),
            rates=quality.RATES,
            checks=tuple(map(CheckResult.from_object, checks)),
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
