"""The sender of a draft: name, logo and colours, checked whole and stored in one transaction."""

import base64
import hashlib
from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from surveys.authoring.drafts.drafts import changing, set_told
from surveys.authoring.drafts.logo import LIMITS, logo
from surveys.authoring.drafts.question_plan import Checks
from surveys.definition import accent
from surveys.definition.sender import forget_unused_logos
from surveys.models import Logo, Survey
from surveys.site.errors import Unreadable
from surveys.site.files import untrusted

FIELDS = ("sender", "logo", "accent", "accent_dark")
NAMELESS = "Write the name of the sender: it stands for the logo where nobody sees it."
ONE_OF_TWO = "Choose the colour on light screens too: this one only takes its place on dark ones."


def set_sender(
    *,
    survey: Survey,
    sender: str = "",
    accent: str = "",
    accent_dark: str = "",
    picture: bytes | None = None,
    keep: bool = True,
    by: AbstractBaseUser | None = None,
    edition: int | None = None,
) -> Survey:
    """picture: a PNG or a JPEG that becomes the logo; unless given, the one that is there stays if `keep`.

    Raises site.errors.Invalid with a message at "sender", "logo", "accent" or "accent_dark"; nothing is stored then.
    """
    check = Checks()
    made = check.run("logo", _made, picture) if picture is not None else None
    with changing(survey, FIELDS, by, edition) as held:
        set_told(check, held, {"sender": sender})
        held.accent = check.run("accent", _colour, accent, "light")
        held.accent_dark = check.run("accent_dark", _colour, accent_dark, "dark")
        has_logo = picture is not None or (keep and held.logo_id)
        if has_logo and held.sender == "":
            check.errors.setdefault("sender", NAMELESS)
        if held.accent_dark and not accent.strip():
            check.errors.setdefault("accent_dark", ONE_OF_TWO)
        check.done()
        held.logo = _stored(made) if made else held.logo if keep else None
    forget_unused_logos()
    return held


def set_logo(*, survey: Survey, picture: bytes | None, by: AbstractBaseUser | None = None) -> Survey:
    """The logo alone: another one, or none."""
    kept = {name: getattr(survey, name) for name in ("sender", "accent", "accent_dark")}
    return set_sender(survey=survey, picture=picture, keep=False, by=by, **kept)


def _made(picture: bytes) -> Logo | dict[str, Any]:
    """A logo that was made here already stays as it is."""
    if known := Logo.objects.filter(sha256=hashlib.sha256(picture).hexdigest()).first():
        return known
    try:
        return untrusted.read(logo, picture, LIMITS)
    except Unreadable as wrong:
        raise ValueError(str(wrong)) from None


def _colour(typed: str, mode: str) -> str:
    return accent.checked(typed, mode) if typed.strip() else ""


def _stored(made: Logo | dict[str, Any]) -> Logo:
    if isinstance(made, Logo):
        return made
    png = base64.b64decode(made["png"])
    size = {"width": made["width"], "height": made["height"]}
    return Logo.objects.get_or_create(sha256=hashlib.sha256(png).hexdigest(), defaults=size | {"png": png})[0]
