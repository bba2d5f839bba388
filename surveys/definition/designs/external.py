"""Designs of answers that were randomized elsewhere, on paper or by telephone, and come from a file.

With some of them a recorded answer can prove the truth: epsilon is infinite. No respondent is asked with them here.
"""

from collections.abc import Callable
from fractions import Fraction

from mechanisms import Crosswise, Kuk, Mangat, Matrix, OneSided, Triangular
from surveys.definition.designs.catalogue import DESIGNS, Design, above_zero, even
from surveys.definition.designs.parameters import common_denominator


def _below_one(letter: str) -> Callable[..., dict[str, str]]:
    return lambda **given: (
        {letter: "With 1 the answers say nothing: nothing can be estimated."} if given[letter] == 1 else {}
    )


def _cards(p1: Fraction, p2: Fraction) -> dict[str, str]:
    return {"p2": "p1 and p2 must differ, or nothing can be estimated."} if p1 == p2 else {}


def _matrix(rows: list[list[Fraction]]) -> Matrix:
    den = common_denominator(rows)
    return Matrix([[int(cell * den) for cell in row] for row in rows], den)


ELSEWHERE = {
    design.key: design
    for design in (
        Design(
            "crosswise",
            "Crosswise model",
            {"prevalence": "How often the answer to the harmless question is Yes. Yes stands for “both the same”."},
            lambda size, prevalence: Crosswise(prevalence),
            lambda prevalence: even("prevalence", prevalence),
            two_answers_only=True,
        ),
        Design(
            "triangular",
            "Triangular model",
            {"prevalence": "How often the answer to the harmless question is Yes. No stands for “both are No”."},
            lambda size, prevalence: Triangular(prevalence),
            _below_one("prevalence"),
            two_answers_only=True,
        ),
        Design(
            "mangat",
            "Mangat’s design",
            {"p": "Probability that a person without the trait says No. Everybody who has it says Yes."},
            lambda size, p: Mangat(p),
            above_zero("p"),
            two_answers_only=True,
        ),
        Design(
            "kuk",
            "Kuk’s cards",
            {
                "p1": "Share of red cards in the deck of people with the trait.",
                "p2": "Share in the deck of the others.",
            },
            lambda size, p1, p2: Kuk(p1, p2),
            _cards,
            two_answers_only=True,
        ),
        Design(
            "one-sided",
            "One-sided garbling",
            {"rate": "Share of the No answers that are turned into Yes. Every Yes stays."},
            lambda size, rate: OneSided(rate),
            _below_one("rate"),
            two_answers_only=True,
        ),
        Design(
            "matrix",
            "A matrix of your own",
            {
                "rows": "One row for each true answer, in the order of the choices (No before Yes): the probabilities "
                "of each recorded answer: 3/4 1/4; 1/4 3/4"
            },
            lambda size, rows: _matrix(rows),
        ),
    )
}


def designs_for(import_only: bool) -> dict[str, Design]:
    """What an author can choose from: all that files bring where a survey takes files, else what may be asked with."""
    brought = {key: design for key, design in DESIGNS.items() if not design.devices_only}
    return brought | ELSEWHERE if import_only else DESIGNS
