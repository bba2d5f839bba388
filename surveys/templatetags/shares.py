"""How numbers are written on every page: the functions of surveys.reporting.numbers as filters."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from surveys.reporting import svg
from surveys.reporting.findings import Finding
from surveys.reporting.numbers import (
    chance,
    count,
    epsilon,
    epsilon_in_view,
    level,
    margin,
    percent,
    percent_range,
    points,
    points_in_view,
    precision,
)

register = template.Library()

for write in (
    chance,
    count,
    epsilon,
    epsilon_in_view,
    level,
    margin,
    percent,
    percent_range,
    points,
    points_in_view,
    precision,
):
    register.filter(write.__name__, write)


@register.filter
def sentence(finding: Finding) -> SafeString:
    """What was found, the words that carry it in bold."""
    before, stress, after = finding.sentence.partition(finding.stress) if finding.stress else (finding.sentence, "", "")
    return format_html("{}<strong>{}</strong>{}", before, stress, after) if stress else format_html("{}", before)


@register.simple_tag
def hatching() -> SafeString:
    """The pattern that all figures of a page share."""
    return svg.drawing(svg.HATCH, class_="plot-defs", width=0, height=0)


@register.filter
def key(mark: str) -> SafeString:
    """The mark of a legend."""
    return svg.drawing(svg.KEYS[mark], class_="plot plot-key", width=34, height=18)
