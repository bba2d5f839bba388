"""Who asks, as the header of a respondent's page shows it: a name, a logo and a colour, frozen in the instrument.

The instrument holds the hash of the logo, whose bytes lie beside it: they are the same for all who load the page.
"""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from surveys.definition import accent
from surveys.models import Logo, Survey


@dataclass(frozen=True)
class Picture:
    """A PNG by its hash, with its size in pixels."""

    sha256: str
    width: int
    height: int

    @property
    def address(self) -> str:
        return reverse("logo", args=[self.sha256])


def written(survey: Survey) -> dict[str, Any]:
    """What the instrument holds beside the name; empty where the survey has nothing of it."""
    found: dict[str, Any] = {}
    if survey.logo:
        found["logo"] = {name: getattr(survey.logo, name) for name in ("sha256", "width", "height")}
    if survey.accent:
        found["accent"] = {"light": survey.accent, "dark": dark(survey)}
    return found


def dark(survey: Survey) -> str:
    """The colour on dark screens: the author's, or the nearest to the other one that can be read there."""
    return survey.accent_dark or accent.nearest_readable(survey.accent, "dark")


def forget_unused_logos() -> None:
    """Of drafts and surveys that are no more, or have another one now."""
    Logo.objects.filter(surveys=None).delete()
