"""What programs are told of a report."""

from typing import Any

from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import SurveyReport
from surveys.results.report.shape import QuestionReportResult, ReportResult
from surveys.site.shape import as_json


def report_json(result: SurveyReport | QuestionReport) -> dict[str, Any]:
    kind = ReportResult if isinstance(result, SurveyReport) else QuestionReportResult
    plain: dict[str, Any] = as_json(kind.tell(result))
    return plain
