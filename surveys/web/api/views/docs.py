"""The documentation for reading: the schema as one plain page, without any script."""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from surveys.web.api.views.schema_view import described

METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Field:
    name: str
    shape: str
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
    body: str
    examples: tuple[str, ...]
    answers: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Shape:
    name: str
    description: str
    fields: tuple[Field, ...]


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    return render(request, "api/docs.html", {"described": _page()})


@lru_cache(maxsize=1)
def _page() -> str:
    """All but what differs between readers, rendered once: the schema never changes while the program runs."""
    groups, shapes = _read(described())
    return render_to_string("api/operations.html", {"groups": groups, "shapes": shapes})


def _read(schema: dict[str, Any]) -> tuple[dict[str, list[Operation]], list[Shape]]:
    groups: dict[str, list[Operation]] = {}
    for path, operations in schema["paths"].items():
        for method in METHODS:
            if method in operations:
                found = operations[method]
                groups.setdefault(found["tags"][0], []).append(_operation(method, path, found))
    return groups, [_shape(name, shape) for name, shape in schema["components"]["schemas"].items()]


def _operation(method: str, path: str, found: dict[str, Any]) -> Operation:
    body = next(iter(found.get("requestBody", {}).get("content", {}).values()), {})
    return Operation(
        anchor=found["operationId"],
        method=method.upper(),
        path=path,
        summary=found.get("summary", ""),
        description=found.get("description", ""),
        open=found.get("security") in ([], [{}]),
        parameters=tuple(
            Field(each["name"], shape_of(each["schema"]), each.get("required", False), each.get("description", ""))
            for each in found.get("parameters", [])
        ),
        body=shape_of(body["schema"]) if body else "",
        examples=tuple(json.dumps(each["value"], indent=2) for each in body.get("examples", {}).values()),
        answers=tuple((code, _answer(answer)) for code, answer in sorted(found["responses"].items())),
    )


def _answer(answer: dict[str, Any]) -> str:
    shapes = [f"{kind}: {shape_of(each.get('schema', {}))}" for kind, each in answer.get("content", {}).items()]
    return "; ".join([part for part in (answer.get("description", ""), *shapes) if part]) or "nothing"


def _shape(name: str, shape: dict[str, Any]) -> Shape:
    required = shape.get("required", [])
    fields = tuple(
        Field(key, shape_of(each), key in required, each.get("description", ""))
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
