"""Results in the schema: a serializer of each, which knows its shape and never meets one."""

import types
from datetime import date, datetime
from enum import Enum
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from rest_framework import serializers

from surveys.site.shape import ABSENT, ApiResult, api_fields

PLAIN = {
    int: serializers.IntegerField,
    float: serializers.FloatField,
    str: serializers.CharField,
    bool: serializers.BooleanField,
    date: serializers.DateField,
    datetime: serializers.DateTimeField,
    UUID: serializers.UUIDField,
}


@cache
def serializer_for(kind: type[ApiResult]) -> type[serializers.Serializer]:
    """Return a serializer class for a result, for the schema only."""
    hints = get_type_hints(kind)
    attributes: dict[str, Any] = {}
    for name, each in api_fields(kind):
        may_lack = {"required": False} if each.default is ABSENT else {}
        attributes[name] = _field(
            hints[each.name], help_text=each.metadata.get("help") or None, **may_lack
        )
    written = (
        "" if (kind.__doc__ or "").startswith(f"{kind.__name__}(") else kind.__doc__ or ""
    )  # else its signature
    about = {"__doc__": written.split("\n")[0]}
    return type(
        f"{kind.__name__.removesuffix('Result')}Serializer",
        (serializers.Serializer,),
        attributes | about,
    )


def _field(kind: Any, **options: Any) -> serializers.Field:
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        (kind,) = (part for part in parts if part is not type(None))
        return _field(kind, allow_null=True, **options)
    if origin is Literal:
        blank = {"allow_blank": True} if "" in parts else {}
        return serializers.ChoiceField([part for part in parts if part], **blank, **options)
    if origin is dict:
        return serializers.DictField(
            **({} if parts[1] is Any else {"child": _field(parts[1])}), **options
        )
    if origin is tuple:
        lengths = (
            {} if parts[-1] is Ellipsis else {"min_length": len(parts), "max_length": len(parts)}
        )
        return serializers.ListField(child=_field(parts[0]), **lengths, **options)
    if issubclass(kind, Enum):
        choices = getattr(kind, "choices", None) or [(each.value, each.name) for each in kind]
        return serializers.ChoiceField(choices, **options)
    return (
        serializer_for(kind)(**options) if issubclass(kind, ApiResult) else PLAIN[kind](**options)
    )
