"""Update the message files in locale/ from the respondents' pages and from all features, and compile them.

Translations stay. New texts are added empty, and counted. Texts that no page uses are removed. This needs Babel, which
is among the requirements for development, and no gettext programs. A running site reads only the compiled files.
"""

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation.template import templatize

from surveys.models import Survey

CODE = (
    *(
        "surveys/definition/freezing.py",
        "surveys/definition/kinds.py",
        "surveys/definition/odds.py",
    ),
    "surveys/definition/protection_wording.py",
    *(
        "surveys/fieldwork/link.py",
        "surveys/templatetags/respond.py",
        "surveys/definition/designs/wording.py",
    ),
)
LANGUAGES = [code for code in Survey.Language.values if code != Survey.Language.ENGLISH]
HEAD = "# The texts of the respondents’ pages. After a change: manage.py messages"
KEYWORDS = DEFAULT_KEYWORDS | {"pgettext_lazy": DEFAULT_KEYWORDS["pgettext"]}
DAY = datetime(
    2026, 1, 1, tzinfo=UTC
)  # in the place of the time of each run, so that what is fresh stays the same


class Command(BaseCommand):
    help = __doc__
    requires_system_checks = []

    def handle(self, **options: object) -> None:
        lacking = 0
        for language in LANGUAGES:
            catalog = renewed(language)
            lacking += sum(not all(strings(message)) for message in catalog if message.id)
            path = po_file(language)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(written(catalog))
            path.with_suffix(".mo").write_bytes(compiled(catalog))
        if lacking:
            raise CommandError(
                f'{lacking} translations are missing: look for msgstr "" in locale/.'
            )


def po_file(language: str) -> Path:
    return settings.BASE_DIR / "locale" / language / "LC_MESSAGES" / "django.po"


def used() -> list[tuple[str | None, str | tuple[str, ...]]]:
    """Return every text for respondents as (context, English), singular and plural together, in their order."""
    texts: dict[tuple[str | None, str | tuple[str, ...]], None] = {}
    for path in _sources():
        source = path.read_text()
        texts |= dict.fromkeys(_extracted(templatize(source) if path.suffix == ".html" else source))
    return list(texts)


def _sources() -> Iterator[Path]:
    """Yield the templates and programs that may have texts for respondents: those of the core, then of each feature."""
    yield from sorted((settings.BASE_DIR / "templates" / "respondent").rglob("*.html"))
    yield from (settings.BASE_DIR / name for name in CODE)
    for feature in settings.FEATURES:
        folder = settings.BASE_DIR.joinpath(*feature.split("."))
        yield from sorted((folder / "templates").rglob("*.html"))
        yield from (
            path
            for path in sorted(folder.rglob("*.py"))
            if "tests" not in path.relative_to(folder).parts
        )


def _extracted(source: str) -> Iterator[tuple[str | None, str | tuple[str, ...]]]:
    lines = "\n".join(
        line.strip() for line in source.splitlines()
    )  # a page has no indentation that Python knows
    for _, text, _, context in extract("python", io.BytesIO(lines.encode()), KEYWORDS):
        yield context, text


def read(language: str) -> Catalog:
    path = po_file(language)
    return (
        read_po(io.BytesIO(path.read_bytes()), locale=language)
        if path.exists()
        else Catalog(locale=language)
    )


def renewed(language: str) -> Catalog:
    """The texts that are used, with the translations that there are."""
    known = read(language)
    about = {
        "project": "Candor",
        "version": "respondents",
        "creation_date": DAY,
        "revision_date": DAY,
    }
    people = {
        "last_translator": "Candor",
        "language_team": "Candor",
        "msgid_bugs_address": "docs/glossary.md",
    }
    fresh = Catalog(locale=language, header_comment=HEAD, fuzzy=False, **about, **people)
    for context, text in used():
        before = known.get(text, context)
        same = before is not None and before.id == text
        message = fresh.add(text, before.string if same else "", context=context)
        message.flags.clear()
    return fresh


def strings(message: Message) -> tuple[str, ...]:
    """The translation; of a text with a plural one for each form of the language."""
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def written(catalog: Catalog) -> bytes:
    file = io.BytesIO()
    write_po(file, catalog, width=0)
    return file.getvalue()


def compiled(catalog: Catalog) -> bytes:
    file = io.BytesIO()
    write_mo(file, catalog)
    return file.getvalue()
