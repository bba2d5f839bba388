"""The documentation for reading: the schema as one plain page of groups that open one at a time, with a search."""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from surveys.web.api.views.schema_view import described

NAME = re.compile(r'#/components/schemas/(\w+)"')
METHODS = ("get", "post", "put", "patch", "delete")
Said = tuple[
    tuple[str, str], ...
]  # parts of a text, each with the name of the shape that it is, or nothing


@dataclass(frozen=True)
class Field:
    name: str
    shape: "Said"
    required: bool
    description: str


@dataclass(frozen=True)
class Operation:
    anchor: str
    method: str
    path: str
    summary: str
    description: str
    open: bool
    parameters: tuple[Field, ...]
    body: "Said"
    examples: tuple[str, ...]
    answers: tuple[tuple[str, "Said"], ...]


@dataclass(frozen=True)
class Shape:
    name: str
    description: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Contents:
    groups: dict[str, tuple[Operation, ...]]
    shapes: tuple[Shape, ...]

    def matching(self, words: str) -> "Contents":
        """What names all these words somewhere."""
        groups = {
            name: tuple(each for each in group if _has(each, words))
            for name, group in self.groups.items()
        }
        shapes = tuple(each for each in self.shapes if _has(each, words))
        return Contents({name: group for name, group in groups.items() if group}, shapes)


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    words = request.GET.get("q", "")[:100].strip()
    return render(
        request,
        "api/docs.html",
        {"described": _matching(words) if words else _page(), "words": words},
    )


@lru_cache(maxsize=1)
def _page() -> str:
    """All but what differs between readers, rendered once: the schema never changes while the program runs."""
    return render_to_string("api/operations.html", vars(_read()))


def _matching(words: str) -> str:
    matches = _read().matching(words)
    return render_to_string("api/operations.html", vars(matches) | {"is_search": True})


@lru_cache(maxsize=1)
def _read() -> Contents:
    schema = described()
    groups: dict[str, list[Operation]] = {each["name"]: [] for each in schema["tags"]}
    for path, operations in sorted(schema["paths"].items(), key=_before_its_files):
        for method in METHODS:
            if method in operations:
                operation = operations[method]
                groups[operation["tags"][0]].append(_operation(method, path, operation))
    shapes = (_shape(name, shape) for name, shape in schema["components"]["schemas"].items())
    return Contents({name: tuple(group) for name, group in groups.items()}, tuple(shapes))


def _before_its_files(pair: tuple[str, Any]) -> str:
    return pair[0].replace(".", "~")


def _has(each: Operation | Shape, words: str) -> bool:
    text = str(each).casefold()
    return all(word in text for word in words.casefold().split())


def _operation(method: str, path: str, operation: dict[str, Any]) -> Operation:
    body = next(iter(operation.get("requestBody", {}).get("content", {}).values()), {})
    return Operation(
        anchor=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation.get("summary", ""),
        description=_marked(operation.get("description", "")),
        open=operation.get("security") in ([], [{}]),
        parameters=tuple(
            Field(
                each["name"],
                _linked(each["schema"]),
                each.get("required", False),
                _marked(each.get("description", "")),
            )
            for each in operation.get("parameters", [])
        ),
        body=_linked(body["schema"]) if body else (),
        examples=tuple(
            json.dumps(each["value"], indent=2) for each in body.get("examples", {}).values()
        ),
        answers=tuple(
            (code, _answer(answer)) for code, answer in sorted(operation["responses"].items())
        ),
    )


def _answer(answer: dict[str, Any]) -> Said:
    said = [(answer["description"], "")] if answer.get("description") else []
    for kind, each in answer.get("content", {}).items():
        said += [(f"{'; ' if said else ''}{kind}: ", ""), *_linked(each.get("schema", {}))]
    return tuple(said) or (("nothing", ""),)


def _marked(text: str) -> SafeString:
    """Names between back-quotes as code."""
    return mark_safe(re.sub(r"`([^`]+)`", r'<code class="candor-code">\1</code>', escape(text)))  # noqa: S308


def _linked(schema: dict[str, Any]) -> Said:
    """In words, with the one shape that is named in them."""
    text, names = shape_of(schema), NAME.findall(json.dumps(schema))
    if len(names) != 1:
        return ((text, ""),)
    before, name, after = text.rpartition(names[0])
    return tuple(part for part in ((before, ""), (name, name), (after, "")) if part[0])


def _shape(name: str, shape: dict[str, Any]) -> Shape:
    required = shape.get("required", [])
    fields = tuple(
        Field(key, _linked(each), key in required, _marked(each.get("description", "")))
        for key, each in shape.get("properties", {}).items()
    )
    return Shape(name, shape.get("description", "") or ("" if fields else shape_of(shape)), fields)


def shape_of(schema: dict[str, Any]) -> str:  # noqa: PLR0911 (a table of the schema's own cases)
    """A schema in a few words: "list of Survey", "one of open, closed", "text or null"."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[-1]
    if "enum" in schema:
        return f"one of {', '.join(map(str, schema['enum']))}"
    for several in ("oneOf", "anyOf", "allOf"):
        if several in schema:
            return " or ".join(shape_of(each) for each in schema[several])
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(shape_of(schema | {"type": each}) for each in kind)
    if kind == "array":
        return f"list of {shape_of(schema.get('items', {}))}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"object of {shape_of(schema['additionalProperties'])}"
    return {"string": "text", "integer": "whole number", "boolean": "true or false"}.get(kind, kind)
