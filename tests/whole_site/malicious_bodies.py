"""The bodies that the API takes, from its schema, with a text that means harm in one place of each."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

SCHEMA = json.loads((Path(__file__).with_name("schema.json")).read_text())
JSON = "application/json"
# Values that are not told by the type of a field.
FORMATS = {
    "uuid": "12345678-1234-4234-8234-123456789012",
    "date": "2030-01-02",
    "date-time": "2030-01-02T03:04:05Z",
}
ANSWERS = {"choices": ["Well", "Ill"]}
# What names the things in an object whose names are free; in all others it is a language.
OWN_NAMES = {"questions": "tax", "reports": "tax", "shares": "tax", "when": "tax"}
NUMBERS = {"minimum": 0, "maximum": 9}
QUESTIONS = [
    {"kind": "yes-no"},
    {"kind": "choice"} | ANSWERS,
    {"kind": "any"} | ANSWERS,
    {"kind": "quantity", "step": 1} | NUMBERS,
    {"kind": "scale"} | ANSWERS,
    {"kind": "written"},
    {"kind": "background"} | ANSWERS,
    {"kind": "number"} | NUMBERS,
]
Shape = dict[str, Any]
Place = tuple[str, Callable[[str], Any]]


def operations() -> Iterator[tuple[str, str, str, Shape]]:
    """Yield (method, path, content type, shape) of each body that the API takes."""
    for path, described in SCHEMA["paths"].items():
        for method, operation in described.items():
            for content_type, body in operation.get("requestBody", {}).get("content", {}).items():
                yield method, path, content_type, body["schema"]


def resolved(shape: Shape) -> Shape:
    while "$ref" in shape:
        shape = SCHEMA["components"]["schemas"][shape["$ref"].rpartition("/")[2]]
    return shape


def is_question(shape: Shape) -> bool:
    return shape.get("$ref", "").endswith("/Question")


def sample(shape: Shape) -> Any:
    """Return the smallest value of a shape."""
    shape = resolved(shape)
    if "properties" in shape:
        return {name: sample(shape["properties"][name]) for name in shape.get("required", [])}
    if "oneOf" in shape:
        return sample(shape["oneOf"][0])
    if "enum" in shape:
        return shape["enum"][0]
    types = shape.get("type", "object")
    first_type = types if isinstance(types, str) else types[0]
    values = {"string": "x", "integer": 1, "number": 0.5, "boolean": True, "object": {}}
    if first_type == "array":
        return [sample(shape["items"])]
    return FORMATS.get(shape.get("format", ""), values[first_type])


def places(shape: Shape, within: str = "") -> Iterator[Place]:
    """Yield (name, function) for each place of a shape; the function returns a value with a text in this place.

    A name in an object whose names are free is a place too, and so is a field that takes numbers.
    """
    shape = resolved(shape)
    properties = shape.get("properties", {})
    more = shape.get("additionalProperties", False)
    for name, part in properties.items():
        for place, value in places(part, name):
            yield f"{name}.{place}".rstrip("."), in_property(shape, name, value)
    if not properties:
        for alternative in shape.get("oneOf", ()):
            yield from places(alternative)
    if more is not False:
        inner = more if isinstance(more, dict) and more else {"type": "string"}
        for place, value in places(inner):
            yield f"*.{place}".rstrip("."), in_names(OWN_NAMES.get(within, "en"), value)
        yield "* (name)", lambda text: {text: sample(inner)}
    elif "items" in shape:
        for place, value in places(shape["items"]):
            yield f"[].{place}".rstrip("."), in_list(shape["items"], value)
    elif not properties and "oneOf" not in shape:
        yield "", lambda text: text


def in_property(shape: Shape, name: str, value: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda text: sample(shape) | {name: value(text)}


def in_names(name: str, value: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda text: {name: value(text)}


def in_list(item: Shape, value: Callable[[str], Any]) -> Callable[[str], list]:
    """Return a list with the text; of questions it has one of each kind."""
    if not is_question(item):
        return lambda text: [value(text)]

    def of_each_kind(text: str) -> list:
        # What the place itself sets wins over the question's own; "kind" and "text" are always set.
        changed = {
            name: part for name, part in value(text).items() if part != sample(item).get(name)
        }
        return [{"text": "How are you?"} | question | changed for question in QUESTIONS]

    return of_each_kind
