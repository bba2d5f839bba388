"""What is handed out of a survey: the paper that respondents get, the link to it, as a QR code and in a mail."""

import io
from dataclasses import dataclass

import segno
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext, override

from surveys.definition.freezing import build_definition
from surveys.definition.instrument import SurveyDefinition
from surveys.definition.parsing import parse_instrument
from surveys.definition.protection import definition_losses
from surveys.definition.protection_wording import guess_rates_for_respondents, who_scrambles
from surveys.models import Survey
from surveys.site.errors import Refused

QR_CODES = {"svg": "image/svg+xml", "png": "image/png"}


def frozen_paper(survey: Survey) -> SurveyDefinition:
    """What respondents get, or would get if the draft were published now.

    Of an import-only survey: what its files are checked against.
    """
    return build_definition(survey) if survey.is_draft else parse_instrument(survey.instrument)


def survey_url(request: HttpRequest, survey: Survey) -> str:
    """Return the respondents' address. Raises Refused if there is none."""
    if survey.import_only:
        raise Refused("An import-only survey has no survey link.")
    if survey.is_draft:
        raise Refused("Publish the survey first. A draft has no survey link yet.")
    return request.build_absolute_uri(reverse("answering:survey", args=[survey.slug]))


def site_url() -> str:
    """Return the site's address where there is no request to take it from."""
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


def invitation_text(survey: Survey, address: str) -> Mail:
    """Return a mail that invites people, in the survey's language."""
    asked = parse_instrument(survey.instrument)
    with override(survey.language):
        said = [
            gettext("Please take part in our survey: “%(title)s”.") % {"title": survey.title},
            address,
        ]
        if scrambled := [item for item in asked.items if item.mechanism]:
            said.append(
                f"{who_scrambles(scrambled)} {guess_rates_for_respondents(definition_losses(asked))}"
            )
            if len(scrambled) < len(asked.items):
                said.append(gettext("Other answers are not scrambled. The page marks them."))
        said.append(
            gettext(
                "You do not need an account. We do not store your name or address with your answers."
            )
        )
        subject = gettext("A survey") if survey.neutral_title else survey.title
    return Mail(subject, "\n\n".join([*said, *filter(None, [survey.contact])]) + "\n")
