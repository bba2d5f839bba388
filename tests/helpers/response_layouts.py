"""Compares the two readings of an instrument: the format of a response, and the whole survey with its mechanisms."""

from typing import Any

from surveys.definition.parsing import parse_instrument
from surveys.definition.response_format import Layout, response_format
from surveys.fieldwork.responses.records import record_dtype
from surveys.models import Instrument

SETTINGS = (
    "sha256",
    "survey",
    "draw",
    "nonresponse",
    "tickets",
    "keys_with_missing",
    "keys_with_condition",
    "conditional_draws",
)


def assert_same_layout(instrument: Instrument) -> None:
    """Fail if the two readings differ in any report, or in who is asked which question."""
    form, frozen = response_format(instrument), parse_instrument(instrument)

    assert describe_items(form) == describe_items(frozen)
    assert {name: getattr(form, name) for name in SETTINGS} == {
        name: getattr(frozen, name) for name in SETTINGS
    }
    assert record_dtype(form) == record_dtype(frozen)


def describe_items(layout: Layout) -> list[dict[str, Any]]:
    """Return all that a layout says of each of its questions."""
    return [
        {
            "key": item.key,
            "wire": type(item.report_format),
            **vars(item.report_format),
            "when": item.when,
            "is_drawn": layout.is_drawn(item.key),
        }
        for item in layout.items
    ]
