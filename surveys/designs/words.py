"""What a design does to an answer, in words."""

from fractions import Fraction

from mechanisms import Mechanism
from surveys.designs.modes import is_statement


def chances(mechanism: Mechanism) -> str:
    """What happens to a true answer, in words, for every design."""
    rows, spec = mechanism.probabilities(), mechanism.spec()
    if spec["kind"] == "subset":
        return (
            f"{spec['width']} of {mechanism.size} answers are reported together, the chosen one among them with "
            f"probability {_number(rows[1][1])}, each other with {_number(rows[0][1])}"
        )
    if spec["kind"] != "matrix":
        return (
            f"{mechanism.size} bits, the bit of a chosen answer set with probability {_number(rows[1][1])}, that of "
            f"any other with {_number(rows[0][1])}"
        )
    if mechanism.size == 2:
        return (
            f"a true Yes reported as Yes with probability {_number(rows[1][1])}, a true No with {_number(rows[0][1])}"
        )
    if len({row[v] for v, row in enumerate(rows)}) == 1 == len({x for row in rows for x in set(row)} - {rows[0][0]}):
        return (
            f"{mechanism.size} answers, the chosen one reported with probability {_number(rows[0][0])}, each other "
            f"with {_number(rows[0][1])}"
        )
    return f"{mechanism.size} answers, rows of chances " + "; ".join(" ".join(map(_number, row)) for row in rows)


CODES = {
    "crosswise": "both answers are the same",
    "triangular": "at least one of the two answers is Yes",
    "kuk": "the card was red",
}


def coding(mechanism: Mechanism, mode: str) -> str:
    """What a report of Yes says where that is not simply Yes, as a part of a sentence; empty elsewhere."""
    said = "the drawn statement is true" if is_statement(mode, mechanism) else CODES.get(mechanism.name)
    return f"; a report of Yes (code 1) says that {said}" if said else ""


def _number(chance: Fraction) -> str:
    return str(chance) if chance.denominator <= 100 else f"{float(chance):.6g}"
