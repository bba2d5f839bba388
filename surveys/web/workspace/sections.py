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
    """Return the sections that features have registered for a slot."""
    return [section for section in extensions.sections if section.slot == slot]


def rendered(
    slot: str,
    request: HttpRequest,
    survey: Survey | None,
    context: dict[str, Any],
    wrong: Mapping[str, TypedForm] = NOTHING,
) -> list[SafeString]:
    """Return the HTML of each section of a slot.

    context: that of the page.
    wrong: the name of a section -> its form with errors.
    """
    parts = []
    for section in sections_of(slot):
        section_context = dict(context)
        if section.context:
            section_context |= section.context(request, survey)
        if section.name in wrong:
            section_context["form"] = wrong[section.name]
        parts.append(render_to_string(section.template, section_context, request))
    return parts
