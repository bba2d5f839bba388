"""What a page runs and applies, bound to the published hashes: the inline import map, one module, the stylesheets."""

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from surveys.definition import accent
from surveys.site.script_integrity import LEARN, RESPONDENT, STYLESHEET, WORKSPACE, digest, published, scripts
from surveys.site.script_integrity import import_map as import_map_text

register = template.Library()

FOLDERS = {"respondent": RESPONDENT, "workspace": WORKSPACE, "learn": LEARN}


@register.simple_tag
def import_map(pages: str) -> SafeString:
    """The import map of a kind of pages ("respondent", "workspace" or "learn"). It must stand before any module."""
    # Verbatim, or it would not match its hash in the policy. It holds nothing but our own file names.
    text = import_map_text(FOLDERS[pages])
    return mark_safe(f'<script type="importmap">{text}</script>')  # noqa: S308


@register.simple_tag
def module(name: str) -> SafeString:
    """A module script by its name, as "respondent/page.js"."""
    address, integrity = (scripts(RESPONDENT) | scripts(WORKSPACE) | scripts(LEARN))[name]
    return format_html('<script type="module" src="{}" integrity="{}"></script>', address, integrity)


@register.simple_tag
def stylesheets(colours: tuple[str, str] | None) -> SafeString:
    """Of a respondents' page: the site's own, then the one that brings the sender's colours, where there are any."""
    found = [published(STYLESHEET)]
    if colours:
        found.append((reverse("colours", args=[accent.name(*colours)]), digest(accent.stylesheet(*colours).encode())))
    return format_html_join("\n  ", '<link rel="stylesheet" href="{}" integrity="{}">', found)
