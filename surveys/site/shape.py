"""Define results as dataclasses, from which their JSON and its schema in the API are derived."""

from dataclasses import field, fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from typing import Any, Final, Self

import numpy as np

from surveys.site.number_format import finite_or_none

# The value of an optional field that is left out of the JSON, and the default of such a field.
ABSENT: Final[Any] = object()


class ApiResult:
    """Base class of the dataclasses that the API sends as JSON.

    The fields of a subclass are numbers, texts, literals, dates, other results, tuples and
    dictionaries of these, or None. The schema of the API has the first line of its docstring, and
    its name without "Result" at the end.
    """

    @classmethod
    def from_object(cls, source: Any, /, **values: Any) -> Self:
        """Return a result with these values; other fields are the attributes of `source`.

        source: an object that has an attribute with the name of each field without a value.
        """
        source_values = {}
        for result_field in fields(cls):  # type: ignore[arg-type]
            if result_field.name not in values:
                source_values[result_field.name] = getattr(source, result_field.name)
        return cls(**values, **source_values)


def api_field(help: str = "", *, sent: bool = True, name: str = "", **more: Any) -> Any:
    """Declare a field of an ApiResult, with its description in the schema of the API.

    help: the description of the field.
    sent: whether the field is part of the JSON.
    name: the name of the field in JSON, if it differs from the name in Python.
    more: arguments of `dataclasses.field`, such as a default.
    """
    return field(metadata={"help": help, "sent": sent, "name": name}, **more)


def api_fields(kind: type) -> list[tuple[str, Any]]:
    """Return the fields of a result class that are sent: pairs of the name in JSON and the field.

    kind: a subclass of ApiResult, or another dataclass.
    """
    named_fields = []
    for result_field in fields(kind):
        if result_field.metadata.get("sent", True):
            name = result_field.metadata.get("name") or result_field.name
            named_fields.append((name, result_field))
    return named_fields


def as_json(value: Any) -> Any:
    """Return a value as data that JSON can hold: numbers, texts, lists and dictionaries.

    A result becomes a dictionary of its sent fields, without those that are ABSENT. A date becomes
    a text, an Enum its value, and a number of NumPy one of Python. An infinite number or NaN
    becomes None. A datetime stays a datetime, and any other value is returned unchanged.
    """
    # Both a dataclass and its instances have fields, but only an instance has values.
    if is_dataclass(value) and not isinstance(value, type):
        return _result_as_json(value)
    if isinstance(value, tuple | list):
        return [as_json(element) for element in value]
    if isinstance(value, dict):
        return {name: as_json(element) for name, element in value.items()}
    # The renderer of the API writes a datetime itself.
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, np.generic):
        value = value.item()
    return finite_or_none(value) if isinstance(value, float) else value


def _result_as_json(result: Any) -> dict[str, Any]:
    """Return the values of a result as JSON data, by the names of the fields in JSON.

    Fields that were declared with `sent=False` are left out, and those whose value is ABSENT.
    """
    data = {}
    for name, result_field in api_fields(type(result)):
        value = getattr(result, result_field.name)
        if value is not ABSENT:
            data[name] = as_json(value)
    return data
