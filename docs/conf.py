"""How the pages of docs/ become a site: `make docs`. Nothing in it asks another site for anything."""

import os
import sys
from pathlib import Path
from typing import Any

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs/extensions")]
# The pages of the designs are computed by the program itself, which needs neither a database nor a secret for that.
os.environ |= {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "DEBUG": "1",
    "SECRET_KEY": "-",
    "DATABASE_URL": "sqlite://",
}

project = "Candor"
language = "en_GB"
extensions = ["myst_parser", "designs"]
exclude_patterns = ["deploy", "extensions"]
nitpicky = True
myst_heading_anchors = 4
myst_links_external_new_tab = False

html_title = "Candor"
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["candor.css"]
html_favicon = "../static/css/icon.svg"
html_copy_source = False
html_show_sphinx = False
html_domain_indices = html_use_index = False
SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif'
html_theme_options = {
    "light_css_variables": {
        "font-stack": SANS,
        "font-stack--headings": SANS,
        "color-brand-primary": "#0f5866",
        "color-brand-content": "#0f5866",
        "color-brand-visited": "#0f5866",
        "color-foreground-primary": "#13212a",
        "color-background-secondary": "#f4f7f7",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7fd0dc",
        "color-brand-content": "#7fd0dc",
        "color-brand-visited": "#7fd0dc",
        "color-foreground-primary": "#e9f0f2",
        "color-background-primary": "#0e1518",
        "color-background-secondary": "#131c20",
    },
}


def at_home(app: Sphinx, docname: str, source: list[str]) -> None:
    """What lies beside docs/, where people look for it, is a page here too: the changes, the measurements."""
    for there, here in (
        ("../CHANGELOG.md", "changes.md"),
        ("../bench/results.md", "measurements.md"),
    ):
        source[0] = source[0].replace(f"]({there}", f"]({here}")


def accessible(
    app: Sphinx, pagename: str, template: str, context: dict[str, Any], doctree: object
) -> None:
    """What scrolls is reached by keyboard, and headings of the list of pages have a level: the theme forgets both."""
    body, pages = context.get("body", ""), context.get("furo_navigation_tree", "")
    body = body.replace("<pre>", '<pre tabindex="0">')
    context["body"] = body.replace(
        '<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'
    )
    context["furo_navigation_tree"] = pages.replace(
        'role="heading"', 'role="heading" aria-level="2"'
    )


def setup(app: Sphinx) -> None:
    app.connect("source-read", at_home)
    app.connect("html-page-context", accessible, priority=900)  # after the theme
    app.add_lexer("csv", TextLexer)
