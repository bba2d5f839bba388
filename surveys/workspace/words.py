"""A mechanism in words: what happens to the answers of 100 people. Every number comes from its exact chances."""

from collections.abc import Sequence
from fractions import Fraction

from mechanisms import Mechanism


def in_words(mechanism: Mechanism, answers: Sequence[str]) -> list[str]:
    """Sentences on a mechanism for a question with these answers."""
    rows = mechanism.probabilities()
    if mechanism.spec()["kind"] != "matrix":
        return _marks(rows)
    return _several(rows) if len(rows) > 2 else _two(rows, answers)


def _two(rows: Sequence[Sequence[Fraction]], answers: Sequence[str]) -> list[str]:
    first, second = (1, 0) if tuple(answers) == ("No", "Yes") else (0, 1)  # people expect Yes before No
    return [
        f"Of 100 people who choose “{answers[chosen]}”, about {of_100(rows[chosen][chosen])} are recorded with "
        f"“{answers[chosen]}” and {of_100(rows[chosen][other])} with “{answers[other]}”."
        for chosen, other in ((first, second), (second, first))
    ]


def _several(rows: Sequence[Sequence[Fraction]]) -> list[str]:
    kept, others = rows[0][0], len(rows) - 1
    return [
        f"Of 100 people who choose an answer, about {of_100(kept)} are recorded with that answer, and "
        f"{of_100(1 - kept)} with one of the {others} others: {of_100(rows[0][1])} with each."
    ]


def _marks(rows: Sequence[Sequence[Fraction]]) -> list[str]:
    return [
        "Each answer has a mark of its own, which chance may set or clear; all the marks are sent.",
        f"Of 100 people who choose an answer, about {of_100(rows[1][1])} send it marked.",
        f"Of 100 people who do not choose it, about {of_100(rows[0][1])} send it marked all the same.",
    ]


def of_100(chance: Fraction) -> str:
    """A chance as so many of 100: whole where it is whole, else never rounded to none or all."""
    share = 100 * chance
    if share.denominator == 1:
        return str(share)
    digits = 1
    while round(share, digits) in (0, 100):
        digits += 1
    return f"{float(round(share, digits)):.{digits}f}"
