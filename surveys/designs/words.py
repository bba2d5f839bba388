"""What a design does to an answer, in words."""

from fractions import Fraction

from mechanisms import Mechanism


def chances(mechanism: Mechanism) -> str:
    """What happens to a true answer, in words, for every design."""
    rows = mechanism.probabilities()
    if mechanism.spec()["kind"] != "matrix":
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


def _number(chance: Fraction) -> str:
    return str(chance) if chance.denominator <= 100 else f"{float(chance):.6g}"
