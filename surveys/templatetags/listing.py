"""How the list of surveys says a day."""

from datetime import date, timedelta

from django import template
from django.utils import timezone
from django.utils.formats import date_format

register = template.Library()


@register.filter
def spoken(day: date) -> str:
    """ "Today", "Yesterday", "14 November", "2 July 2025"."""
    today = timezone.localdate()
    if day >= today:
        return "Today"
    if day == today - timedelta(days=1):
        return "Yesterday"
    return date_format(day, "j F" if day.year == today.year else "j F Y")
