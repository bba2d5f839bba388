"""Time zones: users read and type times in their own zone, files and programs have them in UTC."""

import zoneinfo
from datetime import UTC, datetime, tzinfo
from functools import cache

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.utils import timezone

from surveys.models import Preferences
from surveys.site.errors import Invalid


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of the zones that a user can choose, such as "Europe/Berlin", sorted.

    They are the zones of the IANA database that are named after a place, and the zone of the
    settings (UTC).
    """
    names = {settings.TIME_ZONE}
    # Names without a slash are old ones, such as "Cuba", and those in "Etc" name no place.
    for name in zoneinfo.available_timezones():
        if "/" in name and not name.startswith("Etc/"):
            names.add(name)
    return tuple(sorted(names))


def zone_of(user: AbstractBaseUser) -> tzinfo:
    """Return the time zone in which pages show times to a user.

    It is the zone that the user has chosen, or that of the settings if the user has chosen none or
    this machine does not know it.
    """
    name = Preferences.objects.filter(user=user.pk).values_list("time_zone", flat=True).first()
    try:
        return zoneinfo.ZoneInfo(name or settings.TIME_ZONE)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return timezone.get_default_timezone()


def choose_zone(user: AbstractBaseUser, name: str) -> None:
    """Store the time zone that a user has chosen. Raises Invalid if it is not in zone_names().

    name: the name of the zone, such as "Europe/Berlin".
    """
    if name not in zone_names():
        raise Invalid({"time_zone": "Choose a time zone from the list, for example Europe/Berlin."})
    Preferences.objects.update_or_create(user=user, defaults={"time_zone": name})


def matching_moments(clock: datetime, zone: tzinfo) -> list[datetime]:
    """Return the moments, in UTC, at which clocks in a zone show this time.

    So a time that a user has typed becomes a moment. Usually there is one. There are two in an hour
    that is repeated when clocks are set back, and none in an hour that is skipped when clocks are
    set forward.

    clock: what the clocks show, a time without a zone.
    """
    moments = set()
    # If there are two moments, Python takes the earlier one with fold=0, and the later one with
    # fold=1. Otherwise both are the same moment, and the set has it once.
    for fold in (0, 1):
        moment = clock.replace(tzinfo=zone, fold=fold).astimezone(UTC)
        # For a time in a skipped hour, Python returns a moment at which clocks show another time.
        if _clock_time(moment, zone) == clock:
            moments.add(moment)
    return sorted(moments)


def is_ambiguous(time: datetime, zone: tzinfo) -> bool:
    """Return whether what clocks in a zone show at this time is shown twice.

    That is so when clocks are set back. Then pages show the offset from UTC with the time.

    time: a moment, with any zone.
    """
    return len(matching_moments(_clock_time(time, zone), zone)) > 1


def _clock_time(time: datetime, zone: tzinfo) -> datetime:
    """Return what clocks in a zone show at this time, as a time without a zone.

    time: a moment, with any zone.
    """
    # A clock does not show which of two repeated hours it is in, so `fold` says nothing here.
    return time.astimezone(zone).replace(tzinfo=None, fold=0)
