"""What the respondent's templates need to know of a question. The numbers come from odds.py."""

from django import template
from django.utils.formats import number_format

from surveys.instruments import Item, Paper
from surveys.models import Question
from surveys.templatetags import odds as numbers

register = template.Library()


@register.filter
def in_order(item: Item) -> list[tuple[int, str]]:
    """The answers as shown, each with its index. People expect Yes before No, though Yes has index 1."""
    shown = list(enumerate(item.choices))
    if item.kind == Question.Kind.YES_NO:
        shown[:2] = reversed(shown[:2])
    return shown


@register.filter
def odds(item: Item) -> numbers.Odds:
    return numbers.odds(item, first=in_order(item)[0][0])


@register.filter
def sensitive(paper: Paper) -> list[Item]:
    return [item for item in paper.items if item.mechanism]


@register.filter
def background(paper: Paper) -> list[Item]:
    return [item for item in paper.items if not item.mechanism]


@register.filter
def guess(epsilon: float) -> numbers.Guess:
    return numbers.guess(epsilon)


@register.filter
def largest(items: list[Item]) -> float:
    """The largest privacy loss of one question."""
    return max(item.epsilon for item in items)


@register.filter
def count(value: int) -> str:
    return number_format(value, use_l10n=True, force_grouping=True)


@register.filter
def ask_yes_no(items: list[Item]) -> bool:
    return any(item.kind == Question.Kind.YES_NO for item in items)
