"""The files of an analysis: its table, its drawing, and the methods section of a paper on it.

The result itself says what was computed, in the words that the page has “for experts”.
"""

from typing import Any, NamedTuple

from surveys.definition.instrument import SurveyDefinition
from surveys.results.analysis.analysis import Analysis, AnalysisResult
from surveys.results.report.figures import png
from surveys.results.report.methods import (
    Methods,
    design_in_words,
    privacy_in_words,
    survey_in_words,
)


class AnalysisFile(NamedTuple):
    """A file of an analysis. Its name has no ending."""

    name: str
    content: str | bytes


def analysis_file(
    analysis: Analysis,
    found: Any,
    form: str,
    frozen: SurveyDefinition,
    *,
    about: str = "",
    reason: str = "",
) -> AnalysisFile:
    """Return a file of an analysis.

    found: what the analysis found.
    form: one of FORMS.
    about: the people that a filtered analysis is about; "" for everybody.
    reason: as of `privacy_in_words`.
    """
    name = f"{frozen.survey}-{analysis.name}"
    if form == "txt":
        result = analysis.result.from_result(found)
        text = str(analysis_methods(frozen, result, about=about, reason=reason))
        return AnalysisFile(f"{name}-methods", text)
    if form == "csv":
        return AnalysisFile(name, analysis.csv(found, about or "everybody"))
    svg = analysis.svg(found, about)
    return AnalysisFile(name, png(svg) if form == "png" else svg)


def analysis_methods(
    frozen: SurveyDefinition, result: AnalysisResult, *, about: str = "", reason: str = ""
) -> Methods:
    """Return the methods section of a paper on an analysis, with its references.

    about, reason: as of `analysis_file`.
    """
    scrambled_items = [item for item in result.items if item.mechanism is not None]
    paragraphs = [survey_in_words(frozen, result.n, about)]
    for item in scrambled_items:
        paragraphs.append(design_in_words(item, on_paper=frozen.import_only))
    paragraphs.append(result.assumes)
    paragraphs.append(result.methods)
    if scrambled_items:
        paragraphs.append(privacy_in_words(frozen, reason))
    return Methods(paragraphs, list(result.references))
