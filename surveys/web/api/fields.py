"""What a value must be that comes by JSON: neither more than JSON says, nor another type that could be read as it."""

from difflib import get_close_matches
from typing import Any, NoReturn

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from surveys.authoring.drafts.conditions import validate_condition
from surveys.definition.designs.external import ALL_DESIGNS, PARAMETERS
from surveys.definition.designs.levels import AUTOMATIC, EPSILONS
from surveys.site import errors

DESIGN_CHOICES = ["", *EPSILONS, AUTOMATIC, *ALL_DESIGNS]
UNKNOWN, MOST_NAMED = "There is no such field here.", 12
NO_LETTER = f"No design has this parameter. Use one of {', '.join(PARAMETERS)}."


NEEDED = {"required": "This is required.", "null": "This can’t be null."}
LENGTHS = {
    "empty": "This can’t be empty.",
    "min_length": "Send at least {min_length}.",
    "max_length": "Send at most {max_length}.",
}
LIMITS = {
    "min_value": "This must be at least {min_value}.",
    "max_value": "This must be at most {max_value}.",
}
TOO_LONG = {"max_string_length": "This number is too long."}


class Strict(serializers.Serializer):
    default_error_messages = NEEDED | {"invalid": "Send an object with names and values."}

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(set(data) - set(self.fields))):
            raise serializers.ValidationError(
                {
                    place: said + self._instead(place)
                    for place, said in errors.unknown_field_errors(unknown, UNKNOWN).items()
                }
            )
        return super().to_internal_value(data)

    def _instead(self, name: str) -> str:
        """The names that may be meant."""
        if near := get_close_matches(name, self.fields, 1):
            return f" Did you mean {near[0]}?"
        return (
            f" Fields here: {', '.join(sorted(self.fields))}."
            if len(self.fields) <= MOST_NAMED
            else ""
        )


class Text(serializers.CharField):
    """Text as it was written, without NUL, which no database keeps. A number is none: 1e999 would be read as “inf”."""

    default_error_messages = NEEDED | {
        "invalid": "Send text, in quotation marks.",
        "blank": "This can’t be empty.",
        "max_length": "Send at most {max_length} characters.",
        "min_length": "Send at least {min_length} characters.",
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(**({"allow_blank": True, "required": False} | options))

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Choice(serializers.ChoiceField):
    """One of a list. What is none of it is told all of it."""

    default_error_messages = NEEDED

    def fail(self, key: str, **of: Any) -> NoReturn:
        if key != "invalid_choice":
            super().fail(key, **of)
        allowed = ", ".join(f"“{each}”" for each in self.choices)
        raise serializers.ValidationError(
            f"“{str(of['input'])[:50]}” is not one of {allowed}.", code=key
        )


class Items(serializers.ListField):
    default_error_messages = NEEDED | LENGTHS | {"not_a_list": "Send a list, in square brackets."}


class Named(serializers.DictField):
    default_error_messages = NEEDED | {
        "not_a_dict": "Send an object with names and values.",
        "empty": LENGTHS["empty"],
    }


class Moment(serializers.DateTimeField):
    default_error_messages = NEEDED | {
        "invalid": "Send a time, for example 2030-11-30T18:00:00Z.",
        "date": "Add the time.",
    }


@extend_schema_field(
    {"oneOf": [{"type": "string"}, {"type": "object", "additionalProperties": {"type": "string"}}]}
)
class Words(Text):
    """A text that respondents read: plain, or {"en": "...", "de": "..."} where the survey has several languages."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if isinstance(data, dict):
            return {
                str(code)[:20]: super(Words, self).run_validation(text)
                for code, text in data.items()
            }
        return super().run_validation(data)

    def to_representation(self, value: Any) -> Any:
        return value if isinstance(value, dict) else super().to_representation(value)


class Whole(serializers.IntegerField):
    """A whole number as JSON has it: neither text nor true."""

    default_error_messages = NEEDED | LIMITS | TOO_LONG | {"invalid": "Send a whole number."}

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool | str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Real(serializers.FloatField):
    """A number as JSON has it: neither text nor true."""

    default_error_messages = NEEDED | LIMITS | TOO_LONG | {"invalid": "Send a number."}

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool | str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Flag(serializers.BooleanField):
    """true or false, not the many words that forms may send."""

    default_error_messages = NEEDED | {"invalid": "Send true or false."}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Date(serializers.DateField):
    default_error_messages = NEEDED | {
        "invalid": "Send a day, for example 2030-01-31.",
        "datetime": "Leave the time out.",
    }


class Day(Date):
    """As 2027-01-31, which the services read."""

    def to_internal_value(self, value: Any) -> str:
        return super().to_internal_value(value).isoformat()


@extend_schema_field({"type": "object", "additionalProperties": True})
class Condition(serializers.JSONField):
    """As surveys.authoring.drafts.conditions has it."""

    def to_internal_value(self, data: Any) -> Any:
        try:
            return validate_condition(super().to_internal_value(data))
        except ValueError as wrong:
            raise serializers.ValidationError(str(wrong)) from None


@extend_schema_field({"type": "string", "enum": DESIGN_CHOICES})
class DesignKey(Text):
    """What it may be, the services say, which know the question."""


@extend_schema_field(
    {
        "type": "object",
        "properties": {each: {"type": "string"} for each in PARAMETERS},
        "additionalProperties": False,
    }
)
class Parameters(Named):
    child = Text(max_length=2000)

    def to_internal_value(self, data: Any) -> dict[str, str]:
        parameters: dict[str, str] = super().to_internal_value(data)
        if unknown := set(parameters) - set(PARAMETERS):
            raise serializers.ValidationError(
                errors.unknown_field_errors(sorted(unknown), NO_LETTER)
            )
        return parameters
