"""How received shares follow from true ones: share reported = c * true share + d."""

from fractions import Fraction

from surveys.definition.instrument import QuestionDefinition


def line(item: QuestionDefinition) -> list[tuple[Fraction, Fraction]] | None:
    """Return (c, d) of each choice, exactly: share reported = c * true share + d.

    None is returned for a general matrix, which has no such line.
    """
    if item.mechanism is None:
        return [(Fraction(1), Fraction(0))] * item.size
    if item.mechanism.line() is None:
        return None
    rows = item.mechanism.probabilities()
    if item.mechanism.in_groups:
        return [(rows[1][1] - rows[0][1], rows[0][1])] * item.size
    # Whatever the truth is, if not this choice, the chance to report it is the same.
    return [(rows[v][v] - rows[v - 1][v], rows[v - 1][v]) for v in range(item.size)]
