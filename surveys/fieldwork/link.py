"""The link to a survey, as authors hand it out: the address, its QR code, and a mail with it."""

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

# The media types of the files of a QR code, by their kind.
QR_CODES = {"svg": "image/svg+xml", "png": "image/png"}


def current_definition(survey: Survey) -> SurveyDefinition:
    """Return the definition of a published survey, or what a draft's would be if published now.

    Whoever needs the questions of a survey in any state calls this, for example the preview.
    """
    if survey.is_draft:
        return build_definition(survey)
    return parse_instrument(survey.instrument)


def survey_url(request: HttpRequest, survey: Survey) -> str:
    """Return the full address of the respondents' page, with the scheme and host of the request.

    Raise Refused for a draft and for an import-only survey, which have no such page.

    request: any request to this site.
    """
    if survey.import_only:
        raise Refused("An import-only survey has no survey link.")
    if survey.is_draft:
        raise Refused("Publish the survey first. A draft has no survey link yet.")
    return request.build_absolute_uri(reverse("answering:survey", args=[survey.slug]))


def site_url() -> str:
    """Return the address of the site from the settings, for use without a request.

    The scheme is "https" if settings.HTTPS is true, and "http" otherwise. The host is the first of
    ALLOWED_HOSTS that is not a pattern, or "localhost" if all of them are. There is no slash at the
    end.
    """
    scheme = "https" if settings.HTTPS else "http"
    for host in settings.ALLOWED_HOSTS:
        if not host.startswith(("*", ".")):
            return f"{scheme}://{host}"
    return f"{scheme}://localhost"


def qr_code(text: str, kind: str = "svg") -> bytes:
    """Return the file of a QR code with this text.

    kind: "svg", which can be scaled without loss, or "png", of about 300 pixels.
    """
    # Nothing needs the XML declaration and the CSS classes, which are in an SVG otherwise.
    options: dict[str, object] = {}
    if kind == "svg":
        options = {"xmldecl": False, "svgclass": None, "lineclass": None}
    image = io.BytesIO()
    # With error correction of level M, a code can be read if up to 15% of it is damaged. Smaller
    # “micro” codes exist, but not every reader knows them.
    code = segno.make(text, error="m", micro=False)
    # The border of 4 modules is the least that the standard demands.
    code.save(image, kind=kind, scale=8, border=4, light="#fff", **options)
    return image.getvalue()


@dataclass(frozen=True)
class Mail:
    """The subject and the text of a mail that an author can send to invite people."""

    subject: str
    text: str


def invitation_text(survey: Survey, address: str) -> Mail:
    """Return a mail that invites people to a published survey, in the language of the survey.

    It says how well answers are protected if the device randomizes any of them. The site does not
    send it: the author does.

    address: the address of the respondents' page.
    """
    definition = parse_instrument(survey.instrument)
    with override(survey.language):
        paragraphs = [
            gettext("Please take part in our survey: “%(title)s”.") % {"title": survey.title},
            address,
        ]

        # Respondents read “scrambled” for what the code calls randomized.
        scrambled = [item for item in definition.items if item.mechanism]
        if scrambled:
            who = who_scrambles(scrambled)
            guess_rates = guess_rates_for_respondents(definition_losses(definition))
            paragraphs.append(f"{who} {guess_rates}")
            if len(scrambled) < len(definition.items):
                paragraphs.append(gettext("Other answers are not scrambled. The page marks them."))

        paragraphs.append(
            gettext(
                "You do not need an account. "
                "We do not store your name or address with your answers."
            )
        )
        # The subject may be read by others. So the author can keep the title out of it.
        subject = gettext("A survey") if survey.neutral_title else survey.title
    if survey.contact:
        paragraphs.append(survey.contact)
    return Mail(subject=subject, text="\n\n".join(paragraphs) + "\n")
