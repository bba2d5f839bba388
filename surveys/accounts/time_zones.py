"""Time zones: people read and type times in their own, files and programs have them in UTC."""

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
    """The zones of the IANA database that are named after a place, and UTC."""
    places = {
        name
        for name in zoneinfo.available_timezones()
        if "/" in name and not name.startswith("Etc/")
    }
    return tuple(sorted(places | {settings.TIME_ZONE}))


def zone_of(user: AbstractBaseUser) -> tzinfo:
    """The person's own zone, or that of the settings where none was chosen or this machine does not know it."""
    name = Preferences.objects.filter(user=user.pk).values_list("time_zone", flat=True).first()
    try:
        return zoneinfo.ZoneInfo(name or settings.TIME_ZONE)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return timezone.get_default_timezone()


def choose_zone(user: AbstractBaseUser, name: str) -> None:
    if name not in zone_names():
        raise Invalid({"time_zone": "Choose a time zone from the list, for example Europe/Berlin."})
    Preferences.objects.update_or_create(user=user, defaults={"time_zone": name})


def matching_moments(clock: datetime, zone: tzinfo) -> list[datetime]:
    """When clocks of the zone show this, in UTC: once, in the hour that is set back twice, in the one that is left out
    never."""
    both = (clock.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    return sorted(
        {time for time in both if time.astimezone(zone).replace(tzinfo=None, fold=0) == clock}
    )


def is_ambiguous(time: datetime, zone: tzinfo) -> bool:
    """Whether clocks of the zone show this time again an hour later, or have shown it an hour before."""
    return len(matching_moments(time.astimezone(zone).replace(tzinfo=None, fold=0), zone)) > 1
