"""What programs are told of the data quality, and the lines of its file."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from surveys.models import Instrument
from surveys.results.report import quality, tickets
from surveys.site.files.lines import Line
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
        overall = quality.worst(checks), quality.summary(checks), quality.RATES, tuple(map(CheckResult.like, checks))
        told = tickets.QUALITY if instrument.survey.tickets else None
        return cls(instrument.survey.slug, instrument.sha256, *overall, told)


@dataclass(frozen=True)
class CheckLine(Line):
    variable: str
    question: str
    check: str
    finding: str
    p_value: float
    verdict: str
    advice: str

    @classmethod
    def lines(cls, checks: Iterable[quality.Check]) -> Iterable[Self]:
        return (cls(c.key, c.text, c.name, c.finding, c.p_value, c.verdict.value, c.advice) for c in checks)
