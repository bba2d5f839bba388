"""The rows of the table for answers that were randomized elsewhere, on paper or by telephone, and come from a file.

With some of them a recorded answer can prove the truth: epsilon is infinite. No respondent is asked with them here.
"""

from fractions import Fraction

from mechanisms import Crosswise, Kuk, Mangat, Matrix, OneSided, Triangular
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.design import Design, anything_but, even
from surveys.definition.designs.parameters import common_denominator


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
            "People answered whether their answers to the sensitive and a harmless question are the same. In the "
            "file, “the same” counts as Yes.",
            {
                "prevalence": "How often the answer to the harmless question is Yes. Yes means “both the same”."
            },
            {"prevalence": "1/4"},
            lambda size, prevalence: Crosswise(prevalence),
            even("prevalence"),
            two_answers_only=True,
            yes="both answers are the same",
        ),
        Design(
            "triangular",
            "Triangular model",
            "People answered whether both answers, to the sensitive and a harmless question, are No. A No in the "
            "file proves a true No.",
            {
                "prevalence": "How often the answer to the harmless question is Yes. No means “both are No”."
            },
            {"prevalence": "1/4"},
            lambda size, prevalence: Triangular(prevalence),
            anything_but(1, "prevalence"),
            two_answers_only=True,
            yes="at least one of the two answers is Yes",
        ),
        Design(
            "mangat",
            "Mangat’s design",
            "People with the trait answered Yes. The others answered No as often as chance decided. A No in the "
            "file proves a true No.",
            {
                "p": "Probability that a person without the trait answers No. Everyone with it answers Yes."
            },
            {"p": "3/4"},
            lambda size, p: Mangat(p),
            anything_but(0, "p"),
            two_answers_only=True,
        ),
        Design(
            "kuk",
            "Kuk’s cards",
            "People took a card from one of two decks, depending on their true answer, and named its colour. Red "
            "counts as Yes.",
            {
                "p1": "Share of red cards in the deck of people with the trait.",
                "p2": "Share in the deck of the others.",
            },
            {"p1": "3/4", "p2": "1/4"},
            lambda size, p1, p2: Kuk(p1, p2),
            _cards,
            two_answers_only=True,
            yes="the card was red",
        ),
        Design(
            "one-sided",
            "One-sided garbling",
            "Some No answers were changed to Yes before anyone saw them. A No in the file proves a true No.",
            {"rate": "Share of the No answers that are changed to Yes. Every Yes stays."},
            {"rate": "1/3"},
            lambda size, rate: OneSided(rate),
            anything_but(1, "rate"),
            two_answers_only=True,
        ),
        Design(
            "matrix",
            "Your own matrix",
            "Any other design whose chances you know, with as many answers as the question has.",
            {
                "rows": (
                    "One row for each true answer, in the order of the choices (No before Yes): the probabilities of "
                    "each received answer: 3/4 1/4; 1/4 3/4"
                )
            },
            {"rows": "3/4 1/4; 1/4 3/4"},
            lambda size, rows: _matrix(rows),
        ),
    )
}

EVERY = DESIGNS | ELSEWHERE
PARAMETERS = tuple(
    dict.fromkeys(letter for design in EVERY.values() for letter in design.parameters)
)


def designs_for(import_only: bool) -> dict[str, Design]:
    """What an author can choose from: all that files bring where a survey takes files, else what may be asked with."""
    brought = {key: design for key, design in DESIGNS.items() if not design.devices_only}
    return brought | ELSEWHERE if import_only else DESIGNS
