"""Bring the message files in locale/ up to date with the respondents' pages, and compile them.

Does what Django's makemessages and compilemessages do, for texts without plural forms, and needs no gettext programs.
Translations stay; new texts come in empty and are counted; texts that no page uses any more go.
"""

import ast
import re
import struct
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation.template import templatize

from surveys.models import Survey

Messages = dict[tuple[str, str], str]  # (context or "", English) -> translation
STRING = r"""(u'(?:[^'\\]|\\.)*'|u"(?:[^"\\]|\\.)*")"""
CALL = re.compile(rf"\b(p?gettext)\({STRING}(?:, {STRING})?\)")
CODE = (
    *("surveys/publishing/freezing.py", "surveys/publishing/odds.py", "surveys/publishing/sharing.py"),
    "surveys/templatetags/respond.py",
)
LANGUAGES = [code for code in Survey.Language.values if code != Survey.Language.ENGLISH]


class Command(BaseCommand):
    help = __doc__
    requires_system_checks = []

    def handle(self, **options: object) -> None:
        missing = 0
        for language in LANGUAGES:
            path = po_file(language)
            known = parse(path.read_text()) if path.exists() else {}
            messages = {key: known.get(key, "") for key in used()}
            missing += sum(not text for text in messages.values())
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(format_po(language, messages))
            path.with_suffix(".mo").write_bytes(compile_mo(language, messages))
        if missing:
            raise CommandError(f'{missing} translations are missing: look for msgstr "" in locale/.')


def po_file(language: str) -> Path:
    return settings.BASE_DIR / "locale" / language / "LC_MESSAGES" / "django.po"


def used() -> list[tuple[str, str]]:
    """Every text of the respondents' pages as (context, English), in the order of the files."""
    found: dict[tuple[str, str], None] = {}
    for path in sorted((settings.BASE_DIR / "templates" / "respond").rglob("*.html")):
        for function, first, second in CALL.findall(templatize(path.read_text())):
            texts = [ast.literal_eval(text) for text in (first, second) if text]
            found[("", texts[0]) if function == "gettext" else (texts[0], texts[1])] = None
    for name in CODE:
        for node in ast.walk(ast.parse((settings.BASE_DIR / name).read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("gettext", "pgettext"):
                texts = [one.value for one in node.args]
                found[("", texts[0]) if len(texts) == 1 else (texts[0], texts[1])] = None
    return list(found)


def parse(text: str) -> Messages:
    """A message file -> its translations. Only what format_po writes, and strings broken over lines."""
    found: Messages = {}
    for block in re.split(r"\n\s*\n", text):
        fields = {"msgctxt": "", "msgid": "", "msgstr": ""}
        name = ""
        for line in block.splitlines():
            word, _, rest = line.partition(" ")
            name, string = (word, rest) if word in fields else (name, line)
            if name and string.startswith('"'):
                fields[name] += ast.literal_eval(string)
        if fields["msgid"]:
            found[fields["msgctxt"], fields["msgid"]] = fields["msgstr"]
    return found


def header(language: str) -> str:
    lines = ("MIME-Version: 1.0", "Content-Type: text/plain; charset=UTF-8", "Content-Transfer-Encoding: 8bit")
    return "\n".join([f"Language: {language}", *lines, ""])


def format_po(language: str, messages: Messages) -> str:
    blocks = ["\n".join(['msgid ""', 'msgstr ""', *(_quoted(line + "\n") for line in header(language).splitlines())])]
    for (context, english), text in messages.items():
        lines = [f"msgctxt {_quoted(context)}"] if context else []
        blocks.append("\n".join([*lines, f"msgid {_quoted(english)}", f"msgstr {_quoted(text)}"]))
    return "\n\n".join(blocks) + "\n"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def compile_mo(language: str, messages: Messages) -> bytes:
    """The binary form that gettext reads: two tables of (length, offset), sorted by key, then the texts."""
    texts = {"": header(language)}
    for (context, english), text in messages.items():
        if text:
            texts[f"{context}\x04{english}" if context else english] = text
    pairs = sorted((key.encode(), text.encode()) for key, text in texts.items())
    start = 28 + 16 * len(pairs)
    tables, body = [], b""
    for column in (0, 1):
        for pair in pairs:
            tables += [len(pair[column]), start + len(body)]
            body += pair[column] + b"\x00"
    head = struct.pack("<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, 28 + 16 * len(pairs))
    return head + struct.pack(f"<{len(tables)}I", *tables) + body
