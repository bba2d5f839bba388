"""The designs of answers that were randomized elsewhere, on paper or by telephone.

Such answers are imported from a file. With some of these designs a recorded answer can prove the
truth, so that epsilon is infinite. No respondent of this site is asked with them.
"""

from collections.abc import Iterable
from fractions import Fraction

from mechanisms import Crosswise, Kuk, Mangat, Matrix, OneSided, Triangular
from surveys.definition.designs.catalogue import DESIGNS
from surveys.definition.designs.design import Design, reject_half, reject_value
from surveys.definition.designs.parameters import common_denominator, integer_numerators


def _card_problems(p1: Fraction, p2: Fraction) -> dict[str, str]:
    """Return {"p2": a message} if p1 and p2 are equal, else an empty dictionary.

    This is the check of Kuk's cards: p1 and p2 are the shares of red cards in the two decks.
    """
    if p1 == p2:
        return {"p2": "p1 and p2 must differ, or nothing can be estimated."}
    return {}


def _build_matrix(size: int, rows: list[list[Fraction]]) -> Matrix:
    """Return the mechanism of the author's own matrix.

    size: not used. Every function that builds a mechanism gets it.
    rows: the probabilities of each report, a row for each true answer.
    """
    den = common_denominator(rows)
    numerators = [integer_numerators(row, den) for row in rows]
    return Matrix(numerators, den)


IMPORT_ONLY_DESIGNS = {
    design.key: design
    for design in (
        Design(
            key="crosswise",
            title="Crosswise model",
            advice=(
                "People answered whether their answers to the sensitive and a harmless question "
                "are the same. In the file, “the same” counts as Yes."
            ),
            parameters={
                "prevalence": (
                    "How often the answer to the harmless question is Yes. Yes means “both the "
                    "same”."
                )
            },
            start={"prevalence": "1/4"},
            build=lambda size, prevalence: Crosswise(prevalence),
            check=reject_half("prevalence"),
            two_answers_only=True,
            yes="both answers are the same",
        ),
        Design(
            key="triangular",
            title="Triangular model",
            advice=(
                "People answered whether both answers, to the sensitive and a harmless question, "
                "are No. A No in the file proves a true No."
            ),
            parameters={
                "prevalence": (
                    "How often the answer to the harmless question is Yes. No means “both are No”."
                )
            },
            start={"prevalence": "1/4"},
            build=lambda size, prevalence: Triangular(prevalence),
            check=reject_value(1, "prevalence"),
            two_answers_only=True,
            yes="at least one of the two answers is Yes",
        ),
        Design(
            key="mangat",
            title="Mangat’s design",
            advice=(
                "People with the trait answered Yes. The others answered No as often as chance "
                "decided. A No in the file proves a true No."
            ),
            parameters={
                "p": (
                    "Probability that a person without the trait answers No. Everyone with it "
                    "answers Yes."
                )
            },
            start={"p": "3/4"},
            build=lambda size, p: Mangat(p),
            check=reject_value(0, "p"),
            two_answers_only=True,
        ),
        Design(
            key="kuk",
            title="Kuk’s cards",
            advice=(
                "People took a card from one of two decks, depending on their true answer, and "
                "named its colour. Red counts as Yes."
            ),
            parameters={
                "p1": "Share of red cards in the deck of people with the trait.",
                "p2": "Share in the deck of the others.",
            },
            start={"p1": "3/4", "p2": "1/4"},
            build=lambda size, p1, p2: Kuk(p1, p2),
            check=_card_problems,
            two_answers_only=True,
            yes="the card was red",
        ),
        Design(
            key="one-sided",
            title="One-sided garbling",
            advice=(
                "Some No answers were changed to Yes before anyone saw them. A No in the file "
                "proves a true No."
            ),
            parameters={
                "rate": "Share of the No answers that are changed to Yes. Every Yes stays."
            },
            start={"rate": "1/3"},
            build=lambda size, rate: OneSided(rate),
            check=reject_value(1, "rate"),
            two_answers_only=True,
        ),
        Design(
            key="matrix",
            title="Your own matrix",
            advice=(
                "Any other design whose chances you know, with as many answers as the question has."
            ),
            parameters={
                "rows": (
                    "One row for each true answer, in the order of the choices (No before Yes): "
                    "the probabilities of each received answer: 3/4 1/4; 1/4 3/4"
                )
            },
            start={"rows": "3/4 1/4; 1/4 3/4"},
            build=_build_matrix,
        ),
    )
}

# The designs that a question of any survey can have, by key.
ALL_DESIGNS = DESIGNS | IMPORT_ONLY_DESIGNS


def _parameter_names(designs: Iterable[Design]) -> tuple[str, ...]:
    """Return the names of the parameters of all these designs, without repetitions."""
    # A dictionary keeps the order of its keys, which a set does not.
    names: dict[str, None] = {}
    for design in designs:
        names |= dict.fromkeys(design.parameters)
    return tuple(names)


# The parameters of all designs, without repetitions.
PARAMETERS = _parameter_names(ALL_DESIGNS.values())


def designs_for(import_only: bool) -> dict[str, Design]:
    """Return the designs that an author can choose, by key.

    import_only: True for a survey whose answers are imported from a file. It has no designs that
        work only on devices, but those of answers that were randomized elsewhere.
    """
    if not import_only:
        return DESIGNS
    in_files = {key: design for key, design in DESIGNS.items() if not design.devices_only}
    return in_files | IMPORT_ONLY_DESIGNS
