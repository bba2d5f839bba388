"""Sections that features add to pages of the core."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from surveys import extensions
from surveys.extensions import Section
from surveys.models import Survey
from surveys.web.workspace.forms import TypedForm

NOTHING: Mapping[str, TypedForm] = {}


def sections_of(slot: str) -> list[Section]:
    return [section for section in extensions.sections if section.slot == slot]


def rendered(
    slot: str,
    request: HttpRequest,
    survey: Survey | None,
    context: dict[str, Any],
    wrong: Mapping[str, TypedForm] = NOTHING,
) -> list[SafeString]:
    """The HTML of each section. context: that of the page. wrong: section name -> a form with errors."""
    return [
        render_to_string(
            section.template,
            context
            | (section.context(request, survey) if section.context else {})
            | ({"form": wrong[section.name]} if section.name in wrong else {}),
            request,
        )
        for section in sections_of(slot)
    ]
