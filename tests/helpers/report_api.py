"""The report of a survey as the API sends it."""

from typing import Any

from surveys.results.estimates.question_report import QuestionReport
from surveys.results.estimates.report import SurveyReport
from surveys.results.report.shape import QuestionReportResult, ReportResult
from surveys.site.shape import as_json


def report_json(result: SurveyReport | QuestionReport) -> dict[str, Any]:
    """Return the report of a survey, or of one question, as JSON."""
    # The class that says which fields the API sends.
    shape = ReportResult if isinstance(result, SurveyReport) else QuestionReportResult
    report: dict[str, Any] = as_json(shape.tell(result))
    return report
