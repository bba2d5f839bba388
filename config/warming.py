"""What the first requests would otherwise import, parse and read while somebody waits. The database is not asked."""

from contextlib import suppress
from pathlib import Path

from django import forms
from django.apps import apps
from django.conf import settings
from django.template.loader import get_template
from django.urls import reverse
from django.utils import translation

from surveys.models import Survey
from surveys.site.page_program import ENTRIES, program, style
from surveys.site.script_integrity import WORKSPACE, import_map_source

WIDGETS = Path(forms.__file__).parent / "templates"


def warm_up() -> None:
    """Addresses, templates, languages, programs, hashes of scripts. A worker does it before it accepts connections."""
    for folder in _template_folders():
        for file in sorted(folder.rglob("*.html")):
            get_template(str(file.relative_to(folder)))
    for language in Survey.Language.values:
        with translation.override(language):
            translation.gettext("Start")
            reverse("home")  # Django makes its table of all addresses anew for each language
    with suppress(ValueError, OSError):  # not collected yet: whoever asks for a page is told so
        import_map_source(WORKSPACE)
    for entry in ENTRIES:
        program(entry)
    style()


def _template_folders() -> list[Path]:
    """Return the folders of the templates of the core, of each feature and of the widgets of forms."""
    folders = [Path(folder) for folder in settings.TEMPLATES[0]["DIRS"]]
    for app in apps.get_app_configs():
        if app.name in settings.FEATURES:
            folders.append(Path(app.path) / "templates")
    folders.append(WIDGETS)
    return folders
