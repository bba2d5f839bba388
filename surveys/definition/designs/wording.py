"""What a report says where that is not simply the answer."""

from mechanisms import Mechanism
from surveys.definition.designs.modes import is_statement

CODES = {
    "crosswise": "both answers are the same",
    "triangular": "at least one of the two answers is Yes",
    "kuk": "the card was red",
}


def coding(mechanism: Mechanism, mode: str) -> str:
    """What a report of Yes says where that is not simply Yes, as a part of a sentence; empty elsewhere."""
    said = "the drawn statement is true" if is_statement(mode, mechanism) else CODES.get(mechanism.name)
    return f"; a report of Yes (code 1) says that {said}" if said else ""
