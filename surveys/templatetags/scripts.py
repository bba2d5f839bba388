"""What a page of the workspace or a lesson runs, bound to the published hashes: the inline import map, one module."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from surveys.site.script_integrity import LEARN, WORKSPACE, import_map as import_map_text, scripts

register = template.Library()

FOLDERS = {"workspace": WORKSPACE, "learn": LEARN}


@register.simple_tag
def import_map(pages: str) -> SafeString:
    """The import map of a kind of pages ("workspace" or "learn"). It must stand before any module."""
    # Verbatim, or it would not match its hash in the policy. It holds nothing but our own file names.
    text = import_map_text(FOLDERS[pages])
    return mark_safe(f'<script type="importmap">{text}</script>')  # noqa: S308


@register.simple_tag
def module(name: str) -> SafeString:
    """A module script by its name, as "workspace/copy.js"."""
    address, integrity = (scripts(WORKSPACE) | scripts(LEARN))[name]
    return format_html(
        '<script type="module" src="{}" integrity="{}"></script>', address, integrity
    )
