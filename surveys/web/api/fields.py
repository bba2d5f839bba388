"""What a value must be that comes by JSON: neither more than JSON says, nor another type that could be read as it."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from surveys.authoring.drafts.conditions import checked
from surveys.definition.designs.external import EVERY, PARAMETERS
from surveys.definition.designs.levels import AUTOMATIC, EPSILONS
from surveys.site import errors

DESIGN_CHOICES = ["", *EPSILONS, AUTOMATIC, *EVERY]
NO_LETTER = f"No design has this parameter. There are {', '.join(PARAMETERS)}."


class Strict(serializers.Serializer):
    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := set(data) - set(self.fields)):
            raise serializers.ValidationError(errors.unknown(sorted(unknown), "This is not known here."))
        return super().to_internal_value(data)


class Text(serializers.CharField):
    """Text as it was written, without NUL, which no database keeps. A number is none: 1e999 would be read as “inf”."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**({"allow_blank": True, "required": False} | options))

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "object", "additionalProperties": {"type": "string"}}]})
class Words(Text):
    """A text that respondents read: plain, or {"en": "...", "de": "..."} where the survey has several languages."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if isinstance(data, dict):
            return {str(code)[:20]: super(Words, self).run_validation(text) for code, text in data.items()}
        return super().run_validation(data)

    def to_representation(self, value: Any) -> Any:
        return value if isinstance(value, dict) else super().to_representation(value)


class Whole(serializers.IntegerField):
    """A whole number as JSON has it: neither text nor true."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool | str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Real(serializers.FloatField):
    """A number as JSON has it: neither text nor true."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool | str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Flag(serializers.BooleanField):
    """true or false, not the many words that forms may send."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Day(serializers.DateField):
    """As 2027-01-31, which the services read."""

    def to_internal_value(self, value: Any) -> str:
        return super().to_internal_value(value).isoformat()


@extend_schema_field({"type": "object", "additionalProperties": True})
class Condition(serializers.JSONField):
    """As surveys.authoring.drafts.conditions has it."""

    def to_internal_value(self, data: Any) -> Any:
        try:
            return checked(super().to_internal_value(data))
        except ValueError as wrong:
            raise serializers.ValidationError(str(wrong)) from None


@extend_schema_field({"type": "string", "enum": DESIGN_CHOICES})
class DesignKey(Text):
    """What it may be, the services say, which know the question."""


@extend_schema_field(
    {"type": "object", "properties": {each: {"type": "string"} for each in PARAMETERS}, "additionalProperties": False}
)
class Parameters(serializers.DictField):
    child = Text(max_length=2000)

    def to_internal_value(self, data: Any) -> dict[str, str]:
        found: dict[str, str] = super().to_internal_value(data)
        if unknown := set(found) - set(PARAMETERS):
            raise serializers.ValidationError(errors.unknown(sorted(unknown), NO_LETTER))
        return found
