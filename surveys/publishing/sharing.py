"""What is handed out of a survey: the paper that respondents get, the link to it, and the link as a QR code."""

import io

import segno
from django.http import HttpRequest
from django.urls import reverse

from surveys.errors import Refused
from surveys.models import Survey
from surveys.publishing.freezing import freeze
from surveys.publishing.instruments import Paper, paper


def frozen_paper(survey: Survey) -> Paper:
    """What respondents get, or would get if the draft were published now.

    Of an import-only survey: what its files are checked against.
    """
    return freeze(survey) if survey.is_draft else paper(survey.instrument)


def link(request: HttpRequest, survey: Survey) -> str:
    """The respondents' address in full. Raises Refused where there is none."""
    if survey.import_only:
        raise Refused("This survey takes its responses from files. It has no link for respondents.")
    if survey.is_draft:
        raise Refused("A draft has no link for respondents yet. Publish it first.")
    return request.build_absolute_uri(reverse("answering:survey", args=[survey.slug]))


def qr_code(text: str) -> bytes:
    """An SVG that grows without loss."""
    image = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        image, kind="svg", scale=8, border=4, light="#fff", xmldecl=False, svgclass=None, lineclass=None
    )
    return image.getvalue()
