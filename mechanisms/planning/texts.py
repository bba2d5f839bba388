"""The choice of a mechanism for written answers, and what RAPPOR costs in respondents."""

from operator import attrgetter

from mechanisms.designs.rappor import Rappor
from mechanisms.designs.specs import CLASSES
from mechanisms.designs.texts import TextMechanism
from mechanisms.designs.written import Written
from mechanisms.planning.recommendation import Recommendation


def times_beside(mechanism: Rappor) -> float:
    """
    Return how many times the respondents RAPPOR needs, compared with the geometry of a hash.

    Both then detect the same rare text, at the epsilon of one report. In return, later reports of
    the same text under RAPPOR add nothing beyond `mechanism.epsilon`.

    Parameters
    ----------
    mechanism : Rappor
        The mechanism.

    Returns
    -------
    float
        The number of respondents divided by that of `Written`.
    """
    return mechanism.noise / Written(mechanism.epsilon_once).noise


def recommend_for_texts(epsilon: float) -> list[Recommendation]:
    """
    Return the mechanisms for one question with written answers, the smallest error first.

    Parameters
    ----------
    epsilon : float
        The privacy loss of one report, above 0.

    Returns
    -------
    list of Recommendation
        The mechanisms. Their error is n times the variance of the share of a rare text.
    """
    variants: list[TextMechanism] = []
    for mechanism_class in CLASSES:
        if issubclass(mechanism_class, TextMechanism):
            variants.extend(mechanism_class.variants_for_epsilon(epsilon))
    ranked = sorted(variants, key=attrgetter("noise"))
    smallest_noise = ranked[0].noise
    return [
        Recommendation(
            mechanism=mechanism,
            error=mechanism.noise,
            reason=mechanism.comparison_note(mechanism.noise / smallest_noise),
        )
        for mechanism in ranked
    ]
