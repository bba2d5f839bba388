"""The forms of pages as a program reads them, to send a text in each field that means harm.

`observe_expressions` says what every regular expression of the product is given meanwhile.
"""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from types import ModuleType
from typing import Any
from urllib.parse import urljoin

import pytest

from surveys.models import Question
from surveys.web.workspace.kind_forms import KIND_FORMS

PRODUCT = ("surveys", "features", "mechanisms", "config")
METHODS = ("match", "fullmatch", "search", "findall", "finditer", "split", "sub", "subn")
# What stands in the fields of a new question that must not be empty.
QUESTION = {
    "text": "How are you?",
    "choices": "Well\nIll",
    "candidates": "Well\nIll",
    "minimum": "0",
    "maximum": "9",
}
NO_TEXT = ("submit", "button", "reset", "image", "file")  # kinds of inputs


@dataclass
class WebForm:
    """A form of a page: where it is sent, how, and what it would send."""

    address: str
    method: str
    values: dict[str, str] = field(default_factory=dict)
    options: dict[str, list[str]] = field(
        default_factory=dict
    )  # the values of radio buttons, by their name

    def filled_in(
        self, text: str, *, in_short: bool = False
    ) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield what is sent when a text stands in one field, with a name for the field, for each field.

        A setting is read only if its method is chosen, and some fields only if a certain kind of question is.
        in_short: without these, because another form has the same ones.
        """
        values = {
            name: value.strip() or QUESTION.get(name, "") for name, value in self.values.items()
        }
        designs = self.options.get("design", [])
        for name in values:
            if name.rpartition("-")[0] not in designs:
                yield name, values | {name: text}
        if in_short:
            return
        for design in designs:
            settings = {name: text for name in values if name.rpartition("-")[0] == design}
            if settings:
                yield f"the settings of {design}", values | {"design": design} | settings
        for kind in self.options.get("kind", []):
            for name in ("text", *KIND_FORMS[Question.Kind(kind)].fields):
                if name in values and name not in self.options:
                    yield f"{name} of {kind}", values | {"kind": kind, name: text}


class FormParser(HTMLParser):
    """Reads every form of a page, with all names that a program may send, whatever their controls are."""

    def __init__(self, page: str, address: str) -> None:
        super().__init__()
        self.address = address
        self.forms: list[WebForm] = []
        self.textarea = ""
        self.buttons: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.forms.append(
                WebForm(
                    urljoin(self.address, has.get("action", "")), has.get("method", "get").lower()
                )
            )
            self.buttons = {}
        name = has.get("name", "")
        if tag == "button" and name:
            self.buttons[name] = has.get("value", "")
        if not self.forms or not name or has.get("type") in NO_TEXT:
            return
        values = self.forms[-1].values
        if has.get("type") == "radio":
            self.forms[-1].options.setdefault(name, []).append(has.get("value", ""))
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
        if tag == "form" and len(self.buttons) == 1:  # of several buttons, none is pressed
            self.forms[-1].values |= self.buttons


@dataclass
class Observed:
    """The longest text that each expression was given, and its pattern, by the name of the expression.

    place: where a text is sent at the moment; places: where it was when an expression saw the longest text.
    """

    place: str = ""
    longest: dict[str, int] = field(default_factory=dict)
    patterns: dict[str, Any] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)

    def note(self, name: str, pattern: Any, text: Any) -> None:
        if len(text) > self.longest.get(name, -1):
            self.patterns[name] = pattern
            self.longest[name] = len(text)
            self.places[name] = self.place


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
                self._name,
                self.compiled.pattern,
                arguments[1] if attribute in ("sub", "subn") else arguments[0],
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
            self._observed.note(
                f"{self._module} {text}", text, arguments[1 if attribute in ("sub", "subn") else 0]
            )
            return getattr(re, attribute)(pattern, *arguments, **options)

        return noting


def product_modules() -> list[ModuleType]:
    return [
        module
        for name, module in sorted(sys.modules.items())
        if name.partition(".")[0] in PRODUCT and module
    ]


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
