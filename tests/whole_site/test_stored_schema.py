"""The API's schema keeps its names: addresses, operations, parameters, shapes, types, what is required or may be null.

`schema.json` holds these of the last time somebody meant to change them. After a change that is meant:

    python -m pytest tests/whole_site/test_stored_schema.py --write-schema
"""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

STORED = Path(__file__).with_name("schema.json")
WORDS = {
    "description",
    "summary",
    "title",
    "tags",
    "example",
    "examples",
    "default",
    "info",
    "externalDocs",
}
SIZES = {
    "maxLength",
    "minLength",
    "maximum",
    "minimum",
    "maxItems",
    "minItems",
    "pattern",
    "exclusiveMinimum",
}
BY_NAME = {
    "properties",
    "schemas",
    "paths",
    "headers",
    "content",
    "responses",
    "securitySchemes",
}  # keys are names there


def bare(part: Any, *, are_names: bool = False) -> Any:
    """Without what people read, and without how large something may be."""
    if isinstance(part, list):
        return [bare(each) for each in part]
    if not isinstance(part, dict):
        return part
    kept = {name: value for name, value in part.items() if are_names or name not in WORDS | SIZES}
    if (
        [*kept] == ["allOf"] and len(kept["allOf"]) == 1 and not are_names
    ):  # how a reference gets a description
        return bare(kept["allOf"][0])
    return {
        name: bare(value, are_names=not are_names and name in BY_NAME)
        for name, value in kept.items()
    }


@pytest.mark.django_db
def test_names_types_and_what_may_be_null_are_those_of_the_stored_schema(
    request: pytest.FixtureRequest,
) -> None:
    now = bare(Client().get("/api/v1/schema/?format=json").json())
    if request.config.getoption("--write-schema"):
        STORED.write_text(json.dumps(now, indent=1, sort_keys=True, ensure_ascii=False) + "\n")
    stored = bare(json.loads(STORED.read_text()))
    assert set(now["paths"]) == set(stored["paths"])
    assert set(now["components"]["schemas"]) == set(stored["components"]["schemas"])
    for part, there in (("paths", now["paths"]), ("schemas", now["components"]["schemas"])):
        before = stored["paths"] if part == "paths" else stored["components"]["schemas"]
        assert [name for name in there if there[name] != before[name]] == [], part
    assert now == stored


def test_a_name_is_kept_where_it_is_the_name_of_a_field() -> None:
    """A survey has a title, and its shape has a title that people read."""
    shape = {
        "title": "Survey",
        "properties": {"title": {"type": "string", "title": "x", "maxLength": 5}},
    }
    assert bare(shape) == {"properties": {"title": {"type": "string"}}}
