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

# The lines of a module that change. Only functions and constants are exported where they are declared.
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
    """A whole page, which is the same for everybody, byte for byte.

    Compression can reveal a secret that a page holds beside a text of a visitor. This page holds
    neither, so it can be compressed.

    small: the page, compressed by gzip without a time and without padding.
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
    """Return the page with its script, style and content security policy.

    Raises ValueError if the page lacks the empty elements for these, or has one of them twice.

    html: the page with empty elements.
    entry: the module that the script starts with, or "" for a page without a script.
    colours: the style rules for the colours of a sender, or "".
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
    # A low memLevel makes small blocks, each with a code of its own. They fit a page better whose
    # texts, style and program have different letters.
    compressor = zlib.compressobj(level=9, wbits=16 + zlib.MAX_WBITS, memLevel=5)
    return compressor.compress(plain) + compressor.flush()


def _replace_once(html: str, old: str, new: str) -> str:
    """Replace a part of a page. Raises ValueError if the page does not have it exactly once."""
    count = html.count(old)
    if count != 1:
        raise ValueError(f"A respondents' page has {count} places {old!r} instead of one.")
    return html.replace(old, new)


def policy(script: str, style_text: str) -> str:
    """Return the policy of a page that may run this script and apply this style.

    The page may also show pictures that it contains and, with a script, connect to its own site.

    script, style_text: the texts in the page, or "" for none.
    """
    connect_source = "'self'" if script else "'none'"
    directives = [
        "default-src 'none'",
        f"script-src {_policy_source(script)}",
        f"style-src {_policy_source(style_text)}",
        f"connect-src {connect_source}",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]
    return "; ".join(directives)


def _policy_source(text: str) -> str:
    """Return the source in the policy that allows only this text: its hash, or 'none' for ""."""
    if not text:
        return "'none'"
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


@lru_cache(maxsize=64)
def style(colours: str = "") -> str:
    """Return the stylesheet without its comments, followed by the colours of a sender."""
    return "\n" + STYLE_COMMENT.sub("", (STATIC / STYLESHEET).read_text()) + colours


@cache
def program(entry: str) -> str:
    """Return one script with an entry and all modules that it imports, each of them once.

    Raises ValueError if a module cannot be part of the script.

    entry: the path of a module below static/, such as "respondent/page.js".
    """
    return '\n(() => {\n"use strict";\n' + "".join(bundle_modules(entry).values()) + "})();\n"


def page_parts() -> dict[str, str]:
    """Return the scripts and the style that all pages of a version share, by their files.

    A script is named after the module that it starts with. The style has no colours of a sender.
    """
    parts = {entry: program(entry) for entry in ENTRIES}
    parts[STYLESHEET] = style()
    return parts


def bundle_modules(*entries: str, root: Path = STATIC) -> dict[str, str]:
    """Return each module that the entries import, wrapped for one script, in running order.

    The keys are the paths of the modules below `root`. Raises ValueError if a module cannot be
    wrapped.

    entries: the paths of the modules to start with, which are wrapped as well.
    root: the folder of static files of the core.
    """
    wrapped_modules: dict[str, str] = {}
    for entry in entries:
        _add_module(root, entry, wrapped_modules, ())
    return wrapped_modules


def _module_file(root: Path, name: str) -> Path:
    """Return the file of a module of the core, or of a feature.

    Django's finders of static files know the files of features.

    name: the path of the module below `root`, or below the static files of a feature.
    """
    file = root / name
    if file.exists():
        return file
    return Path(finders.find(name) or file)


def _add_module(
    root: Path, name: str, wrapped_modules: dict[str, str], importers: tuple[str, ...]
) -> None:
    """Add a module to the wrapped modules, after the modules that it imports.

    Nothing happens if it is among them already. Its text becomes the body of a function, which
    returns what the module exports, and a constant holds what the function returns.

    Raises ValueError if the module imports itself or cannot be wrapped.

    root: the folder of static files of the core.
    name: the path of the module below `root`.
    wrapped_modules: the wrapped modules by name, in running order. The dictionary is changed.
    importers: the modules whose imports led to this one, with the entry first.
    """
    if name in importers:
        raise ValueError(f"{name} imports itself, by way of {' and '.join(importers)}.")
    if name in wrapped_modules:
        return
    source = COMMENT.sub("", _module_file(root, name).read_text())

    def replace_import(match: re.Match[str]) -> str:
        """Add the imported module, and return a line that takes the names from its constant."""
        path = posixpath.join(posixpath.dirname(name), match[2])
        imported = posixpath.normpath(path)
        _add_module(root, imported, wrapped_modules, (*importers, name))
        # A name is replaced by "as" in an import, and by a colon where a constant is taken apart.
        names = " ".join(match[1].replace(" as ", ": ").split()).rstrip(",")
        return f"const {{ {names} }} = {constant_name(imported)};\n"

    exports = EXPORTED_DECLARATION.findall(source)
    # This adds the imported modules first, so that they run before this one.
    body = IMPORT_LINE.sub(replace_import, source)
    for exported_names in EXPORT_LIST.findall(body):
        stripped_names = [exported.strip() for exported in exported_names.split(",")]
        exports += [exported for exported in stripped_names if exported]
    body = EXPORTED_DECLARATION.sub("", EXPORT_LIST.sub("", body))

    # The indentation is removed after these checks, because it shows which statements are within
    # the functions of the module. Those may use await.
    if NOT_IN_A_FUNCTION.search(body):
        raise ValueError(
            f"{name} imports, exports or waits in a way that a page's one script cannot."
        )
    if NOT_IN_A_SCRIPT.search(body):
        raise ValueError(f"{name} has a text that would end the page's script.")
    if OPEN_TEXT.search(body):
        raise ValueError(f"{name} has a text of several lines.")
    body = INDENTATION.sub("", body)
    exports_line = f"return {{ {', '.join(exports)} }};\n" if exports else ""
    wrapped_modules[name] = (
        f"\n/* static/{name} */\n"
        f"const {constant_name(name)} = (() => {{\n{body}{exports_line}}})();\n"
    )


def constant_name(module: str) -> str:
    """Return the name of the constant that holds the exports of a module in a script.

    For "respondent/page.js" this is "$respondent_page".
    """
    return "$" + re.sub(r"\W", "_", module.removesuffix(".js"))
