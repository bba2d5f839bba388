"""A result's dataclass as JSON and as the schema of that JSON: what stands in the class stands in both."""

import types
from dataclasses import field, fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
from rest_framework import serializers

PLAIN = {
    int: serializers.IntegerField,
    float: serializers.FloatField,
    str: serializers.CharField,
    bool: serializers.BooleanField,
}


def of(help: str = "", *, sent: bool = True, **more: Any) -> Any:
    """A field of a result. help: what a program is told of it. sent: whether programs get it."""
    return field(metadata={"help": help, "sent": sent}, **more)


def as_json(value: Any) -> Any:
    """Plain data: numbers, texts, lists and dicts."""
    if is_dataclass(value):
        return {each.name: as_json(getattr(value, each.name)) for each in fields(value) if _is_sent(each)}
    if isinstance(value, tuple | list):
        return [as_json(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value


@cache
def serializer(kind: type) -> type[serializers.Serializer]:
    """For the schema, of a dataclass of numbers, texts, literals, tuples, other dataclasses, and None beside these."""
    hints = get_type_hints(kind)
    attributes = {
        each.name: _field(hints[each.name], help_text=each.metadata.get("help") or None)
        for each in fields(kind)
        if _is_sent(each)
    }
    return type(f"{kind.__name__}Serializer", (serializers.Serializer,), attributes)


def _is_sent(each: Any) -> bool:
    return bool(each.metadata.get("sent", True))


def _field(kind: Any, **options: Any) -> serializers.Field:
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        (kind,) = (part for part in parts if part is not type(None))
        return _field(kind, allow_null=True, **options)
    if origin is Literal:
        return serializers.ChoiceField(parts, **options)
    if origin is tuple:
        lengths = {} if parts[-1] is Ellipsis else {"min_length": len(parts), "max_length": len(parts)}
        return serializers.ListField(child=_field(parts[0]), **lengths, **options)
    return serializer(kind)(**options) if is_dataclass(kind) else PLAIN[kind](**options)
