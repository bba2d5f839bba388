"""A comparison of the two forms in which an instrument is parsed.

One is the format of a response, which is enough to accept submissions. The other one is the whole
definition of the survey with its mechanisms. A response must be stored alike with each of them.
"""

from typing import Any

from surveys.definition.parsing import parse_instrument
from surveys.definition.response_format import Layout, response_format
from surveys.fieldwork.responses.records import record_dtype
from surveys.models import Instrument

# The attributes that each of the two forms has, apart from its questions.
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
    """Fail if the two forms differ in any report, or in who is asked which question."""
    submission_format = response_format(instrument)
    definition = parse_instrument(instrument)

    assert describe_items(submission_format) == describe_items(definition)
    settings_of_format = {name: getattr(submission_format, name) for name in SETTINGS}
    settings_of_definition = {name: getattr(definition, name) for name in SETTINGS}
    assert settings_of_format == settings_of_definition
    assert record_dtype(submission_format) == record_dtype(definition)


def describe_items(layout: Layout) -> list[dict[str, Any]]:
    """Return all that a layout says about each of its questions, in their order."""
    descriptions = []
    for item in layout.items:
        description = {
            "key": item.key,
            "wire": type(item.report_format),
            # The fields of the format, such as the number of its bits.
            **vars(item.report_format),
            "when": item.when,
            "is_drawn": layout.is_drawn(item.key),
        }
        descriptions.append(description)
    return descriptions
