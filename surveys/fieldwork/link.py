"""What is handed out of a survey: the paper that respondents get, the link to it, as a QR code and in a mail."""

import io
from dataclasses import dataclass

import segno
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext, override

from surveys.definition.freezing import freeze
from surveys.definition.instrument import FrozenSurvey
from surveys.definition.parsing import paper
from surveys.definition.protection import losses_of
from surveys.definition.protection_wording import guesses, who_scrambles
from surveys.models import Survey
from surveys.site.errors import Refused

QR_CODES = {"svg": "image/svg+xml", "png": "image/png"}


def frozen_paper(survey: Survey) -> FrozenSurvey:
    """What respondents get, or would get if the draft were published now.

    Of an import-only survey: what its files are checked against.
    """
    return freeze(survey) if survey.is_draft else paper(survey.instrument)


def link(request: HttpRequest, survey: Survey) -> str:
    """The respondents' address in full. Raises Refused where there is none."""
    if survey.import_only:
        raise Refused("An import-only survey has no survey link.")
    if survey.is_draft:
        raise Refused("Publish the survey first. A draft has no survey link yet.")
    return request.build_absolute_uri(reverse("answering:survey", args=[survey.slug]))


def site() -> str:
    """The address of the site where no request tells it: by the first host of the settings that is a name."""
    named = (host for host in settings.ALLOWED_HOSTS if not host.startswith(("*", ".")))
    return f"http{'s' if settings.HTTPS else ''}://{next(named, 'localhost')}"


def qr_code(text: str, kind: str = "svg") -> bytes:
    """kind: "svg", which grows without loss, or "png", of about 300 pixels."""
    image = io.BytesIO()
    drawn = {"xmldecl": False, "svgclass": None, "lineclass": None} if kind == "svg" else {}
    segno.make(text, error="m", micro=False).save(
        image, kind=kind, scale=8, border=4, light="#fff", **drawn
    )
    return image.getvalue()


@dataclass(frozen=True)
class Mail:
    subject: str
    text: str


def mail(survey: Survey, address: str) -> Mail:
    """Words that invite people, in the survey's language. They promise what the survey's own page holds."""
    asked = paper(survey.instrument)
    with override(survey.language):
        said = [
            gettext("Please take part in our survey: “%(title)s”.") % {"title": survey.title},
            address,
        ]
        if scrambled := [item for item in asked.items if item.mechanism]:
            said.append(f"{who_scrambles(scrambled)} {guesses(losses_of(asked))}")
            if len(scrambled) < len(asked.items):
                said.append(gettext("Other answers are not scrambled. The page marks them."))
        said.append(
            gettext(
                "You do not need an account. We do not store your name or address with your answers."
            )
        )
        subject = gettext("A survey") if survey.neutral_title else survey.title
    return Mail(subject, "\n\n".join([*said, *filter(None, [survey.contact])]) + "\n")
