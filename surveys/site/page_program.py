"""The respondents' pages as single documents: one script and one style inside, and a policy that allows nothing else.

The script is made of the modules of static/, each as it stands there in a frame of its own, after those it imports.
Only import, export and comment lines change, so that whoever reads the page's source reads the repository.
"""

import base64
import gzip
import hashlib
import posixpath
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from django.contrib.staticfiles import finders

STATIC = Path(__file__).parents[2] / "static"
STYLESHEET = "css/respondent.css"
PAGE, TICKETS, EARLY = "respondent/page.js", "tickets/page.js", "early/times.js"
ENTRIES = (PAGE, TICKETS, EARLY)

IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.M)
EXPORTS = re.compile(r"^export \{([^}]*)\};\n", re.M)
COMMENT = re.compile(r"^ *//.*\n", re.M)
STYLE_COMMENT = re.compile(r"/\*.*?\*/\n*", re.S)
NOT_IN_A_FRAME = re.compile(
    r"^(import|export|await)\b|\bimport\(|^(const|let) [^\n]*= await\b", re.M
)
NOT_IN_A_SCRIPT = re.compile(r"</script|<!--", re.I)
# Where a template leaves room. No text of an author has them: those are escaped.
STYLE_PLACE, SCRIPT_PLACE, POLICY_PLACE = (
    "<style></style>",
    "<script></script>",
    'Policy" content=""',
)


@dataclass(frozen=True)
class Document:
    """A whole page, compressed without a time and without padding, so that its bytes are the same for everybody.

    Compression tells nothing here, as it can where a page holds a secret beside something that a visitor put in: this
    page holds neither. policy: as the page states it; only the header can say who may frame it.
    """

    small: bytes
    sha256: str
    policy: str

    @property
    def plain(self) -> bytes:
        return gzip.decompress(self.small)


def build_page(html: str, entry: str = "", colours: str = "") -> Document:
    """Return the page with its script, style and content security policy."""
    styled, script = style(colours), program(entry) if entry else ""
    stated = policy(script, styled)
    html = _filled(html, POLICY_PLACE, f'Policy" content="{stated}"')
    html = _filled(html, STYLE_PLACE, f"<style>{styled}</style>")
    if entry:
        html = _filled(html, SCRIPT_PLACE, f"<script>{script}</script>")
    plain = html.encode()
    return Document(gzip.compress(plain, mtime=0), hashlib.sha256(plain).hexdigest(), stated)


def _filled(html: str, place: str, text: str) -> str:
    if html.count(place) != 1:
        raise ValueError(
            f"A respondents' page has {html.count(place)} places {place!r} instead of one."
        )
    return html.replace(place, text)


def policy(script: str, styled: str) -> str:
    """What a page may do: run this script, apply this style, show pictures it holds, and talk to its own site."""
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {_source(script)}",
            f"style-src {_source(styled)}",
            "connect-src 'self'" if script else "connect-src 'none'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ]
    )


def _source(text: str) -> str:
    return (
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        if text
        else "'none'"
    )


@lru_cache(maxsize=64)
def style(colours: str = "") -> str:
    """The stylesheet without its comments, and after it a sender's colours."""
    return "\n" + STYLE_COMMENT.sub("", (STATIC / STYLESHEET).read_text()) + colours


@cache
def program(entry: str) -> str:
    """One script of all modules that an entry imports, each once. ValueError where a module cannot stand in it."""
    return '\n(() => {\n"use strict";\n' + "".join(bundle_modules(entry).values()) + "})();\n"


def page_parts() -> dict[str, str]:
    """What all pages of a version share, by the file it starts with: the program of each page, and the style as it
    stands there without a sender's colours.
    """
    return {entry: program(entry) for entry in ENTRIES} | {STYLESHEET: style()}


def bundle_modules(*entries: str, root: Path = STATIC) -> dict[str, str]:
    """Return each module that the entries import, wrapped for one script, in running order."""
    framed: dict[str, str] = {}
    for entry in entries:
        _frame(root, entry, framed, ())
    return framed


def _module_file(root: Path, name: str) -> Path:
    """Return the file of a module of the core, or of a feature, whose files Django's static-file finders know."""
    file = root / name
    if file.exists():
        return file
    return Path(finders.find(name) or file)


def _frame(root: Path, name: str, framed: dict[str, str], importers: tuple[str, ...]) -> None:
    if name in importers:
        raise ValueError(f"{name} imports itself, by way of {' and '.join(importers)}.")
    if name in framed:
        return
    source = COMMENT.sub("", _module_file(root, name).read_text())

    def bring(match: re.Match[str]) -> str:
        other = posixpath.normpath(posixpath.join(posixpath.dirname(name), match[2]))
        _frame(root, other, framed, (*importers, name))
        return f"const {{{match[1].replace(' as ', ': ')}}} = {const(other)};\n"

    exports = EXPORT.findall(source)
    body = IMPORT.sub(bring, source)
    exports += [
        one.strip() for listed in EXPORTS.findall(body) for one in listed.split(",") if one.strip()
    ]
    body = EXPORT.sub("", EXPORTS.sub("", body))
    if NOT_IN_A_FRAME.search(body):
        raise ValueError(
            f"{name} imports, exports or waits in a way that a page's one script cannot."
        )
    if NOT_IN_A_SCRIPT.search(body):
        raise ValueError(f"{name} has a text that would end the page's script.")
    exports_line = f"return {{ {', '.join(exports)} }};\n" if exports else ""
    framed[name] = (
        f"\n/* static/{name} */\nconst {const(name)} = (() => {{\n{body}{exports_line}}})();\n"
    )


def const(name: str) -> str:
    """What a module's exports are called in a program."""
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))
