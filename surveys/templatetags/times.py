"""Times on the pages of the workspace: in the reader's zone, which is named beside each."""

from datetime import UTC, datetime

from django import template
from django.utils import timezone
from django.utils.dateformat import format as in_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from surveys.accounts.time_zones import is_ambiguous
from surveys.site import clock

register = template.Library()


@register.filter
def at(time: datetime, form: str = "j F Y, H:i") -> SafeString:
    """Return a time as: 21 November 2026, 14:30 Europe/Berlin.

    In the hour that clocks show twice, the offset is added.
    """
    zone = timezone.get_current_timezone()
    local_time = time.astimezone(zone)
    stamp = f"{time.astimezone(UTC):%Y-%m-%dT%H:%MZ}"
    zone_name = str(zone)
    if is_ambiguous(time, zone):
        zone_name = f"{zone} (UTC{local_time:%z})"
    text = in_format(local_time, form)
    return format_html('<time datetime="{}">{} {}</time>', stamp, text, zone_name)


@register.filter
def soon(time: datetime) -> SafeString:
    """As “today at 16:00”, “tomorrow at 00:00”, or with the day where it is farther off; in the reader's zone."""
    zone = timezone.get_current_timezone()
    there, today = time.astimezone(zone), clock.clock_now().astimezone(zone).date()
    names = {-1: "yesterday", 0: "today", 1: "tomorrow"}
    day = names.get((there.date() - today).days, f"on {in_format(there, 'j F Y')}")
    return format_html(
        '<time datetime="{}">{} at {}</time>',
        f"{time.astimezone(UTC):%Y-%m-%dT%H:%MZ}",
        day,
        f"{there:%H:%M}",
    )
