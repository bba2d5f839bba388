"""The sender of a survey, as the header of a respondent's page shows it: a name, a logo, a colour.

Publishing stores the sender in the instrument. The instrument has only the hash of the logo. Its
bytes are stored separately, and are the same for everyone who loads the page.
"""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from surveys.definition import accent
from surveys.models import Logo, Survey


@dataclass(frozen=True)
class Picture:
    """A PNG file by its SHA-256 hash, with its size in pixels."""

    sha256: str
    width: int
    height: int

    @property
    def address(self) -> str:
        """The path of the URL of the file."""
        return reverse("logo", args=[self.sha256])


def sender_settings(survey: Survey) -> dict[str, Any]:
    """Return the logo and the colours of a survey as its instrument stores them.

    The keys are "logo" and "accent". Each is left out if the survey does not have it.
    """
    settings: dict[str, Any] = {}
    if survey.logo:
        names = ("sha256", "width", "height")
        settings["logo"] = {name: getattr(survey.logo, name) for name in names}
    if survey.accent:
        settings["accent"] = {"light": survey.accent, "dark": dark_accent(survey)}
    return settings


def dark_accent(survey: Survey) -> str:
    """Return the colour of links and buttons of a survey on dark screens.

    If the author chose none, it is the readable colour nearest to the one for light screens.
    """
    if survey.accent_dark:
        return survey.accent_dark
    return accent.nearest_readable(survey.accent, "dark")


def forget_unused_logos() -> None:
    """Delete the logos that no draft and no survey has any more."""
    Logo.objects.filter(surveys=None).delete()
