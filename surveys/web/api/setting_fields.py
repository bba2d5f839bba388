"""The settings of definition.fields as JSON has them: a field of a serializer for each row."""

from collections.abc import Callable
from typing import Any

from rest_framework import serializers

from surveys.authoring.drafts.text_checks import FARTHEST, MOST_RESPONSES
from surveys.definition import fields
from surveys.definition.designs.levels import AIMS
from surveys.definition.field import Field, Model
from surveys.definition.kinds import LONGEST_LIST
from surveys.definition.values import LONGEST_VALUE
from surveys.models import Question
from surveys.web.api.fields import (
    Choice,
    Condition,
    Day,
    DesignKey,
    Flag,
    Items,
    Parameters,
    Real,
    Text,
    Whole,
    Words,
)

MAY_LACK: dict[str, Any] = {"required": False, "allow_null": True}
NUMBER = MAY_LACK | {"min_value": -FARTHEST, "max_value": FARTHEST}
# What a column's type does not say, and how JSON has what people choose or bring otherwise on a page.
OWN: dict[str, Callable[..., serializers.Field]] = {
    "key": lambda **of: Text(max_length=32, **of),
    "kind": lambda **of: Choice(Question.Kind.choices, **of),
    "decline": lambda **of: Flag(**MAY_LACK, **of),
    "cut": lambda **of: Flag(**MAY_LACK, **of),
    "design": lambda **of: DesignKey(max_length=32, **of),
    "parameters": lambda **of: Parameters(required=False, **of),
    "when": lambda **of: Condition(**MAY_LACK, **of),
    "anchor": lambda **of: Real(min_value=0, max_value=1, **MAY_LACK, **of),
    "values": lambda **of: Items(
        child=Text(max_length=LONGEST_VALUE), max_length=LONGEST_LIST + 1, **MAY_LACK, **of
    ),
    "minimum": lambda **of: Whole(**NUMBER, **of),
    "maximum": lambda **of: Whole(**NUMBER, **of),
    "step": lambda **of: Whole(**NUMBER | {"min_value": 1}, **of),
    "expected_asked": lambda **of: Whole(**MAY_LACK | {"min_value": 1, "max_value": 100}, **of),
    "protection": lambda **of: Text(max_length=10, allow_null=True, **of),
    "everyone": lambda **of: Flag(**MAY_LACK, **of),
    "aim": lambda **of: Choice(list(AIMS), required=False, allow_blank=True, **of),
    "logo": lambda **of: Text(allow_null=True, **of),
    "accent": Text,  # what is wrong with a colour, its check says
    "accent_dark": Text,
    "delete_on": lambda **of: Day(**MAY_LACK, **of),
    "target": lambda **of: Whole(min_value=1, max_value=MOST_RESPONSES, **MAY_LACK, **of),
}
HELP = {  # where a program sends it otherwise than a person does
    "parameters": 'those of the design, as {"p": "3/4"} or {"epsilon": "1"}',
    "protection": (
        "strong, balanced or light; or an epsilon for all answers together, as “2.5”; null: each question has its own "
        "method. A new survey without it gets null if a question has a design or there is a draw, else balanced"
    ),
    "everyone": "everyone gets this question, and one of the other sensitive questions. At most one question",
    "aim": "what to estimate, for a number or scale without a design: its mean, or the share of each answer",
    "design": (
        "its own method: designs/ describes each, and “automatic” takes an epsilon; empty: the method of the survey’s "
        "protection. Where that is null, strong, balanced and light are levels"
    ),
    "decline": "offer “Prefer not to say”. By default background questions do, and sensitive ones do not",
    "cut": (
        "use this background question for report groups, which readers without row access see too; at most three "
        "questions. By default none"
    ),
    "anchor": "the share of Yes, where you know it",
    "values": (
        "the value of each choice in files, or of No and Yes: a whole number as text, or a text of at most 32 "
        "characters. null: the default values"
    ),
    "expected_asked": (
        "for planning, where the question has a condition: how many of 100 people will get it. By default all answers "
        "that decide it count as equally frequent"
    ),
    "when": 'who gets this question: {"of": key, "from": 18, "to": 25} or {"of": key, "in": [labels]}, of background '
    'questions before it, or {"all": [...]} or {"any": [...]} of these; null: everyone',
    "logo": (
        "a PNG or JPEG of at most a megabyte in base64; the site stores it as a small PNG. Needs the name of the "
        "sender. null: none"
    ),
    "tickets": '"": anyone with the link; for invited people "one" (answer right away) or "two" (tickets first)',
}


def fields_of(model: Model) -> dict[str, serializers.Field]:
    return {row.name: _field(row) for row in fields.TABLES[model]}


def _field(row: Field) -> serializers.Field:
    about = HELP.get(row.name) or row.help or row.label
    if row.name in OWN:
        return OWN[row.name](help_text=about)
    if row.is_switch:
        return Flag(required=False, help_text=about)
    if row.column.choices:
        return Choice(row.column.choices, required=False, help_text=about)
    kind = Words if row.translatable else Text
    must = {"required": True, "allow_blank": False} if row.required else {}
    return kind(max_length=row.longest, help_text=about, **must)
