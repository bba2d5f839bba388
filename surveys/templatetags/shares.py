"""How numbers are written on every page: the functions of surveys.site.number_format as filters."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from surveys.authoring.planning.precision import USEFUL, Verdict
from surveys.results.estimates.question_report import ChoiceReport, QuestionReport
from surveys.results.figures import svg
from surveys.results.report.headlines import Finding
from surveys.results.report.remarks import if_denied, misses
from surveys.site import number_format
from surveys.statements.shares import ShareStatement

register = template.Library()
register.filter("if_denied", if_denied)
register.filter("misses", misses)


@register.filter
def statement(choice: ChoiceReport, question: QuestionReport) -> ShareStatement:
    """Return the statement about the share of an answer to a question."""
    return question.statement(choice)


register.filter("chance", number_format.format_p_value)
register.filter("count", number_format.format_count)
register.filter("epsilon", number_format.epsilon)
register.filter("epsilon_in_view", number_format.epsilon_in_view)
register.filter("level", number_format.format_level)
register.filter("margin", number_format.format_margin)
register.filter("percent", number_format.format_percent)
register.filter("percent_range", number_format.percent_range)
register.filter("points", number_format.format_points)
register.filter("precision", number_format.precision)
register.filter("day", number_format.day_of)


@register.filter
def sentence(finding: Finding) -> SafeString:
    """Return the sentence of a key result, with the words that carry it in bold."""
    if not finding.stress:
        return format_html("{}", finding.sentence)
    before, stress, after = finding.sentence.partition(finding.stress)
    if not stress:
        return format_html("{}", finding.sentence)
    return format_html("{}<strong>{}</strong>{}", before, stress, after)


@register.simple_tag
def hatching() -> SafeString:
    """What all figures of a page share."""
    return svg.shared()


@register.filter
def off(verdict: Verdict) -> str:
    """Return the margin with its unit: "±2.7 points", of a mean "at most ±1.4 hours in the mean".

    Of written answers it is the smallest share that can be told from 0.
    """
    return verdict.number_in_words


@register.filter
def wanted_off(verdict: Verdict) -> str:
    """Return the margin that is called useful."""
    if verdict.candidates:
        return f"shares from {100 * USEFUL:.0f}% on"
    if not verdict.is_of_mean:
        return f"{number_format.format_margin(USEFUL).replace('.0', '')} points"
    return f"at most ±{USEFUL * verdict.span:.2g}{verdict.quantity.unit} in the mean"


@register.filter
def key(mark: str) -> SafeString:
    """The mark of a legend."""
    return svg.drawing(svg.KEYS[mark], class_="plot plot-key", width=34, height=18)
