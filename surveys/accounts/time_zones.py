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
    """Return the names of the zones that a user can choose, sorted.

    They are the zones of the IANA database that are named after a place, and the zone of the
    settings (UTC).
    """
    names = {settings.TIME_ZONE}
    for name in zoneinfo.available_timezones():
        if "/" in name and not name.startswith("Etc/"):
            names.add(name)
    return tuple(sorted(names))


def zone_of(user: AbstractBaseUser) -> tzinfo:
    """Return the time zone of a user.

    It is the zone of the settings if the user chose none, or if this machine does not know it.
    """
    name = Preferences.objects.filter(user=user.pk).values_list("time_zone", flat=True).first()
    try:
        return zoneinfo.ZoneInfo(name or settings.TIME_ZONE)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return timezone.get_default_timezone()


def choose_zone(user: AbstractBaseUser, name: str) -> None:
    """Store the time zone of a user. Raises Invalid if it is not in zone_names()."""
    if name not in zone_names():
        raise Invalid({"time_zone": "Choose a time zone from the list, for example Europe/Berlin."})
    Preferences.objects.update_or_create(user=user, defaults={"time_zone": name})


def matching_moments(clock: datetime, zone: tzinfo) -> list[datetime]:
    """Return the moments, in UTC, at which clocks in a zone show this time.

    Usually there is one. There are two in an hour that is repeated when clocks are set back, and
    none in an hour that is skipped when clocks are set forward.

    clock: a time without a zone.
    """
    moments = set()
    # With fold=1, Python takes the later one of two moments.
    for fold in (0, 1):
        moment = clock.replace(tzinfo=zone, fold=fold).astimezone(UTC)
        # Python moves a time in a skipped hour, so clocks do not show this time at the moment.
        if _clock_time(moment, zone) == clock:
            moments.add(moment)
    return sorted(moments)


def is_ambiguous(time: datetime, zone: tzinfo) -> bool:
    """Return whether clocks in a zone show the same time at two moments, an hour apart."""
    return len(matching_moments(_clock_time(time, zone), zone)) > 1


def _clock_time(time: datetime, zone: tzinfo) -> datetime:
    """Return what clocks in a zone show at this time, as a time without a zone."""
    return time.astimezone(zone).replace(tzinfo=None, fold=0)
