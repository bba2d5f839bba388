"""A page's script elements: the inline import map, then the one module, bound to the published hashes."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from config.integrity import LEARN, RESPONDENT, WORKSPACE, scripts
from config.integrity import import_map as import_map_text

register = template.Library()

FOLDERS = {"respond": RESPONDENT, "workspace": WORKSPACE, "learn": LEARN}


@register.simple_tag
def import_map(pages: str) -> SafeString:
    """The import map of a kind of pages ("respond", "workspace" or "learn"). It must stand before any module."""
    # Verbatim, or it would not match its hash in the policy. It holds nothing but our own file names.
    text = import_map_text(FOLDERS[pages])
    return mark_safe(f'<script type="importmap">{text}</script>')  # noqa: S308


@register.simple_tag
def module(name: str) -> SafeString:
    """A module script by its name, as "respond/page.js"."""
    address, digest = (scripts(RESPONDENT) | scripts(WORKSPACE) | scripts(LEARN))[name]
    return format_html('<script type="module" src="{}" integrity="{}"></script>', address, digest)
