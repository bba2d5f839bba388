"""Build the respondents' pages as single documents, with one script, one style and a strict policy.

The script consists of the modules of static/. Each module keeps its text in a function of its own,
which runs after those of the modules that it imports. Only import, export and comment lines and the
spaces at the start of lines change, so that readers of the page's source read the code of the
repository.
"""

import base64
import gzip
import hashlib
import posixpath
import re
import zlib
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from django.contrib.staticfiles import finders

STATIC = Path(__file__).parents[2] / "static"
STYLESHEET = "css/respondent.css"
PAGE, TICKETS, EARLY = "respondent/page.js", "tickets/page.js", "early/times.js"
ENTRIES = (PAGE, TICKETS, EARLY)

# The lines of a module that change: the whole import of a line, with its names and its path; a
# declaration that is exported, with its name; and a list of exported names.
IMPORT_LINE = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.M)
EXPORTED_DECLARATION = re.compile(r"^export (?=(?:async )?(?:function|const) (\w+))", re.M)
EXPORT_LIST = re.compile(r"^export \{([^}]*)\};\n", re.M)
# Lines that begin with //, and JSDoc blocks. Respondents do not download them.
COMMENT = re.compile(r"^ *(?://[^\n]*|/\*\*.*?\*/)\n", re.M | re.S)
INDENTATION = re.compile(r"^\s+", re.M)
# A line on which a text of several lines begins or ends. Without indentation, such a text would be
# another one.
OPEN_TEXT = re.compile(r"^[^`\n]*`(?:[^`\n]*`[^`\n]*`)*[^`\n]*$", re.M)
STYLE_COMMENT = re.compile(r"/\*.*?\*/\n*", re.S)

# What a module may not contain once it is wrapped in a function, and what would end the script.
NOT_IN_A_FUNCTION = re.compile(
    r"^(import|export|await)\b|\bimport\(|^(const|let) [^\n]*= await\b", re.M
)
NOT_IN_A_SCRIPT = re.compile(r"</script|<!--", re.I)

# The parts of a template that are replaced. No text of an author can have them, because those are
# escaped.
STYLE_PLACE = "<style></style>"
SCRIPT_PLACE = "<script></script>"
POLICY_PLACE = 'Policy" content=""'


@dataclass(frozen=True)
class Document:
    """A whole page for respondents, which is the same for everybody, byte for byte.

    The size of a compressed page can reveal a secret in it, if a visitor's text is in the page too.
    This page holds neither, so it can be compressed.

    small: the page, compressed by gzip. Its header has no time, so that equal pages stay equal.
    sha256: the hash of the uncompressed page.
    policy: the content security policy in the page. Which sites may frame the page can only be said
        in a header.
    """

    small: bytes
    sha256: str
    policy: str

    @property
    def plain(self) -> bytes:
        """The uncompressed page."""
        return gzip.decompress(self.small)


def build_page(html: str, entry: str = "", colours: str = "") -> Document:
    """Return a respondents' page with its script, style and content security policy filled in.

    Raises ValueError if the page lacks the empty elements for these, or has one of them twice.

    html: the page, with empty elements in place of script, style and policy.
    entry: the module that the script starts with, one of ENTRIES, or "" for a page without a
        script.
    colours: the style rules for the colours that the sender of a survey chose, or "".
    """
    style_text = style(colours)
    script = program(entry) if entry else ""
    page_policy = policy(script, style_text)

    html = _replace_once(html, POLICY_PLACE, f'Policy" content="{page_policy}"')
    html = _replace_once(html, STYLE_PLACE, f"<style>{style_text}</style>")
    if entry:
        html = _replace_once(html, SCRIPT_PLACE, f"<script>{script}</script>")
    plain = html.encode()
    return Document(
        small=_compress(plain),
        sha256=hashlib.sha256(plain).hexdigest(),
        policy=page_policy,
    )


def _compress(plain: bytes) -> bytes:
    """Return the bytes in the gzip format, without a time."""
    # With 16 added to the window size, zlib writes the gzip format. A low memLevel makes
    # small blocks, each with a code of its own. They fit a page better whose texts, style and
    # program have different letters.
    compressor = zlib.compressobj(level=9, wbits=16 + zlib.MAX_WBITS, memLevel=5)
    return compressor.compress(plain) + compressor.flush()


def _replace_once(html: str, old: str, new: str) -> str:
    """Return a page with `new` in place of `old`.

    Raises ValueError if the page does not have `old` exactly once.
    """
    count = html.count(old)
    if count != 1:
        raise ValueError(f"A respondents' page has {count} places {old!r} instead of one.")
    return html.replace(old, new)


def policy(script: str, style_text: str) -> str:
    """Return the content security policy of a page with this script and this style.

    The browser runs no other script and applies no other style. The page may also show pictures
    that it contains and, with a script, connect to its own site.

    script, style_text: the texts in the page, or "" for none.
    """
    connect_source = "'self'" if script else "'none'"
    directives = [
        # All that no other directive allows is forbidden.
        "default-src 'none'",
        f"script-src {_policy_source(script)}",
        f"style-src {_policy_source(style_text)}",
        f"connect-src {connect_source}",
        "img-src data:",
        # The first directive does not hold for base addresses and forms.
        "base-uri 'none'",
        "form-action 'none'",
        # The script itself cannot make code or HTML of a text.
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]
    return "; ".join(directives)


def _policy_source(text: str) -> str:
    """Return what allows only this script or style in a policy: its hash, or 'none' for ""."""
    if not text:
        return "'none'"
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


