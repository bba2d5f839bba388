"""What leaves an analysis: the table, a drawing, and the methods section of a paper on it.

What was computed is said by the result itself, in the very words that the page has “for experts”.
"""

from typing import Any

from surveys.definition.instrument import SurveyDefinition
from surveys.results.analysis.analysis import Analysis, AnalysisResult
from surveys.results.report.figures import png
from surveys.results.report.methods import (
    Methods,
    design_in_words,
    privacy_in_words,
    survey_in_words,
)


def file(  # noqa: PLR0917  # what it is of, then whom it is about
    analysis: Analysis,
    found: Any,
    form: str,
    frozen: SurveyDefinition,
    about: str = "",
    reason: str = "",
) -> tuple[str, str | bytes]:
    """Its name without the ending, and its content. form: of FORMS. about: whom a filtered analysis is about. reason:
    as results.report.methods has it.
    """
    name = f"{frozen.survey}-{analysis.name}"
    if form == "txt":
        return f"{name}-methods", str(
            methods(frozen, analysis.result.from_result(found), about, reason)
        )
    if form == "csv":
        return name, analysis.csv(found, about or "everybody")
    svg = analysis.svg(found, about)
    return name, png(svg) if form == "png" else svg


def methods(
    frozen: SurveyDefinition, found: AnalysisResult, about: str = "", reason: str = ""
) -> Methods:
    items = [item for item in found.items if item.mechanism is not None]
    return Methods(
        [
            survey_in_words(frozen, found.n, about),
            *(design_in_words(item, on_paper=frozen.import_only) for item in items),
            found.assumes,
            found.methods,
            *([privacy_in_words(frozen, reason)] if items else []),
        ],
        list(found.references),
    )
