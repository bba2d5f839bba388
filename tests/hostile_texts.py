"""The forms of pages as a program reads them, to send a text in each field that means harm.

`observe_expressions` says what every regular expression of the product is given meanwhile.
"""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from types import ModuleType
from typing import Any
from urllib.parse import urljoin

import pytest

PRODUCT = ("surveys", "mechanisms", "config")
METHODS = ("match", "fullmatch", "search", "findall", "finditer", "split", "sub", "subn")
NO_TEXT = ("submit", "button", "reset", "image", "file")  # kinds of inputs


@dataclass
class WebForm:
    """A form of a page: where it is sent, how, and what it would send."""

    address: str
    method: str
    values: dict[str, str] = field(default_factory=dict)


class FormParser(HTMLParser):
    """Reads every form of a page, with all names that a program may send, whatever their controls are."""

    def __init__(self, page: str, address: str) -> None:
        super().__init__()
        self.address = address
        self.forms: list[WebForm] = []
        self.textarea = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.forms.append(WebForm(urljoin(self.address, has.get("action", "")), has.get("method", "get").lower()))
        name = has.get("name", "")
        if not self.forms or not name or has.get("type") in NO_TEXT:
            return
        values = self.forms[-1].values
        if tag == "input" and (has.get("type") not in ("radio", "checkbox") or "checked" in has):
            values[name] = has.get("value", "")
        elif tag in ("input", "select"):
            values.setdefault(name, "")
        elif tag == "textarea":
            self.textarea = name
            values[name] = ""

    def handle_data(self, data: str) -> None:
        if self.textarea:
            self.forms[-1].values[self.textarea] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self.textarea = ""


@dataclass
class Observed:
    """The longest text that each expression was given, and its pattern, by the name of the expression."""

    longest: dict[str, int] = field(default_factory=dict)
    patterns: dict[str, Any] = field(default_factory=dict)

    def note(self, name: str, pattern: Any, text: Any) -> None:
        self.patterns[name] = pattern
        self.longest[name] = max(self.longest.get(name, 0), len(text))


class ObservedPattern:
    """A compiled expression that notes how long the texts are that it is given."""

    def __init__(self, pattern: re.Pattern, name: str, observed: Observed) -> None:
        self.compiled, self._name, self._observed = pattern, name, observed

    def __getattr__(self, attribute: str) -> Any:
        method = getattr(self.compiled, attribute)
        return self._noting(method, attribute) if attribute in METHODS else method

    def _noting(self, method: Callable[..., Any], attribute: str) -> Callable[..., Any]:
        def noting(*arguments: Any, **options: Any) -> Any:
            self._observed.note(
                self._name, self.compiled.pattern, arguments[1] if attribute in ("sub", "subn") else arguments[0]
            )
            return method(*arguments, **options)

        return noting


class ObservedModule:
    """The module `re` as one module of the product sees it."""

    def __init__(self, module: str, observed: Observed) -> None:
        self._module, self._observed = module, observed

    def __getattr__(self, attribute: str) -> Any:
        if attribute not in METHODS:
            return getattr(re, attribute)

        def noting(pattern: Any, *arguments: Any, **options: Any) -> Any:
            if isinstance(pattern, ObservedPattern):
                pattern = pattern.compiled
            text = getattr(pattern, "pattern", pattern)
            self._observed.note(f"{self._module} {text}", text, arguments[1 if attribute in ("sub", "subn") else 0])
            return getattr(re, attribute)(pattern, *arguments, **options)

        return noting


def product_modules() -> list[ModuleType]:
    return [module for name, module in sorted(sys.modules.items()) if name.partition(".")[0] in PRODUCT and module]


def observe_expressions(monkeypatch: pytest.MonkeyPatch) -> Observed:
    """Put an observer around every expression that a module of the product holds or makes when it is called."""
    observed = Observed()
    names: dict[int, str] = {}
    for module in product_modules():
        for attribute, value in list(vars(module).items()):
            if value is re:
                monkeypatch.setattr(module, attribute, ObservedModule(module.__name__, observed))
            elif isinstance(value, re.Pattern):
                name = names.setdefault(id(value), f"{module.__name__}.{attribute}")
                monkeypatch.setattr(module, attribute, ObservedPattern(value, name, observed))
            elif isinstance(value, dict):
                for key, part in list(value.items()):
                    if isinstance(part, re.Pattern):
                        name = names.setdefault(id(part), f"{module.__name__}.{attribute}[{key}]")
                        monkeypatch.setitem(value, key, ObservedPattern(part, name, observed))
    return observed
