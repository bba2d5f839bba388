"""A result's dataclass is the shape of what leaves the program: its JSON, and the schema of that."""

from dataclasses import field, fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from typing import Any, Final, Self

import numpy as np

from surveys.site.number_format import finite_or_none

ABSENT: Final[Any] = (
    object()
)  # the default of a field that may be left out, and its value where it is


class ApiResult:
    """What programs are told. The first line of a subclass' docstring is the description of its shape.

    Its fields are numbers, texts, literals, dates, other results, tuples and dicts of these, and None beside them. A
    class whose name ends with Result is named without it in the schema.
    """

    @classmethod
    def from_object(cls, source: Any, /, **own: Any) -> Self:
        """Return a result with the given values; all other fields are read from `source`."""
        names = (each.name for each in fields(cls) if each.name not in own)  # type: ignore[arg-type]
        return cls(**own, **{name: getattr(source, name) for name in names})


def api_field(help: str = "", *, sent: bool = True, name: str = "", **more: Any) -> Any:
    """A field of a result. help: what a program is told of it. sent: whether programs get it. name: in JSON, where it
    cannot be a name of Python."""
    return field(metadata={"help": help, "sent": sent, "name": name}, **more)


def api_fields(kind: type) -> list[tuple[str, Any]]:
    """Return the fields that programs get, with their names in JSON."""
    return [
        (each.metadata.get("name") or each.name, each)
        for each in fields(kind)
        if each.metadata.get("sent", True)
    ]


def as_json(value: Any) -> Any:
    """Plain data: numbers, texts, lists and dicts; null for an infinite number or none, which JSON cannot hold."""
    if is_dataclass(value) and not isinstance(value, type):
        values = ((name, getattr(value, each.name)) for name, each in api_fields(type(value)))
        return {name: as_json(each) for name, each in values if each is not ABSENT}
    if isinstance(value, tuple | list):
        return [as_json(each) for each in value]
    if isinstance(value, dict):
        return {name: as_json(each) for name, each in value.items()}
    if isinstance(value, date) and not isinstance(value, datetime):  # which the renderer writes
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    plain = value.item() if isinstance(value, np.generic) else value
    return finite_or_none(plain) if isinstance(plain, float) else plain
