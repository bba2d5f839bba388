"""What programs are told of one question beyond its report: a test, a sum, the price of privacy, and fakes."""

import math
from dataclasses import dataclass
from typing import Self

from surveys.results.estimates import on_request
from surveys.results.estimates.on_request import FAKES, Fakes, Sum
from surveys.results.estimates.question_report import QuestionReport
from surveys.results.report.headlines import finding
from surveys.site.shape import ApiResult, api_field


@dataclass(frozen=True)
class TestResult(ApiResult):
    share: float = api_field("of Yes, as requested")
    statistic: float | None = api_field("likelihood ratio; null where it is without limit")
    p_value: float = api_field("0 if that share could not give such reports")
    is_contradicted: bool = api_field("at the confidence requested")

    @classmethod
    def tell(cls, test: on_request.Test) -> Self:
        result = test.result
        statistic = result.statistic if result and math.isfinite(result.statistic) else None
        return cls(test.share, statistic, result.p_value if result else 0.0, test.is_contradicted)


@dataclass(frozen=True)
class Central(ApiResult):
    local: float = api_field("expected error of a share here")
    central: float = api_field("expected error if a server were trusted with the truth")
    ratio: float = api_field()


@dataclass(frozen=True)
class Readings(ApiResult):
    key: str = api_field()
    n: int = api_field()
    headline: str = api_field("the result in words")
    test: TestResult | None = api_field("null unless `share` is given", default=None)
    sum: Sum | None = api_field("null unless `choices` is given", default=None)
    central: Central | None = api_field(default=None)
    fakes: Fakes | None = api_field(
        f"the range of the estimate if {FAKES:.0%} of the reports are fakes of the worst kind",
        default=None,
    )

    @classmethod
    def tell(
        cls, question: QuestionReport, share: float | None, picked: list[int], *, filtered: bool
    ) -> Self:
        """share: of Yes, to test. picked: choices to add up. filtered: whether people were picked by this question."""
        about = question.key, question.n, finding(question, filtered=filtered).headline
        if question.basis is None:
            return cls(*about)
        central = on_request.central_comparison(question)
        return cls(
            *about,
            test=None if share is None else TestResult.tell(on_request.test_share(question, share)),
            sum=on_request.add_up(question, picked) if picked else None,
            central=Central(*central, central.ratio) if central else None,
            fakes=on_request.effect_of_false_reports(question),
        )