@lru_cache(maxsize=64)
def style(colours: str = "") -> str:
    """Return the stylesheet of the respondents' pages, without its comments.

    colours: style rules to add at the end, for the colours that a survey's sender chose, or "".
    """
    source = (STATIC / STYLESHEET).read_text()
    rules = STYLE_COMMENT.sub("", source)
    return f"\n{rules}{colours}"


@cache
def program(entry: str) -> str:
    """Return one script that consists of a module and all modules that it imports.

    Each module is in it once. Raises ValueError if one cannot be part of the script.

    entry: the path of the module below static/, such as "respondent/page.js".
    """
    modules = "".join(bundle_modules(entry).values())
    # The function around the modules keeps their constants out of the page's global scope.
    return f'\n(() => {{\n"use strict";\n{modules}}})();\n'


def page_parts() -> dict[str, str]:
    """Return the scripts and the style of the respondents' pages, by the names of their files.

    All surveys share them. A script has the name of the module that it starts with, one of ENTRIES.
    """
    parts = {entry: program(entry) for entry in ENTRIES}
    parts[STYLESHEET] = style()
    return parts


def bundle_modules(*entries: str, root: Path = STATIC) -> dict[str, str]:
    """Return the text of each module that a script needs, wrapped in a function, by its path.

    The modules are in the order in which they run: imported ones precede those that import them.
    The paths are below `root`. Raises ValueError if a module cannot be wrapped.

    entries: the paths of the modules that the script starts with.
    root: the folder of static files of the core.
    """
    wrapped_modules: dict[str, str] = {}
    for entry in entries:
        _add_module(root, entry, wrapped_modules, ())
    return wrapped_modules


def _module_file(root: Path, name: str) -> Path:
    """Return the file of a module of the core, or of a feature.

    name: the path of the module below `root`, or below the static files of a feature.
    """
    file = root / name
    if file.exists():
        return file
    # Django's finders of static files know the files of features. If they find none either, reading
    # the returned file raises an error with its path.
    return Path(finders.find(name) or file)


def _add_module(
    root: Path, name: str, wrapped_modules: dict[str, str], importers: tuple[str, ...]
) -> None:
    """Add a module to the wrapped modules, after the modules that it imports.

    Nothing happens if it is among them already. Raises ValueError if the module imports itself,
    directly or by way of others, or cannot be wrapped.

    root: the folder of static files of the core.
    name: the path of the module below `root`.
    wrapped_modules: the wrapped modules by path, in running order. The dictionary is changed.
    importers: the modules whose imports led to this one, with the first module of the script first.
    """
    if name in importers:
        raise ValueError(f"{name} imports itself, by way of {' and '.join(importers)}.")
    if name in wrapped_modules:
        return
    source = COMMENT.sub("", _module_file(root, name).read_text())

    def replace_import(match: re.Match[str]) -> str:
        """Add the imported module, and return a line that takes the names from its constant."""
        imported_names, relative_path = match.groups()
        path = posixpath.join(posixpath.dirname(name), relative_path)
        imported = posixpath.normpath(path)
        _add_module(root, imported, wrapped_modules, (*importers, name))
        # What is "{ old as new }" in an import is "{ old: new }" where a constant is taken apart.
        renamed = imported_names.replace(" as ", ": ")
        names = " ".join(renamed.split()).rstrip(",")
        return f"const {{ {names} }} = {constant_name(imported)};\n"

    # This adds the imported modules first, so that they run before this one.
    body = IMPORT_LINE.sub(replace_import, source)
    exports = _exported_names(body)
    body = EXPORT_LIST.sub("", body)
    body = EXPORTED_DECLARATION.sub("", body)
    # The indentation is removed after this check, because it shows which statements are within the
    # functions of the module. Those may use await.
    _require_wrappable(name, body)
    body = INDENTATION.sub("", body)

    # The text becomes the body of a function that returns what the module exports. The function is
    # called at once, and a constant holds what it returned.
    exports_line = f"return {{ {', '.join(exports)} }};\n" if exports else ""
    wrapped_modules[name] = (
        f"\n/* static/{name} */\n"
        f"const {constant_name(name)} = (() => {{\n{body}{exports_line}}})();\n"
    )


def _exported_names(body: str) -> list[str]:
    """Return the names that a module exports: those of declarations, and then those in lists."""
    names = EXPORTED_DECLARATION.findall(body)
    for listed_names in EXPORT_LIST.findall(body):
        stripped_names = [name.strip() for name in listed_names.split(",")]
        # A comma after the last name of a list leaves an empty text.
        names += [name for name in stripped_names if name]
    return names


def _require_wrappable(name: str, body: str) -> None:
    """Raise ValueError if the text of a module cannot be the body of a function in a page.

    name: the path of the module, for the message.
    body: the text, without its comments and without the import and export lines that are replaced.
    """
    if NOT_IN_A_FUNCTION.search(body):
        raise ValueError(
            f"{name} imports, exports or waits in a way that a page's one script cannot."
        )
    if NOT_IN_A_SCRIPT.search(body):
        raise ValueError(f"{name} has a text that would end the page's script.")
    if OPEN_TEXT.search(body):
        raise ValueError(f"{name} has a text of several lines.")


def constant_name(module: str) -> str:
    """Return the name of the constant that holds the exports of a module in a page's script.

    For the module "respondent/page.js" this is "$respondent_page".
    """
    # Each character that a name cannot have is replaced.
    return "$" + re.sub(r"\W", "_", module.removesuffix(".js"))
