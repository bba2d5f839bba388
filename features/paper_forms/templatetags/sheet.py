"""Filters of the printed sheet."""

from django import template
from django.utils.translation import pgettext

register = template.Library()


@register.filter
def letter(place: int) -> str:
    """Return the letter of a part of the sheet, whose place is counted from 0."""
    return pgettext("the letters of a sheet’s parts", "ABCDEF")[place]
